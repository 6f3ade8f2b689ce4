// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/host-cpu.h"

#include "ns3/assert.h"
#include "ns3/type-attributes.h"

#include <algorithm>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(HostCpu);

const char*
GetCpuTaskName(CpuTask task)
{
    static constexpr std::array<const char*, CPU_TASKS> NAMES{
        "post",
        "doorbell",
        "poll",
        "notify",
        "retransmission",
    };
    NS_ASSERT_MSG(task < CpuTask::COUNT, "Unknown task of a host CPU");
    return NAMES[static_cast<std::size_t>(task)];
}

TypeId
HostCpu::GetTypeId()
{
    static TypeId tid =
        TypeAttributes::Of<HostCpu, Object>("ns3::rdma::HostCpu", "RdmaNic")
            .Add("Cores",
                 Member(&HostCpu::m_coreCount, 16, 1, 65536),
                 "Cores that RDMA's consumers run on (16: the threads of SRNIC section 6.1)")
            .Add("PostCost",
                 Member(&HostCpu::m_postCost, NanoSeconds(40), Time(0), MilliSeconds(1)),
                 "Core time to write one work request to a queue (our estimate: with DoorbellCost "
                 "for three and PollCost it makes 100 ns, as eRPC's 10 million RPCs per second and "
                 "core, NSDI 2019, abstract)")
            .Add("DoorbellCost",
                 Member(&HostCpu::m_doorbellCost, NanoSeconds(60), Time(0), MilliSeconds(1)),
                 "Core time to ring once, for all that was posted together: a store to the NIC and "
                 "its barrier (our estimate, see PostCost)")
            .Add("PollCost",
                 Member(&HostCpu::m_pollCost, NanoSeconds(40), Time(0), MilliSeconds(1)),
                 "Core time to take one completion (our estimate, see PostCost)")
            .Add("NotifyCost",
                 Member(&HostCpu::m_notifyCost, MicroSeconds(2), Time(0), MilliSeconds(1)),
                 "Core time of a completion event: interrupt, wake-up of the consumer's thread, "
                 "its two system calls (our estimate)")
            .Add("RetransmissionCost",
                 Member(&HostCpu::m_retransmissionCost, NanoSeconds(128), Time(0), MilliSeconds(1)),
                 "Core time of one packet's metadata in SRNIC's software, which has a core of its "
                 "own (128 ns: fitted to the 75 Gb/s at 1 % loss of SRNIC Figure 11; the rest of "
                 "that curve and the CPU time follow from it)");
    return tid;
}

void
HostCpu::NotifyConstructionCompleted()
{
    m_costs = {ToTick(m_postCost),
               ToTick(m_doorbellCost),
               ToTick(m_pollCost),
               ToTick(m_notifyCost),
               ToTick(m_retransmissionCost)};
    m_freeAt.assign(m_coreCount + 1, 0); // The last core runs the slow path.
    Object::NotifyConstructionCompleted();
}

Tick
HostCpu::Run(Tick now, Tick earliest, uint32_t core, CpuTask task, uint32_t times)
{
    const auto index = static_cast<std::size_t>(task);
    NS_ASSERT_MSG(index < CPU_TASKS, "Unknown task of a host CPU");
    NS_ASSERT_MSG(earliest >= now, "A host CPU's task may start before it is given");
    const Tick cost = m_costs[index] * times;
    m_stats.busy[index] += cost;
    m_stats.count[index] += times;
    const uint32_t cores = GetCores();
    Tick& freeAt = m_freeAt[task == CpuTask::RETRANSMISSION ? cores : core % cores];
    freeAt = std::max(freeAt, now) + cost;
    return std::max(freeAt, earliest + cost);
}

uint32_t
HostCpu::GetCores() const
{
    return static_cast<uint32_t>(m_freeAt.size() - 1);
}

double
HostCpu::GetUtilisation(Tick now) const
{
    Tick busy = 0;
    for (const Tick task : m_stats.busy)
    {
        busy += task;
    }
    return now > 0 ? static_cast<double>(busy) / static_cast<double>(now) : 0;
}

} // namespace ns3::rdma
