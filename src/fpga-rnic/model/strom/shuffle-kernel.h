// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_SHUFFLE_KERNEL_H
#define FPGA_SHUFFLE_KERNEL_H

#include "ns3/kernel-parameters.h"
#include "ns3/kernel-reply.h"
#include "ns3/offload-kernel.h"

#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup fpga-strom
 * @brief Partitions a stream of 8-byte values by their least significant bits, while it arrives
 * (StRoM section 6.4).
 *
 * ShuffleParameters hold the addresses of the partitions; the stream follows as one or more RPC
 * WRITEs.  Each partition has a buffer of 16 values on the chip.  A buffer is written to the host's
 * memory when it is full and at the end of the stream.  The answer to the caller is sent after all
 * writes: OK; NO_ROOM if values did not fit into their partition and were omitted; FAULT if a
 * partition's memory is not pinned.  Its value is two words: values written, values omitted.  A
 * COMPLETE notifies the host; its tag is the number of values.
 *
 * One stream is processed at a time; parameters from another queue pair are then answered by
 * NO_ROOM.  If its queue pair stops or is destroyed, a stream is abandoned: values in the buffers
 * are discarded, and no answer is sent.  A packet without parameters is dropped and counted, since
 * there is no address for an answer.
 */
class ShuffleKernel : public OffloadKernel
{
  public:
    static constexpr uint64_t RPC_CODE{2}; ///< PART in fpgasystems/davos, FpgaController.h.
    static constexpr uint32_t VALUE_BYTES{8};
    static constexpr uint32_t BUFFER_VALUES{16}; ///< On the chip, per partition.

    static TypeId GetTypeId();

    uint64_t GetRpcCode() const override;
    KernelStep OnPacket(const KernelInput& input) override;
    KernelStep OnData(uint64_t tag, ByteView bytes, Tick now) override;
    KernelStep OnFault(uint64_t tag, Tick now) override;
    KernelStep OnWake(Tick now) override;
    KernelStep OnQueuePairEnd(uint32_t queuePair, Tick now) override;

    /// @return packets dropped because parameters or the address of the answer are missing.
    uint64_t GetDropped() const
    {
        return m_dropped;
    }

    /// @return streams whose queue pair ended before their last value.
    uint64_t GetAbandoned() const
    {
        return m_abandoned;
    }

  private:
    enum class State : uint8_t
    {
        IDLE,     ///< No stream is in progress.
        TABLE,    ///< Entries of the table are missing.
        STREAM,   ///< Values of the stream are missing.
        FLUSHING, ///< The last writes are in progress.
    };

    /// A partition, without its buffer.
    struct Partition
    {
        uint64_t address{0}; ///< Of the first value in the buffer.
        uint32_t room{0};    ///< Values that still fit.
        uint32_t filled{0};  ///< Values in the buffer.
    };

    KernelStep OnParameters(const KernelInput& input);
    KernelStep OnStream(const KernelInput& input);
    void Begin(const ShuffleParameters& parameters, const KernelInput& input);
    void AddValues(const KernelInput& input, Cycle first, KernelStep& step);
    /// @param value 8 bytes, little-endian
    void AddValue(const uint8_t* value, Cycle at, KernelStep& step);
    void Flush(uint32_t partition, Cycle at, KernelStep& step);
    /// @return the cycle after the last write.
    Cycle FlushAll(Cycle at, KernelStep& step);
    void Answer(KernelStep& step, KernelStatus status, Tick at) const;
    bool IsOwner(const KernelInput& input) const;

    // Attributes.
    uint32_t m_valuesPerCycle{0};
    uint32_t m_latency{0};

    State m_state{State::IDLE};
    ReplyAddress m_reply;
    uint32_t m_bits{0};
    uint64_t m_missingBytes{0}; ///< Of the stream, not yet received.
    uint64_t m_values{0};       ///< Written, or in buffers.
    uint64_t m_leftOut{0};
    uint64_t m_faults{0};
    std::vector<Partition> m_partitions;
    std::vector<uint8_t> m_buffers; ///< Of all partitions.
    uint8_t m_part[VALUE_BYTES]{};  ///< The incomplete value of the last packet.
    uint32_t m_partBytes{0};
    Tick m_answerAt{0};
    uint64_t m_dropped{0};
    uint64_t m_abandoned{0};
};

} // namespace ns3::rdma

#endif // FPGA_SHUFFLE_KERNEL_H
