// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/round-robin-credits.h"

#include "ns3/credit-account.h"
#include "ns3/tick.h"
#include "ns3/type-attributes.h"

#include <algorithm>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(RoundRobinCredits);

TypeId
RoundRobinCredits::GetTypeId()
{
    static TypeId tid =
        TypeAttributes::Of<RoundRobinCredits, CreditScheduler>("ns3::rdma::RoundRobinCredits",
                                                               "RdmaNic")
            .Add("PacketsPerGrant",
                 Member(&RoundRobinCredits::m_packets, 4, 1, 1024),
                 "Full packets per grant (4: Ultra Ethernet's default)")
            .Add("RateShare",
                 Member(&RoundRobinCredits::m_share, 0.99, 0.01, 1),
                 "Granted rate by that of the NIC (0.99: uet-htsim)")
            .Add(
                "Oversubscription",
                Member(&RoundRobinCredits::m_oversubscription, 0, 0, 1e6),
                "Of the fabric; above 1 marks and trims reduce the granted rate, to 0.9 by this at "
                "least (0: that of the topology, as in uet-htsim; 1: never)")
            .Add("MarkTarget",
                 Member(&RoundRobinCredits::m_markTarget, 0.3, 0, 1),
                 "Share of marked packets above which the rate falls (0.3: uet-htsim)")
            .Add(
                "RateIncrease",
                Member(&RoundRobinCredits::m_rateIncrease, 0.01, 1e-6, 1),
                "Increase of the share of the rate per interval of 1.5 base RTTs (0.01: uet-htsim)")
            .Add("RateDecrease",
                 Member(&RoundRobinCredits::m_rateDecrease, 0.5, 0, 1),
                 "Decrease by the share of marked packets above the target (0.5: uet-htsim)")
            .Add("MarkWeight",
                 Member(&RoundRobinCredits::m_markWeight, 0.5, 1e-6, 1),
                 "Weight of the latest interval in the average of marks (0.5: uet-htsim)");
    return tid;
}

void
RoundRobinCredits::Start(const CreditFacts& facts)
{
    m_rate = facts.rate;
    m_unitsPerGrant = std::max<uint32_t>(m_packets * facts.packetBytes / CREDIT_UNIT, 1);
    m_slowUnits = static_cast<uint32_t>(facts.windowBytes / CREDIT_UNIT);
    const double ratio = m_oversubscription > 0 ? m_oversubscription : facts.oversubscription;
    if (ratio > 1)
    {
        OversubscribedRate::Parameters parameters;
        parameters.target = m_markTarget;
        parameters.increase = m_rateIncrease;
        parameters.decrease = m_rateDecrease;
        parameters.weight = m_markWeight;
        parameters.least = std::max(0.9 / ratio, 0.01); // uet-htsim
        m_control.emplace(parameters, std::max<Tick>(ToTick(facts.baseRtt), 1), facts.random);
    }
}

void
RoundRobinCredits::OnDemand(const CreditDemand& demand)
{
    Sender& sender = m_senders[demand.queuePair];
    const bool isNew = static_cast<int32_t>(demand.target - sender.target) > 0;
    if (isNew)
    {
        sender.target = demand.target;
    }
    if ((isNew || demand.isTrimmed) && !sender.isActive)
    {
        sender.isActive = true;
        m_active.push_back(demand.queuePair);
    }
    if (m_control)
    {
        m_control->OnPacket(demand);
    }
}

CreditGrant
RoundRobinCredits::Grant(uint32_t queuePair, const Sender& sender, uint32_t units, Time now)
{
    // A grant of nothing takes time, too: that of 1 KiB.
    constexpr uint32_t LEAST_UNITS{4};
    const double bits = 8.0 * CREDIT_UNIT * std::max(units, units == 0 ? LEAST_UNITS : 1);
    const double share = m_share * (m_control ? m_control->Get(ToTick(now)) : 1);
    const double seconds = bits / (share * static_cast<double>(m_rate.GetBitRate()));
    const auto pause = static_cast<int64_t>(seconds * 1e12);
    return {queuePair, sender.granted, PicoSeconds(std::max<int64_t>(pause, 1))};
}

std::optional<CreditGrant>
RoundRobinCredits::GetNext(Time now)
{
    while (!m_active.empty())
    {
        const uint32_t number = m_active.front();
        m_active.pop_front();
        const auto found = m_senders.find(number);
        if (found == m_senders.end() || !found->second.isActive)
        {
            continue; // It has ended.
        }
        Sender& sender = found->second;
        const auto missing = static_cast<int32_t>(sender.target - sender.granted);
        const uint32_t units =
            missing <= 0 ? 0 : std::min(static_cast<uint32_t>(missing), m_unitsPerGrant);
        sender.granted += units;
        sender.isActive = static_cast<int32_t>(sender.target - sender.granted) > 0;
        if (sender.isActive)
        {
            m_active.push_back(number);
        }
        else if (!sender.isIdle)
        {
            sender.isIdle = true;
            m_idle.push_back(number);
        }
        return Grant(number, sender, units, now);
    }
    while (!m_idle.empty())
    {
        const uint32_t number = m_idle.front();
        m_idle.pop_front();
        const auto found = m_senders.find(number);
        if (found == m_senders.end() || !found->second.isIdle)
        {
            continue;
        }
        Sender& sender = found->second;
        sender.granted += m_unitsPerGrant;
        sender.isIdle = sender.granted - sender.target < m_slowUnits;
        if (sender.isIdle)
        {
            m_idle.push_back(number);
        }
        return Grant(number, sender, m_unitsPerGrant, now);
    }
    return std::nullopt;
}

void
RoundRobinCredits::Forget(uint32_t queuePair)
{
    m_senders.erase(queuePair);
}

} // namespace ns3::rdma
