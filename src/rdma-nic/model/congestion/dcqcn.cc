// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/dcqcn.h"

#include "ns3/alpha-rules.h"
#include "ns3/policy-error.h"
#include "ns3/type-attributes.h"

#include <algorithm>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(Dcqcn);

TypeId
Dcqcn::GetTypeId()
{
    const auto shared = [](auto field, const auto& initial, auto... bounds) {
        return Shared(&Dcqcn::m_parameters, field, initial, bounds...);
    };
    static TypeId tid =
        TypeAttributes::Of<Dcqcn, CongestionControl>("ns3::rdma::Dcqcn", "RdmaNic")
            .Add("AlphaRule",
                 Property(&Dcqcn::SetAlphaRule, &Dcqcn::GetAlphaRule, PeriodicAlpha::GetTypeId()),
                 "Class that updates alpha and decides which CNPs cut (PeriodicAlpha: NVIDIA, "
                 "HPCC's "
                 "simulator; PerCnpAlpha: Zhu et al. 2015)")
            .Add("Gain",
                 shared(&Parameters::gain, 1.0 / 256, 0, 1),
                 "Weight g of a CNP in alpha (1/256: HPCC's simulator, Zhu et al. 2015; 5/1024: "
                 "NVIDIA dce_tcp_g)")
            .Add("InitialAlpha",
                 shared(&Parameters::initialAlpha, 1, 0, 1),
                 "Alpha at the first CNP (1: HPCC's simulator, Zhu et al. 2015; 1023/1024: NVIDIA "
                 "initial_alpha_value)")
            .Add("AlphaPeriod",
                 shared(&Parameters::alphaPeriod, MicroSeconds(1), NanoSeconds(1)),
                 "Time between two updates of alpha (1 us: HPCC's simulator, NVIDIA dce_tcp_rtt; "
                 "55 us: Zhu et al. 2015)")
            .Add("DecreasePeriod",
                 shared(&Parameters::decreasePeriod, MicroSeconds(4), Time(0)),
                 "Shortest time between two cuts (4 us: HPCC's simulator, NVIDIA "
                 "rate_reduce_monitor_period; none: Zhu et al. 2015)")
            .Add("IncreasePeriod",
                 shared(&Parameters::increasePeriod, MicroSeconds(300), NanoSeconds(1)),
                 "Timer of increase events (300 us: HPCC's simulator, NVIDIA rpg_time_reset; 55 "
                 "us: Zhu et al. 2015)")
            .Add("ByteCounter",
                 shared(&Parameters::byteCounter, 0),
                 "Bytes sent between two increase events, 0: no byte counter (0: HPCC's simulator; "
                 "10 MB: Zhu et al. 2015; 32767: NVIDIA rpg_byte_reset)")
            .Add("FastRecoverySteps",
                 shared(&Parameters::fastRecoverySteps, 1, 0),
                 "Increase events without raising the target, F (1: HPCC's simulator, NVIDIA "
                 "rpg_threshold; 5: Zhu et al. 2015); 0: a cut lowers the target to the rate after "
                 "it, so that recovery is additive from there on")
            .Add("AdditiveIncrease",
                 shared(&Parameters::additiveIncrease, DataRate("20Mbps"), AnyRate()),
                 "Rate step R_AI of an additive increase (20 Mb/s: HPCC's simulator at 100 Gb/s; "
                 "40: Zhu's at 40 Gb/s; 5: NVIDIA rpg_ai_rate)")
            .Add("HyperIncrease",
                 shared(&Parameters::hyperIncrease, DataRate("200Mbps"), AnyRate()),
                 "Rate step R_HAI of a hyper increase (200 Mb/s: HPCC's simulator at 100 Gb/s, "
                 "Zhu's at 40 Gb/s; 50: NVIDIA rpg_hai_rate)")
            .Add("ClampTargetRate",
                 shared(&Parameters::clampsTargetRate, false),
                 "Whether each cut lowers the target to the rate before it (true: Zhu et al. "
                 "2015); else only a cut after an increase does (false: HPCC's simulator, NVIDIA "
                 "clamp_tgt_rate)")
            .Add("CnpsInAcks",
                 shared(&Parameters::takesEchoes, false),
                 "Whether CNPs are a bit of acknowledgments, one per marked packet, not frames "
                 "(false: RoCE v2 Annex A17; true: HPCC's simulator)")
            .Add("CutsOnRetransmission",
                 shared(&Parameters::cutsOnRetransmission, false),
                 "Whether packets that are sent again, after a NAK or a timeout, act as a CNP "
                 "(false: Zhu et al. 2015; true: roce_slow_restart_cnps of mlx5)")
            .Add("RestartsOnTimeout",
                 shared(&Parameters::restartsOnTimeout, false),
                 "Whether the CNP of a packet that is sent again after a timeout is a first one, "
                 "with InitialAlpha. Only with CutsOnRetransmission (false: no source; true: our "
                 "reading of RoCE slow restart)")
            .Add("ReleasesAtLineRate",
                 shared(&Parameters::releasesAtLineRate, false),
                 "Whether a flow that is back at line rate counts as new, so that its next CNP is "
                 "a first one (true: NVIDIA rpg_max_rate, which releases the rate limiter; false: "
                 "HPCC's simulator)")
            .Add("MinimumRate",
                 shared(&Parameters::minRate, DataRate("1Gbps"), AnyRate()),
                 "Lower bound of the rate (1 Gb/s: HPCC's simulator; 100 Mb/s: Zhu's; 1 Mb/s: "
                 "NVIDIA rpg_min_rate, and what a smaller value counts as)");
    return tid;
}

Feedback
Dcqcn::GetNeededFeedback() const
{
    return m_parameters->takesEchoes ? Feedback::ECN_ECHO : Feedback::CNP;
}

void
Dcqcn::SetAlphaRule(TypeId type)
{
    m_parameters.Change().alphaRule = MakePolicy<AlphaRule>(type);
}

TypeId
Dcqcn::GetAlphaRule() const
{
    return m_parameters->alphaRule->GetInstanceTypeId();
}

void
Dcqcn::Start(const PathInfo& path, Time)
{
    m_lineRate = static_cast<double>(path.lineRate.GetBitRate());
    m_rate = m_lineRate;
    m_targetRate = m_lineRate;
    m_bytesLeft = m_parameters->byteCounter;
}

void
Dcqcn::OnAck(const AckEvent& ack)
{
    if (m_parameters->takesEchoes && ack.isCeEchoed)
    {
        OnCnp(ack.now);
    }
}

void
Dcqcn::OnCnp(Time now)
{
    const Time cutTime = m_parameters->alphaRule->OnCnp(m_alpha, *m_parameters, now);
    m_cutTime = std::min(m_cutTime, cutTime);
    if (m_cutTime <= now)
    {
        Cut(now);
    }
}

void
Dcqcn::OnLoss(const LossEvent& loss)
{
    if (m_parameters->cutsOnRetransmission)
    {
        OnCnp(loss.now);
    }
}

void
Dcqcn::OnTimeout(const LossEvent& loss)
{
    if (m_parameters->cutsOnRetransmission && m_parameters->restartsOnTimeout)
    {
        m_alpha = {};
    }
    OnLoss(loss);
}

void
Dcqcn::Cut(Time now)
{
    // Without an increase since the last cut the target is unchanged, unless it is clamped.
    if (m_parameters->clampsTargetRate || m_timerSteps > 0 || m_byteSteps > 0 ||
        m_increaseTime == Time::Max())
    {
        m_targetRate = m_rate;
    }
    constexpr uint64_t LEAST_RATE{1'000'000}; // At rate zero a queue pair would stop for ever.
    const uint64_t minRate = std::max(m_parameters->minRate.GetBitRate(), LEAST_RATE);
    m_rate = std::max(m_rate * (1 - GetAlpha(now) / 2), static_cast<double>(minRate));
    if (m_parameters->fastRecoverySteps == 0)
    {
        m_targetRate = m_rate;
    }
    m_parameters->alphaRule->OnCut(m_alpha, *m_parameters, now);
    m_cutTime = Time::Max();
    m_timerSteps = 0;
    m_byteSteps = 0;
    m_bytesLeft = m_parameters->byteCounter;
    m_increaseTime = now + m_parameters->increasePeriod;
}

bool
Dcqcn::NeedsOnSent() const
{
    return m_parameters->byteCounter > 0;
}

bool
Dcqcn::OnSent(uint32_t wireBytes, Time)
{
    if (m_increaseTime == Time::Max() || m_parameters->byteCounter == 0)
    {
        return false; // At line rate there is no increase.
    }
    // The counter counts bytes, not packets: bytes beyond one interval count for the next.
    uint64_t bytes = wireBytes;
    while (bytes >= m_bytesLeft)
    {
        bytes -= m_bytesLeft;
        m_bytesLeft = m_parameters->byteCounter;
        ++m_byteSteps;
        Increase();
        if (m_increaseTime == Time::Max())
        {
            return true; // At line rate; the next cut restarts the counter.
        }
    }
    m_bytesLeft -= bytes;
    return bytes < wireBytes;
}

void
Dcqcn::OnDeadline(Time now)
{
    if (now >= m_cutTime)
    {
        Cut(now);
    }
    if (now >= m_increaseTime)
    {
        m_increaseTime = now + m_parameters->increasePeriod;
        ++m_timerSteps;
        Increase();
    }
}

DataRate
Dcqcn::GetTargetStep() const
{
    const uint32_t recovery = m_parameters->fastRecoverySteps;
    const auto [fewer, more] = std::minmax(m_timerSteps, m_byteSteps);
    if (more <= recovery)
    {
        return DataRate(0);
    }
    const bool isHyper = m_parameters->byteCounter > 0 ? fewer > recovery : more > recovery + 1;
    return isHyper ? m_parameters->hyperIncrease : m_parameters->additiveIncrease;
}

void
Dcqcn::Increase()
{
    const DataRate step = GetTargetStep();
    m_targetRate = std::min(m_targetRate + static_cast<double>(step.GetBitRate()), m_lineRate);
    m_rate = (m_rate + m_targetRate) / 2;
    // Halving the distance never reaches line rate: less than 1 bit/s below counts as line rate.
    if (m_rate > m_lineRate - 1)
    {
        m_rate = m_lineRate;
        m_increaseTime = Time::Max();
        if (m_parameters->releasesAtLineRate)
        {
            m_alpha = {};
        }
    }
}

SendLimit
Dcqcn::GetLimit() const
{
    SendLimit limit;
    limit.rate = DataRate(static_cast<uint64_t>(m_rate));
    limit.deadline = std::min(m_cutTime, m_increaseTime);
    return limit;
}

double
Dcqcn::GetAlpha(Time now) const
{
    return m_parameters->alphaRule->GetAlpha(m_alpha, *m_parameters, now);
}

DataRate
Dcqcn::GetTargetRate() const
{
    return DataRate(static_cast<uint64_t>(m_targetRate));
}

} // namespace ns3::rdma
