// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/aes-cipher.h"

#include "ns3/assert.h"
#include "ns3/verbs-error.h"

#include <openssl/evp.h>

namespace ns3::rdma
{

namespace
{
constexpr std::size_t KEY_DIGITS{32};

struct FreeCipherContext
{
    void operator()(EVP_CIPHER_CTX* context) const
    {
        EVP_CIPHER_CTX_free(context);
    }
};

using CipherContext = std::unique_ptr<EVP_CIPHER_CTX, FreeCipherContext>;

CipherContext
MakeCipherContext(const AesKey& key, bool encrypts)
{
    CipherContext context(EVP_CIPHER_CTX_new());
    const bool isMade = context && EVP_CipherInit_ex(context.get(),
                                                     EVP_aes_128_ecb(),
                                                     nullptr,
                                                     key.data(),
                                                     nullptr,
                                                     encrypts ? 1 : 0) == 1;
    if (!isMade)
    {
        throw VerbsError("OpenSSL has no AES-128-ECB");
    }
    EVP_CIPHER_CTX_set_padding(context.get(), 0);
    return context;
}

std::vector<uint8_t>
RunCipher(EVP_CIPHER_CTX* context, ByteView in)
{
    NS_ASSERT_MSG(in.GetSize() % AesCipher::BLOCK == 0, "whole blocks");
    std::vector<uint8_t> out(in.GetSize());
    int length = 0;
    if (EVP_CipherUpdate(context,
                         out.data(),
                         &length,
                         in.GetData(),
                         static_cast<int>(in.GetSize())) != 1)
    {
        throw VerbsError("OpenSSL cannot encrypt");
    }
    return out;
}

int
ReadDigit(char digit)
{
    const std::string digits = "0123456789abcdef";
    const auto found =
        digits.find(static_cast<char>(digit >= 'A' && digit <= 'F' ? digit + 32 : digit));
    return found == std::string::npos ? -1 : static_cast<int>(found);
}
} // namespace

std::optional<AesKey>
ReadAesKey(const std::string& text)
{
    if (text.size() != KEY_DIGITS)
    {
        return std::nullopt;
    }
    AesKey key{};
    for (std::size_t i = 0; i < key.size(); ++i)
    {
        const int high = ReadDigit(text[2 * i]);
        const int low = ReadDigit(text[2 * i + 1]);
        if (high < 0 || low < 0)
        {
            return std::nullopt;
        }
        key[i] = static_cast<uint8_t>(high * 16 + low);
    }
    return key;
}

/// Key schedules for both directions.
struct AesCipher::Contexts
{
    CipherContext encrypt;
    CipherContext decrypt;
};

AesCipher::AesCipher(const AesKey& key)
    : m_contexts(std::make_unique<Contexts>(
          Contexts{MakeCipherContext(key, true), MakeCipherContext(key, false)}))
{
}

AesCipher::~AesCipher() = default;
AesCipher::AesCipher(AesCipher&&) noexcept = default;
AesCipher& AesCipher::operator=(AesCipher&&) noexcept = default;

std::vector<uint8_t>
AesCipher::Encrypt(ByteView plain) const
{
    return RunCipher(m_contexts->encrypt.get(), plain);
}

std::vector<uint8_t>
AesCipher::Decrypt(ByteView cipher) const
{
    return RunCipher(m_contexts->decrypt.get(), cipher);
}

} // namespace ns3::rdma
