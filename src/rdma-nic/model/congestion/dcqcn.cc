// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/dcqcn.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(Dcqcn);

TypeId
Dcqcn::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::Dcqcn")
            .SetParent<CongestionControl>()
            .SetGroupName("RdmaNic")
            .AddConstructor<Dcqcn>()
            .AddAttribute("Gain",
                          "Weight g of a CNP in alpha (1/256: Zhu et al. 2015, Table 14)",
                          DoubleValue(1.0 / 256),
                          MakeSharedAccessor<DoubleValue>(&Dcqcn::m_parameters, &Parameters::gain),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute(
                "InitialAlpha",
                "Alpha before any feedback (1: Zhu et al. 2015, section 3.1)",
                DoubleValue(1),
                MakeSharedAccessor<DoubleValue>(&Dcqcn::m_parameters, &Parameters::initialAlpha),
                MakeDoubleChecker<double>(0, 1))
            .AddAttribute(
                "AlphaPeriod",
                "Alpha decays once per this time without a CNP (1 us: NVIDIA "
                "dce_tcp_rtt; 55 us in the paper)",
                TimeValue(MicroSeconds(1)),
                MakeSharedAccessor<TimeValue>(&Dcqcn::m_parameters, &Parameters::alphaPeriod),
                MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute(
                "DecreasePeriod",
                "Shortest time between two cuts (4 us: NVIDIA "
                "rate_reduce_monitor_period; 50 us in the paper)",
                TimeValue(MicroSeconds(4)),
                MakeSharedAccessor<TimeValue>(&Dcqcn::m_parameters, &Parameters::decreasePeriod),
                MakeTimeChecker(Time(0)))
            .AddAttribute(
                "IncreasePeriod",
                "Timer of increase events (300 us: NVIDIA rpg_time_reset; 55 us in the "
                "paper)",
                TimeValue(MicroSeconds(300)),
                MakeSharedAccessor<TimeValue>(&Dcqcn::m_parameters, &Parameters::increasePeriod),
                MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute(
                "ByteCounter",
                "Bytes sent between two increase events (10 MB: Zhu et al. 2015, Table 14)",
                UintegerValue(10'000'000),
                MakeSharedAccessor<UintegerValue>(&Dcqcn::m_parameters, &Parameters::byteCounter),
                MakeUintegerChecker<uint64_t>(1))
            .AddAttribute("FastRecoverySteps",
                          "Increase events without raising the target, F (1: HPCC's simulator and "
                          "NVIDIA rpg_threshold; 5 in the paper)",
                          UintegerValue(1),
                          MakeSharedAccessor<UintegerValue>(&Dcqcn::m_parameters,
                                                            &Parameters::fastRecoverySteps),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("AdditiveIncrease",
                          "R_AI (20 Mb/s: HPCC's simulator at 100 Gb/s)",
                          DataRateValue(DataRate("20Mbps")),
                          MakeSharedAccessor<DataRateValue>(&Dcqcn::m_parameters,
                                                            &Parameters::additiveIncrease),
                          MakeDataRateChecker())
            .AddAttribute(
                "HyperIncrease",
                "R_HAI (200 Mb/s: HPCC's simulator at 100 Gb/s)",
                DataRateValue(DataRate("200Mbps")),
                MakeSharedAccessor<DataRateValue>(&Dcqcn::m_parameters, &Parameters::hyperIncrease),
                MakeDataRateChecker())
            .AddAttribute("ClampTargetRate",
                          "Whether each cut lowers the target to the rate before it, as in the "
                          "paper; else only a cut after an increase does (false: NVIDIA "
                          "rpg_clamp_tgt_rate, HPCC's simulator)",
                          BooleanValue(false),
                          MakeSharedAccessor<BooleanValue>(&Dcqcn::m_parameters,
                                                           &Parameters::clampsTargetRate),
                          MakeBooleanChecker())
            .AddAttribute(
                "MinimumRate",
                "Never slower than this (100 Mb/s: configuration of SRNIC's simulator; "
                "1 Mb/s: NVIDIA rpg_min_rate, and what a smaller value counts as)",
                DataRateValue(DataRate("100Mbps")),
                MakeSharedAccessor<DataRateValue>(&Dcqcn::m_parameters, &Parameters::minRate),
                MakeDataRateChecker());
    return tid;
}

Ptr<CongestionControl>
Dcqcn::Fork() const
{
    return CopyObject(Ptr<const Dcqcn>(this));
}

Feedback
Dcqcn::GetNeededFeedback() const
{
    return Feedback::CNP;
}

void
Dcqcn::Start(const PathInfo& path, Time)
{
    m_lineRate = static_cast<double>(path.lineRate.GetBitRate());
    m_rate = m_lineRate;
    m_targetRate = m_lineRate;
    m_alpha = m_parameters->initialAlpha;
    m_bytesLeft = m_parameters->byteCounter;
}

void
Dcqcn::OnCnp(Time now)
{
    if (now < m_lastCut + m_parameters->decreasePeriod && m_lastCut != Time::Min())
    {
        return;
    }
    m_alpha = GetAlpha(now);
    // The cut uses the estimate from before this CNP; the order of these lines matters.
    if (m_parameters->clampsTargetRate || m_timerSteps > 0 || m_byteSteps > 0 ||
        m_deadline == Time::Max())
    {
        m_targetRate = m_rate;
    }
    constexpr uint64_t LEAST_RATE{1'000'000}; // At zero a queue pair would never send again.
    const uint64_t minRate = std::max(m_parameters->minRate.GetBitRate(), LEAST_RATE);
    m_rate = std::max(m_rate * (1 - m_alpha / 2), static_cast<double>(minRate));
    m_alpha = (1 - m_parameters->gain) * m_alpha + m_parameters->gain;
    m_lastCut = now;
    m_timerSteps = 0;
    m_byteSteps = 0;
    m_bytesLeft = m_parameters->byteCounter;
    m_deadline = now + m_parameters->increasePeriod;
}

bool
Dcqcn::OnSent(uint32_t wireBytes, Time)
{
    if (m_deadline == Time::Max())
    {
        return false; // At line rate there is nothing to increase.
    }
    if (wireBytes < m_bytesLeft)
    {
        m_bytesLeft -= wireBytes;
        return false;
    }
    m_bytesLeft = m_parameters->byteCounter;
    ++m_byteSteps;
    Increase();
    return true;
}

void
Dcqcn::OnDeadline(Time now)
{
    m_deadline = now + m_parameters->increasePeriod;
    ++m_timerSteps;
    Increase();
}

void
Dcqcn::Increase()
{
    const auto [fewer, more] = std::minmax(m_timerSteps, m_byteSteps);
    if (fewer > m_parameters->fastRecoverySteps)
    {
        m_targetRate += static_cast<double>(m_parameters->hyperIncrease.GetBitRate());
    }
    else if (more > m_parameters->fastRecoverySteps)
    {
        m_targetRate += static_cast<double>(m_parameters->additiveIncrease.GetBitRate());
    }
    m_targetRate = std::min(m_targetRate, m_lineRate);
    m_rate = (m_rate + m_targetRate) / 2;
    // Half steps alone would never arrive: within one bit per second it is line rate.
    if (m_rate > m_lineRate - 1)
    {
        m_rate = m_lineRate;
        m_deadline = Time::Max();
    }
}

SendLimit
Dcqcn::GetLimit() const
{
    SendLimit limit;
    limit.rate = DataRate(static_cast<uint64_t>(m_rate));
    limit.deadline = m_deadline;
    return limit;
}

double
Dcqcn::GetAlpha(Time now) const
{
    if (m_lastCut == Time::Min())
    {
        return m_alpha; // It decays from the first CNP on, however old the flow is by then.
    }
    const int64_t periods =
        (now - m_lastCut).GetTimeStep() / m_parameters->alphaPeriod.GetTimeStep();
    return m_alpha * std::pow(1 - m_parameters->gain, static_cast<double>(periods));
}

DataRate
Dcqcn::GetTargetRate() const
{
    return DataRate(static_cast<uint64_t>(m_targetRate));
}

} // namespace ns3::rdma
