// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_AES_CIPHER_H
#define FPGA_AES_CIPHER_H

#include "ns3/byte-view.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// A key of 128 bits.
using AesKey = std::array<uint8_t, 16>;

/// @param text 32 hexadecimal digits
/// @return unset if the text has another form.
std::optional<AesKey> ReadAesKey(const std::string& text);

/**
 * @ingroup fpga-balboa
 * @brief AES-128 in electronic codebook mode (FIPS 197, NIST SP 800-38A section 6.1), by OpenSSL.
 *
 * The paper uses this mode.  Equal blocks have equal ciphertext, so it hides little, and it does
 * not authenticate the sender.
 */
class AesCipher
{
  public:
    static constexpr uint32_t BLOCK{16};

    explicit AesCipher(const AesKey& key);
    ~AesCipher();
    AesCipher(AesCipher&&) noexcept;
    AesCipher& operator=(AesCipher&&) noexcept;

    /// @param plain whole blocks
    std::vector<uint8_t> Encrypt(ByteView plain) const;
    std::vector<uint8_t> Decrypt(ByteView cipher) const;

  private:
    struct Contexts;
    std::unique_ptr<Contexts> m_contexts;
};

} // namespace ns3::rdma

#endif // FPGA_AES_CIPHER_H
