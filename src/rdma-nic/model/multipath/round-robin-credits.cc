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
                 "Granted rate by that of the NIC (0.99: uet-htsim)");
    return tid;
}

void
RoundRobinCredits::Start(DataRate rate, uint32_t packetBytes, uint64_t windowBytes)
{
    m_rate = rate;
    m_unitsPerGrant = std::max<uint32_t>(m_packets * packetBytes / CREDIT_UNIT, 1);
    m_slowUnits = static_cast<uint32_t>(windowBytes / CREDIT_UNIT);
}

void
RoundRobinCredits::OnDemand(uint32_t queuePair, uint32_t target, bool isTrimmed)
{
    Sender& sender = m_senders[queuePair];
    const bool isNew = static_cast<int32_t>(target - sender.target) > 0;
    if (isNew)
    {
        sender.target = target;
    }
    if ((isNew || isTrimmed) && !sender.isActive)
    {
        sender.isActive = true;
        m_active.push_back(queuePair);
    }
}

CreditGrant
RoundRobinCredits::Grant(uint32_t queuePair, const Sender& sender, uint32_t units) const
{
    // A grant of nothing takes time, too: that of 1 KiB.
    constexpr uint32_t LEAST_UNITS{4};
    const double bits = 8.0 * CREDIT_UNIT * std::max(units, units == 0 ? LEAST_UNITS : 1);
    const double seconds = bits / (m_share * static_cast<double>(m_rate.GetBitRate()));
    const auto pause = static_cast<int64_t>(seconds * 1e12);
    return {queuePair, sender.granted, PicoSeconds(std::max<int64_t>(pause, 1))};
}

std::optional<CreditGrant>
RoundRobinCredits::GetNext()
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
        return Grant(number, sender, units);
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
        return Grant(number, sender, m_unitsPerGrant);
    }
    return std::nullopt;
}

void
RoundRobinCredits::Forget(uint32_t queuePair)
{
    m_senders.erase(queuePair);
}

} // namespace ns3::rdma
