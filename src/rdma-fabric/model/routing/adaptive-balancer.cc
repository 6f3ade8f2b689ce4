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
    constexpr uint32_t MOST_BYTES{1U << 30};
    static TypeId tid =
        TypeAttributes::Of<AdaptiveBalancer, LoadBalancer>("ns3::rdma::AdaptiveBalancer",
                                                           "RdmaFabric")
            .Add("LowLimit",
                 Member(&AdaptiveBalancer::m_lowBytes, 14'400, 0, MOST_BYTES),
                 "Shortest queue of the second grade, bytes (14,400: 100 cells, Cumulus "
                 "Linux, adaptive_routing.congestion_threshold.low, of 144 B, which were not "
                 "checked against a source)")
            .Add("MediumLimit",
                 Member(&AdaptiveBalancer::m_mediumBytes, 144'000, 0, MOST_BYTES),
                 "The same of the third grade (144,000: 1,000 cells, as LowLimit)")
            .Add("HighLimit",
                 Member(&AdaptiveBalancer::m_highBytes, 1'440'000, 0, MOST_BYTES),
                 "The same of the fourth grade (1,440,000: 10,000 cells, as LowLimit)")
            .Add(
                "Grade",
                Member(&AdaptiveBalancer::m_gradeBytes, 0, 0, MOST_BYTES),
                "Bytes of a grade, instead of the limits (0: the limits hold; 1: the port with the "
                "shortest queue)")
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

inline uint32_t
AdaptiveBalancer::GetGrade(uint32_t queueBytes) const
{
    return m_gradeBytes > 0
               ? queueBytes / m_gradeBytes
               : uint32_t{queueBytes >= m_lowBytes} + uint32_t{queueBytes >= m_mediumBytes} +
                     uint32_t{queueBytes >= m_highBytes};
}

uint32_t
AdaptiveBalancer::FindBest(const PortChoice& choice)
{
    uint32_t best = std::numeric_limits<uint32_t>::max();
    uint32_t equal = 0;
    for (uint32_t candidate = 0; candidate < choice.count; ++candidate)
    {
        const uint32_t grade = GetGrade(choice.Get(candidate).GetTotalQueueBytes());
        equal = grade < best ? 1 : equal + (grade == best);
        best = std::min(best, grade);
    }
    uint32_t drawn = m_random.NextBelow(equal);
    for (uint32_t candidate = 0;; ++candidate)
    {
        if (GetGrade(choice.Get(candidate).GetTotalQueueBytes()) == best && drawn-- == 0)
        {
            return candidate;
        }
    }
}

} // namespace ns3::rdma
