// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flowlet-balancer.h"

#include "ns3/type-attributes.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(FlowletBalancer);

TypeId
FlowletBalancer::GetTypeId()
{
    static TypeId tid =
        TypeAttributes::Of<FlowletBalancer, LoadBalancer>("ns3::rdma::FlowletBalancer",
                                                          "RdmaFabric")
            .Add("Timeout",
                 Member(&FlowletBalancer::m_timeout, MicroSeconds(100), 1),
                 "Pause of a flow after which it may take another port (100 us: LetFlow in "
                 "ConWeave's simulator)")
            .Add("Entries",
                 Member(&FlowletBalancer::m_entries, 4096, 1, 1U << 20),
                 "Flowlets that a switch distinguishes (4096: ours)");
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
