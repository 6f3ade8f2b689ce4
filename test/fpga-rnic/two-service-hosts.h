// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_TWO_SERVICE_HOSTS_H
#define FPGA_TWO_SERVICE_HOSTS_H

#include "two-kernel-hosts.h"

#include "ns3/service-slots.h"
#include "ns3/uinteger.h"

#include <string>
#include <vector>

namespace ns3::rdma
{

/**
 * Two BALBOA NICs with slots at both ends.  Install at slots[0], slots[1], Start(), Attach(), post,
 * Run().
 */
class TwoServiceHosts
{
  public:
    static constexpr uint64_t TO{64 << 20}; ///< Offset at the target of WRITEs.

    explicit TwoServiceHosts(bool hasHardware)
        : hosts(hasHardware, "balboa")
    {
        for (uint32_t end = 0; end < 2; ++end)
        {
            hosts.hosts[end]->SetAttribute("Frequency", UintegerValue(250'000'000));
            slots[end]->Start(hosts.hosts[end]);
        }
    }

    ~TwoServiceHosts()
    {
        slots[0]->Dispose();
        slots[1]->Dispose();
    }

    TwoServiceHosts(const TwoServiceHosts&) = delete;
    TwoServiceHosts& operator=(const TwoServiceHosts&) = delete;

    void Start()
    {
        hosts.Start();
    }

    void Attach(uint32_t end, uint64_t code, bool isSent, bool isParallel = false)
    {
        using Placement = ServiceSlot::Placement;
        slots[end]->Attach(GetEnd(end).qp,
                           code,
                           {isSent, isParallel ? Placement::PARALLEL : Placement::ON_PATH});
    }

    /// End 0 writes from an offset to TO plus that.
    void Write(uint64_t offset, uint32_t bytes, uint64_t wrId = 1)
    {
        hosts.bench.Post(
            hosts.bench.MakeRequest(WrOpcode::RDMA_WRITE, wrId, offset, bytes, TO + offset));
    }

    /// End 0 reads from an offset of end 1 to TO plus that.
    void Read(uint64_t offset, uint32_t bytes, uint64_t wrId = 1)
    {
        hosts.bench.Post(
            hosts.bench.MakeRequest(WrOpcode::RDMA_READ, wrId, TO + offset, bytes, offset));
    }

    VerbsEnd& GetEnd(uint32_t end)
    {
        return hosts.bench.ends[end];
    }

    const ServiceStats& GetStats(uint32_t end)
    {
        return hosts.hosts[end]->GetServices().GetStats();
    }

    uint64_t CountFaults(uint32_t end, StreamFault fault)
    {
        return GetStats(end).faults.at(static_cast<std::size_t>(fault));
    }

    Tick Now()
    {
        return hosts.bench.GetBench().Now();
    }

    TwoKernelHosts hosts;
    Ptr<ServiceSlots> slots[2]{CreateObject<ServiceSlots>(), CreateObject<ServiceSlots>()};
};

} // namespace ns3::rdma

#endif // FPGA_TWO_SERVICE_HOSTS_H
