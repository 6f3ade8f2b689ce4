// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/adaptive-balancer.h"

#include "ns3/fabric-port.h"
#include "ns3/type-attributes.h"

#include <limits>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(AdaptiveBalancer);

TypeId
AdaptiveBalancer::GetTypeId()
{
    static TypeId tid =
        TypeAttributes::Of<AdaptiveBalancer, LoadBalancer>("ns3::rdma::AdaptiveBalancer",
                                                           "RdmaFabric")
            .Add("Grade",
                 Member(&AdaptiveBalancer::m_gradeBytes, 1, 1, 1U << 30),
                 "Bytes of a grade: queues of the same grade count as equal (1: the least queue; "
                 "ours, since vendors print no steps)")
            .Add("Timeout",
                 Member(&AdaptiveBalancer::m_timeout, Time(0), 0),
                 "Pause of a flow after which it may take another port (0: each frame may, ours)")
            .Add("Entries",
                 Member(&AdaptiveBalancer::m_entries, 4096, 1, 1U << 20),
                 "Flowlets that a switch distinguishes (4096: ours)");
    return tid;
}

void
AdaptiveBalancer::Start(const SwitchView& view)
{
    m_random = RandomStream(view.seed, 0);
    if (!m_timeout.IsZero())
    {
        m_flowlets.Start(m_entries, ToTick(m_timeout));
    }
}

uint32_t
AdaptiveBalancer::Choose(Frame& frame, const PortChoice& choice, Tick now)
{
    if (m_timeout.IsZero())
    {
        return FindBest(choice);
    }
    return m_flowlets.Choose(frame, choice.count, now, [&](uint32_t) { return FindBest(choice); });
}

uint32_t
AdaptiveBalancer::FindBest(const PortChoice& choice)
{
    uint32_t best = std::numeric_limits<uint32_t>::max();
    uint32_t equal = 0;
    for (uint32_t candidate = 0; candidate < choice.count; ++candidate)
    {
        const uint32_t grade = choice.Get(candidate).GetTotalQueueBytes() / m_gradeBytes;
        equal = grade < best ? 1 : equal + (grade == best);
        best = std::min(best, grade);
    }
    uint32_t drawn = m_random.NextBelow(equal);
    for (uint32_t candidate = 0;; ++candidate)
    {
        if (choice.Get(candidate).GetTotalQueueBytes() / m_gradeBytes == best && drawn-- == 0)
        {
            return candidate;
        }
    }
}

} // namespace ns3::rdma
