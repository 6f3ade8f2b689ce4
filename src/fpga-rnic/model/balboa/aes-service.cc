// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/aes-service.h"

#include "ns3/assert.h"
#include "ns3/type-attributes.h"

#include <stdexcept>
#include <utility>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(AesService);

TypeId
AesService::GetTypeId()
{
    static TypeId tid =
        TypeAttributes::Of<AesService, StreamService>("ns3::rdma::AesService", "FpgaRnic")
            .Add("Latency",
                 Member(&AesService::m_latency, 10, 1, 10000),
                 "Cycles from a word in to the word out (10: BALBOA section 6.4.1)")
            .Add("Interval",
                 Member(&AesService::m_interval, 1, 1, 1024),
                 "Cycles between two words (1: four cores for the four blocks of 64 bytes; a "
                 "design with two has 2)")
            .Add("Key",
                 Property(&AesService::SetCommonKey, &AesService::GetCommonKey, ""),
                 "Key of queue pairs without a key of their own, 32 hexadecimal digits; empty: no "
                 "common key (as BALBOA section 5.1.1, where keys come with the exchange of queue "
                 "pairs)");
    return tid;
}

AesService::~AesService() = default;

void
AesService::SetCommonKey(std::string text)
{
    m_common.reset();
    if (!text.empty())
    {
        const auto key = ReadAesKey(text);
        if (!key)
        {
            throw std::invalid_argument("AesService::Key: expected 32 hexadecimal digits, got \"" +
                                        text + "\"");
        }
        m_common.emplace(*key);
    }
    m_commonKey = std::move(text);
}

std::string
AesService::GetCommonKey() const
{
    return m_commonKey;
}

void
AesService::SetKey(uint32_t queuePair, const AesKey& key)
{
    m_ciphers.insert_or_assign(queuePair, AesCipher(key));
}

const AesCipher*
AesService::Find(uint32_t queuePair) const
{
    const auto found = m_ciphers.find(queuePair);
    if (found != m_ciphers.end())
    {
        return &found->second;
    }
    return m_common ? &*m_common : nullptr;
}

uint64_t
AesService::GetRpcCode() const
{
    return RPC_CODE;
}

StreamService::Placement
AesService::GetPlacement() const
{
    return Placement::ON_PATH;
}

StreamFault
AesService::CheckMessage(const StreamMessage& message) const
{
    if (!Find(message.queuePair))
    {
        return StreamFault::NO_KEY;
    }
    return message.bytes % AesCipher::BLOCK == 0 ? StreamFault::NONE : StreamFault::BAD_LENGTH;
}

std::string
AesService::FindSlotFault() const
{
    return m_common || !m_ciphers.empty() ? ""
                                          : "ns3::rdma::AesService::Key, 32 hexadecimal digits";
}

KernelStep
AesService::OnPacket(const KernelInput&)
{
    return {}; // Keys are set with the connection, not by requests.
}

StreamStep
AesService::OnStream(const StreamInput& input)
{
    const AesCipher* cipher = Find(input.queuePair);
    NS_ASSERT_MSG(cipher, "its message was checked");
    const auto bytes = static_cast<uint32_t>(input.bytes.GetSize());
    StreamStep step;
    step.bytes = input.isSent ? cipher->Encrypt(input.bytes) : cipher->Decrypt(input.bytes);
    (input.isSent ? m_counts.encryptedPackets : m_counts.decryptedPackets) += 1;
    (input.isSent ? m_counts.encryptedBytes : m_counts.decryptedBytes) += bytes;
    const StreamTimes times =
        m_timing.Pass(GetClock(), input.isSent, input.at, bytes, m_latency, m_interval);
    step.passedAt = times.passedAt;
    step.readyAt = times.readyAt;
    return step;
}

KernelStep
AesService::OnQueuePairEnd(uint32_t queuePair, Tick)
{
    m_ciphers.erase(queuePair);
    return {};
}

} // namespace ns3::rdma
