// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_HOST_FALLBACK_H
#define FPGA_HOST_FALLBACK_H

#include "ns3/host-memory.h"
#include "ns3/nstime.h"
#include "ns3/offload-kernel.h"
#include "ns3/pending-events.h"
#include "ns3/rdma-nic.h"
#include "ns3/tlb.h"

#include <memory>
#include <unordered_map>
#include <vector>

namespace ns3::rdma
{

/// The parts of a host that a fallback uses; all outlive it.
struct HostFallbackParts
{
    FabricEngine& engine;
    RdmaNic& nic;
    PcieLink& pcie;
    HostMemory& memory;
    const Tlb& tlb;
};

/**
 * @ingroup fpga-kernel
 * @brief Executes kernels on a core of the host instead of the NIC (StRoM section 5.1: the fallback
 * on the remote CPU).
 *
 * The NIC writes a request to the host's memory, and a polling core finds it.  Each read of the
 * kernel is a load that misses the caches.  Each of its WRITEs is posted with a doorbell.  The core
 * executes one step at a time; the number of pending calls is not limited.
 *
 * Not modelled: the loads' dependence on their length; the time to fetch the data of a WRITE, which
 * are part of its command.
 */
class HostFallback : public Object, private EventTarget
{
  public:
    static TypeId GetTypeId();
    ~HostFallback() override;

    /// Adds a kernel.
    /// @return false if another kernel has its code.
    bool Deploy(Ptr<OffloadKernel> kernel);

    /// Called once, before any packet.
    void Start(const HostFallbackParts& parts);

    /// Accepts a packet.
    /// @return false if no kernel has its code.
    bool Accept(uint64_t code, const KernelInput& input);

    /// As KernelHost::EndQueuePair().
    void EndQueuePair(uint32_t queuePair);

    /// @return packets that kernels have accepted.
    uint64_t GetCalls() const
    {
        return m_calls;
    }

  private:
    enum Event : uint32_t
    {
        CALL, ///< The core has a packet. Argument: place in m_packets.
        DATA, ///< A load has completed. Argument: place in m_loads.
    };

    struct Packet
    {
        uint32_t slot{0};
        KernelInput input;
        std::vector<uint8_t> bytes;
    };

    struct Load
    {
        uint32_t slot{0};
        KernelCommand command;
        bool isFault{false};
    };

    void DoDispose() override;
    void HandleEvent(uint32_t kind, uint32_t argument) override;
    void Apply(uint32_t slot, KernelStep step);
    void Execute(uint32_t slot, KernelCommand& command);
    void Send(KernelCommand& command);
    /// Occupies the core for a duration, from now or from the end of its current work.
    /// @return the end of the duration
    Tick Work(Tick duration);
    void Schedule(Tick at, Event kind, uint32_t argument);

    // Attributes.
    Time m_pollTime;
    Time m_memoryLatency;
    uint64_t m_frequency{0};

    std::unique_ptr<HostFallbackParts> m_parts; ///< Null before Start().
    uint32_t m_target{0};
    std::vector<Ptr<OffloadKernel>> m_kernels;
    std::unordered_map<uint64_t, uint32_t> m_codes; ///< Slots by code. Never iterated.
    PendingEvents<Packet> m_packets;
    PendingEvents<Load> m_loads;
    Tick m_freeAt{0}; ///< The core is idle from this time on.
    uint64_t m_calls{0};
};

} // namespace ns3::rdma

#endif // FPGA_HOST_FALLBACK_H
