// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/adaptive-balancer.h"

#include "ns3/bounded-checker.h"
#include "ns3/fabric-port.h"
#include "ns3/nstime.h"
#include "ns3/uinteger.h"

#include <limits>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(AdaptiveBalancer);

TypeId
AdaptiveBalancer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::AdaptiveBalancer")
            .SetParent<LoadBalancer>()
            .SetGroupName("RdmaFabric")
            .AddConstructor<AdaptiveBalancer>()
            .AddAttribute("Grade",
                          "Bytes of a grade: queues of the same grade count as equal (1: the least "
                          "queue; ours, since vendors print no steps)",
                          UintegerValue(1),
                          MakeUintegerAccessor(&AdaptiveBalancer::m_gradeBytes),
                          MakeUintegerChecker<uint32_t>(1, 1U << 30))
            .AddAttribute(
                "Timeout",
                "Pause of a flow after which it may take another port (0: each frame may, "
                "ours)",
                TimeValue(Time(0)),
                MakeTimeAccessor(&AdaptiveBalancer::m_timeout),
                MakeTickChecker(0))
            .AddAttribute("Entries",
                          "Flowlets that a switch distinguishes (4096: ours)",
                          UintegerValue(4096),
                          MakeUintegerAccessor(&AdaptiveBalancer::m_entries),
                          MakeUintegerChecker<uint32_t>(1, 1U << 20));
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
