// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/plb-entropy.h"

#include "ns3/entropy-paths.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(PlbEntropy);

TypeId
PlbEntropy::GetTypeId()
{
    static TypeId tid =
        TypeAttributes::Of<PlbEntropy, EntropySelector>("ns3::rdma::PlbEntropy", "RdmaNic")
            .Add("MarkedShare",
                 Member(&PlbEntropy::m_markedShare, 0.5, 0, 1),
                 "Share of congested feedback that makes a round congested (0.5: "
                 "tcp_plb_cong_thresh "
                 "128 of 256)")
            .Add("IdleRounds",
                 Member(&PlbEntropy::m_idleRounds, 3, 1),
                 "Congested rounds after which an idle queue pair changes its value (3: "
                 "tcp_plb_idle_rehash_rounds)")
            .Add("ForcedRounds",
                 Member(&PlbEntropy::m_forcedRounds, 12, 1),
                 "Congested rounds after which each queue pair does (12: tcp_plb_rehash_rounds)")
            .Add("SuspendTime",
                 Member(&PlbEntropy::m_suspendTime, Seconds(60), Time(0), Seconds(1000)),
                 "Shortest pause of PLB after a timeout; the longest is twice as long (60 s: "
                 "tcp_plb_suspend_rto_sec)");
    return tid;
}

void
PlbEntropy::Start(const EntropyFacts& facts)
{
    m_random = facts.random;
    m_baseRtt = facts.baseRtt;
    m_roundEnd = Time(0);
    m_suspendedUntil = Time(0);
    Replace();
}

uint32_t
PlbEntropy::GetNext(uint64_t inFlightBytes, Time)
{
    const bool isDue = m_congestedRounds >= m_forcedRounds ||
                       (m_congestedRounds >= m_idleRounds && inFlightBytes == 0);
    if (isDue)
    {
        Replace();
    }
    return m_value;
}

void
PlbEntropy::OnFeedback(uint32_t, RouteSignal signal, Time now)
{
    if (signal == RouteSignal::TIMEOUT)
    {
        const double factor = 1 + m_random.NextDouble();
        m_suspendedUntil =
            now + Time::FromDouble(m_suspendTime.GetPicoSeconds() * factor, Time::PS);
        Replace();
        return;
    }
    if (now < m_suspendedUntil)
    {
        return;
    }
    ++m_reports;
    m_congested += signal != RouteSignal::GOOD;
    if (now >= m_roundEnd)
    {
        EndRound(now);
    }
}

void
PlbEntropy::EndRound(Time now)
{
    const bool isCongested = m_congested > 0 && m_congested >= m_markedShare * m_reports;
    m_congestedRounds = isCongested ? m_congestedRounds + 1 : 0;
    m_reports = 0;
    m_congested = 0;
    m_roundEnd = now + m_baseRtt;
}

void
PlbEntropy::Replace()
{
    m_value = m_random.NextBelow(ENTROPY_VALUES);
    m_congestedRounds = 0;
    m_reports = 0;
    m_congested = 0;
}

} // namespace ns3::rdma
