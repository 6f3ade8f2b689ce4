// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/entropy-selector.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(EntropySelector);

TypeId
EntropySelector::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::EntropySelector").SetParent<Object>().SetGroupName("RdmaNic");
    return tid;
}

void
EntropySelector::OnPorts(uint64_t)
{
}

void
EntropySelector::OnFeedback(uint32_t, RouteSignal, Time)
{
}

Time
EntropySelector::GetProbeTime() const
{
    return Time::Max();
}

std::optional<uint32_t>
EntropySelector::TakeProbe(Time)
{
    return std::nullopt;
}

void
EntropySelector::OnProbeReply(uint32_t entropy, bool isMarked, Time now)
{
    OnFeedback(entropy, isMarked ? RouteSignal::MARKED : RouteSignal::GOOD, now);
}

} // namespace ns3::rdma
