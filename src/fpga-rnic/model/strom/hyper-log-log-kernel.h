// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_HYPER_LOG_LOG_KERNEL_H
#define FPGA_HYPER_LOG_LOG_KERNEL_H

#include "ns3/hyper-log-log.h"
#include "ns3/kernel-reply.h"
#include "ns3/stream-service.h"

#include <memory>
#include <unordered_map>
#include <vector>

namespace ns3::rdma
{

/// Parameters of a call of a HyperLogLog kernel, 12 bytes: target at the caller, action.
struct HyperLogLogParameters
{
    static constexpr uint32_t BYTES{12};

    enum class Action : uint32_t
    {
        READ,  ///< Returns the estimate.
        CLEAR, ///< Returns the estimate and clears the sketch.
        COUNT
    };

    uint64_t target{0};
    Action action{Action::READ};

    std::vector<uint8_t> Encode() const;
};

/**
 * @ingroup fpga-strom
 * @brief Estimates the number of distinct items in the data that pass it (StRoM section 7.2).
 *
 * A service on a copy of the stream, which does not affect WRITEs to memory.  It also accepts RPC
 * WRITEs, whose data are not stored.  Items are aligned to the start of each message; an incomplete
 * item at the end is ignored.  The answer to its parameters is OK with two words: the rounded
 * estimate, and the number of items added, duplicates included.
 */
class HyperLogLogKernel : public StreamService
{
  public:
    static constexpr uint64_t RPC_CODE{17}; ///< Ours: no public source names one.

    static TypeId GetTypeId();

    uint64_t GetRpcCode() const override;
    Placement GetPlacement() const override;
    KernelStep OnPacket(const KernelInput& input) override;
    StreamStep OnStream(const StreamInput& input) override;

  private:
    uint32_t GetItemBytes() const;
    void Take(uint32_t queuePair, bool isFirst, ByteView bytes);
    KernelStep OnParameters(const KernelInput& input);

    // Attributes.
    uint32_t m_precision{0};
    bool m_hasWideItems{false};
    uint32_t m_latency{0};

    std::unique_ptr<HyperLogLog> m_sketch;
    uint64_t m_items{0};
    /// By queue pair: the incomplete item at the end of the last packet. Never iterated.
    std::unordered_map<uint32_t, std::vector<uint8_t>> m_parts;
};

} // namespace ns3::rdma

#endif // FPGA_HYPER_LOG_LOG_KERNEL_H
