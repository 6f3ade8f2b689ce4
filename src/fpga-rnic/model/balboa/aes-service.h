// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_AES_SERVICE_H
#define FPGA_AES_SERVICE_H

#include "ns3/aes-cipher.h"
#include "ns3/stream-service.h"
#include "ns3/stream-timing.h"

#include <string>
#include <unordered_map>

namespace ns3::rdma
{

/// Counts of an AesService.
struct AesCounts
{
    uint64_t encryptedPackets{0};
    uint64_t encryptedBytes{0};
    uint64_t decryptedPackets{0};
    uint64_t decryptedBytes{0};
};

/**
 * @ingroup fpga-balboa
 * @brief AES-128 ECB of the payload (BALBOA section 5.1.1): encrypts transmitted data and decrypts
 * received data.
 *
 * Each queue pair has a key, which is exchanged with the queue pair numbers.  Attribute Key is for
 * all queue pairs without a key of their own.  A message without a key, or with an incomplete
 * block, cannot pass.
 *
 * Four parallel pipelines of 10 stages accept a word of 64 bytes per cycle (section 6.4.1; the open
 * core of fpgasystems/Coyote has 9 rounds and the last one).  The paper states "10 clock cycles or
 * 25 ns".  At its 250 MHz 10 cycles are 40 ns, and 25 ns would be 400 MHz; this class uses the
 * cycles.
 */
class AesService : public StreamService
{
  public:
    static constexpr uint64_t RPC_CODE{33};

    static TypeId GetTypeId();
    ~AesService() override;

    /// Both ends of a connection set the same key, before its first message.
    void SetKey(uint32_t queuePair, const AesKey& key);

    uint64_t GetRpcCode() const override;
    Placement GetPlacement() const override;
    StreamFault CheckMessage(const StreamMessage& message) const override;
    std::string FindSlotFault() const override;
    KernelStep OnPacket(const KernelInput& input) override;
    StreamStep OnStream(const StreamInput& input) override;
    KernelStep OnQueuePairEnd(uint32_t queuePair, Tick now) override; ///< Its key is deleted.

    const AesCounts& GetCounts() const
    {
        return m_counts;
    }

  private:
    /// @return null if the queue pair has no key.
    const AesCipher* Find(uint32_t queuePair) const;
    void SetCommonKey(std::string text);
    std::string GetCommonKey() const;

    uint32_t m_latency{0};
    uint32_t m_interval{0};
    std::string m_commonKey;
    std::optional<AesCipher> m_common;
    std::unordered_map<uint32_t, AesCipher> m_ciphers; ///< By queue pair. Never iterated.
    StreamTiming m_timing;
    AesCounts m_counts;
};

} // namespace ns3::rdma

#endif // FPGA_AES_SERVICE_H
