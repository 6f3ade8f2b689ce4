// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flowlet-balancer.h"

#include "ns3/bounded-checker.h"
#include "ns3/nstime.h"
#include "ns3/uinteger.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(FlowletBalancer);

TypeId
FlowletBalancer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::FlowletBalancer")
            .SetParent<LoadBalancer>()
            .SetGroupName("RdmaFabric")
            .AddConstructor<FlowletBalancer>()
            .AddAttribute(
                "Timeout",
                "Pause of a flow after which it may take another port (100 us: LetFlow in "
                "ConWeave's simulator)",
                TimeValue(MicroSeconds(100)),
                MakeTimeAccessor(&FlowletBalancer::m_timeout),
                MakeTickChecker(1))
            .AddAttribute("Entries",
                          "Flowlets that a switch distinguishes (4096: ours)",
                          UintegerValue(4096),
                          MakeUintegerAccessor(&FlowletBalancer::m_entries),
                          MakeUintegerChecker<uint32_t>(1, 1U << 20));
    return tid;
}

void
FlowletBalancer::Start(const SwitchView& view)
{
    m_random = RandomStream(view.seed, 0);
    m_flowlets.Start(m_entries, ToTick(m_timeout));
}

uint32_t
FlowletBalancer::Choose(Frame& frame, const PortChoice& choice, Tick now)
{
    return m_flowlets.Choose(frame, choice.count, now, [&](uint32_t) {
        return m_random.NextBelow(choice.count);
    });
}

} // namespace ns3::rdma
