// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/bitmap-entropy.h"

#include <algorithm>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(BitmapEntropy);

namespace
{
/// Largest penalty of a value (uet-htsim).
constexpr uint32_t MOST_PENALTY{15};

/// @return the points that a signal adds (uet-htsim).
uint32_t
GetPoints(RouteSignal signal)
{
    switch (signal)
    {
    case RouteSignal::GOOD:
        return 0;
    case RouteSignal::MARKED:
        return 1;
    case RouteSignal::TRIMMED:
        return 4;
    default: // LOST, TIMEOUT
        return 15;
    }
}
} // namespace

TypeId
BitmapEntropy::GetTypeId()
{
    static TypeId tid = TypeId("ns3::rdma::BitmapEntropy")
                            .SetParent<WalkingEntropy>()
                            .SetGroupName("RdmaNic")
                            .AddConstructor<BitmapEntropy>();
    return tid;
}

void
BitmapEntropy::Start(const EntropyFacts& facts)
{
    WalkingEntropy::Start(facts);
    m_penalties.assign(CountPaths(), 0);
}

uint32_t
BitmapEntropy::GetNext(uint64_t, Time)
{
    uint32_t entropy = Step();
    for (uint32_t skipped = 0; skipped < CountPaths(); ++skipped)
    {
        uint8_t& penalty = m_penalties[GetNumber(entropy)];
        if (penalty == 0)
        {
            break;
        }
        penalty -= skipped == 0;
        entropy = Step();
    }
    return entropy;
}

void
BitmapEntropy::OnFeedback(uint32_t entropy, RouteSignal signal, Time)
{
    uint8_t& penalty = m_penalties[GetNumber(entropy)];
    penalty = static_cast<uint8_t>(std::min(penalty + GetPoints(signal), MOST_PENALTY));
}

} // namespace ns3::rdma
