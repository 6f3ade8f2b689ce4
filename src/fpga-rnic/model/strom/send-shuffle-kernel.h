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

/// Where the values of a partition go: an entry of 24 bytes in the memory of the kernel's host.
struct RemotePartition
{
    static constexpr uint32_t BYTES{24};

    uint32_t queuePair{0}; ///< Of the kernel's NIC; names the machine.
    uint32_t remoteKey{0}; ///< Of the memory at its peer.
    uint64_t address{0};   ///< Likewise.
    uint64_t values{0};    ///< Room there, in values of 8 bytes.

    /// @return the table of some partitions.
    static std::vector<uint8_t> Encode(const std::vector<RemotePartition>& partitions);
    static std::vector<RemotePartition> Decode(ByteView bytes);
};

/// Parameters of a SendShuffleKernel, 48 bytes: where the answer goes, address of the values, their
/// bytes, address of the table, bits of the hash, name of the completions.
struct SendShuffleParameters
{
    static constexpr uint32_t BYTES{48};
    static constexpr uint32_t MAX_BITS{10}; ///< 1024 partitions, as ShuffleParameters have them.

    uint64_t target{0};  ///< In the memory of the kernel's host, as are all addresses here.
    uint64_t address{0}; ///< Of the values.
    uint64_t bytes{0};   ///< A multiple of 8; at least 8.
    uint64_t table{0};   ///< Of 2^bits entries.
    uint32_t bits{0};
    uint64_t wrId{0};

    std::vector<uint8_t> Encode() const;

    /// @return unset if the bytes are no such parameters.
    static std::optional<SendShuffleParameters> Decode(ByteView bytes);
};

/**
 * @ingroup fpga-strom
 * @brief Partitions values of its host's memory by their least significant bits, and WRITEs each
 * partition on the queue pair and to the address that its entry of a table names (StRoM section
 * 6.4, footnote 9).
 *
 * Called by its own host (KernelHost::Invoke()).  It reads the table, then the values in chunks.
 * Each partition has a buffer of one packet on the chip, which becomes a WRITE when a further value
 * finds it full, and at the end.  The last WRITE of each queue pair makes a completion with the
 * caller's wrId: its data and all before it have arrived.  The answer goes to the host's memory
 * when all WRITEs are posted: OK; NO_ROOM if values did not fit and were left out; FAULT if memory
 * is not pinned; BAD_PARAMETERS.  Its value is two words: values sent, values left out.
 *
 * One call after the other.  Not modelled: a limit of the WRITEs that wait for the network; values
 * pass at ValuesPerCycle, which should not exceed the rate of the ports.
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
        RemotePartition to; ///< What is left of it.
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
    uint64_t m_asked{0};   ///< Bytes of values that reads were given for.
    uint64_t m_passed{0};  ///< Bytes of values that came.
    uint32_t m_reads{0};   ///< Outstanding.
    uint64_t m_sent{0};    ///< Values.
    uint64_t m_leftOut{0}; ///< Likewise.
    Cycle m_free{0};       ///< The next value can pass.
};

} // namespace ns3::rdma

#endif // FPGA_SEND_SHUFFLE_KERNEL_H
