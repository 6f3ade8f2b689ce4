// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_SEND_SHUFFLE_KERNEL_H
#define FPGA_SEND_SHUFFLE_KERNEL_H

#include "ns3/kernel-reply.h"
#include "ns3/offload-kernel.h"

#include <deque>
#include <optional>
#include <vector>

namespace ns3::rdma
{

/// Destination of a partition's values: an entry of 24 bytes in the memory of the kernel's host.
struct RemotePartition
{
    static constexpr uint32_t BYTES{24};

    uint32_t queuePair{0}; ///< Of the kernel's NIC; selects the peer.
    uint32_t remoteKey{0}; ///< Of the memory at the peer.
    uint64_t address{0};   ///< In the memory at the peer.
    uint64_t values{0};    ///< Size of that memory, in values of 8 bytes.

    /// @return the encoded table.
    static std::vector<uint8_t> Encode(const std::vector<RemotePartition>& partitions);
    static std::vector<RemotePartition> Decode(ByteView bytes);
};

/// Parameters of a SendShuffleKernel, 48 bytes: address of the answer, address and size of the
/// values, address of the table, bits of the hash, wrId of the completions.
struct SendShuffleParameters
{
    static constexpr uint32_t BYTES{48};
    static constexpr uint32_t MAX_BITS{10}; ///< 1024 partitions, as in ShuffleParameters.

    uint64_t target{0};  ///< In the memory of the kernel's host, as are all addresses here.
    uint64_t address{0}; ///< Of the values.
    uint64_t bytes{0};   ///< A multiple of 8; at least 8.
    uint64_t table{0};   ///< Of 2^bits entries.
    uint32_t bits{0};
    uint64_t wrId{0};

    std::vector<uint8_t> Encode() const;

    /// @return unset if the parameters are malformed.
    static std::optional<SendShuffleParameters> Decode(ByteView bytes);
};

/**
 * @ingroup fpga-strom
 * @brief Partitions values of its host's memory by their least significant bits, and WRITEs each
 * partition to a peer (StRoM section 6.4, footnote 9).
 *
 * Only its own host calls it (KernelHost::Invoke()).  The kernel reads a table, whose entries are
 * the destinations of the partitions, and then the values in chunks.  Each partition has a buffer
 * of one packet on the chip.  The buffer is sent as a WRITE if a further value does not fit, and at
 * the end.  The last WRITE of each queue pair generates a completion with the caller's wrId: all
 * its data have then arrived.
 *
 * The answer is written to the host's memory when all WRITEs are posted: OK; NO_ROOM if values did
 * not fit and were omitted; FAULT if memory is not pinned; BAD_PARAMETERS.  Its value is two words:
 * values sent, values omitted.  One call is executed at a time.
 *
 * Not modelled: a limit of the WRITEs queued for the network.  Values pass at ValuesPerCycle, which
 * should not exceed the rate of the ports.
 */
class SendShuffleKernel : public OffloadKernel
{
  public:
    static constexpr uint64_t RPC_CODE{18}; ///< Ours.
    static constexpr uint32_t VALUE_BYTES{8};

    static TypeId GetTypeId();

    uint64_t GetRpcCode() const override;
    KernelStep OnPacket(const KernelInput& input) override;
    KernelStep OnData(uint64_t tag, ByteView bytes, Tick now) override;
    KernelStep OnFault(uint64_t tag, Tick now) override;

  private:
    enum Tag : uint64_t
    {
        TABLE,
        VALUES,
        ANSWER
    };

    /// A partition and its buffer.
    struct Partition
    {
        RemotePartition to; ///< Its remaining part.
        std::vector<uint8_t> buffer;
    };

    void Read(KernelStep& step, Tag tag, uint64_t address, uint32_t bytes, Tick now);
    void ReadMore(KernelStep& step, Tick now);
    void AddValue(const uint8_t* value, Cycle at, KernelStep& step);
    void Send(Partition& partition, Cycle at, bool isLast, KernelStep& step);
    void FlushAll(KernelStep& step);
    void End(KernelStep& step, KernelStatus status, Tick at);

    // Attributes.
    uint32_t m_valuesPerCycle{0};
    uint32_t m_bufferValues{0};
    uint32_t m_chunkBytes{0};
    uint32_t m_maxChunks{0};
    uint32_t m_latency{0};

    SendShuffleParameters m_call;
    std::vector<Partition> m_partitions;
    bool m_hasFault{false};
    uint64_t m_asked{0};   ///< Bytes of values for which reads were issued.
    uint64_t m_passed{0};  ///< Bytes of values that were read.
    uint32_t m_reads{0};   ///< Outstanding.
    uint64_t m_sent{0};    ///< Values.
    uint64_t m_leftOut{0}; ///< Values.
    Cycle m_free{0};       ///< When the next value can pass.
};

} // namespace ns3::rdma

#endif // FPGA_SEND_SHUFFLE_KERNEL_H
