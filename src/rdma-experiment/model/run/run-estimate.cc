// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/run-estimate.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{

/// @return whether the probe has seen as many packets arrive as leave. In the first round trip the
/// packets of a large fabric fill its links, and hardly any is acknowledged. After a fluid start,
/// thousands of queue pairs send their first packets then, which cost more than later ones.
bool
IsSettled(const ProbeResult& probe)
{
    constexpr int64_t ROUND_TRIPS{2};
    return probe.end.simulatedPs - probe.middle.simulatedPs >= ROUND_TRIPS * probe.roundTripPs;
}

/// @return packet-hops of a run with what is beyond RunCost, as far as the probe has seen it.
double
ScaleHops(const RunCost& cost, const ProbeResult& probe)
{
    if (!IsSettled(probe))
    {
        return static_cast<double>(cost.packetHops);
    }
    const auto hops = static_cast<double>(probe.end.packetHops - probe.middle.packetHops);
    const auto packets = static_cast<double>(cost.packets);
    // The flows of the probe may have other paths than those of the whole run.
    const double path = static_cast<double>(cost.dataHops) / std::max(packets, 1.0);
    const double ratio = probe.pathHops > 0 ? path / probe.pathHops : 1;
    if (cost.hasFlowsOnly && probe.end.ackedBytes > probe.middle.ackedBytes)
    {
        const auto acked = static_cast<double>(probe.end.ackedBytes - probe.middle.ackedBytes);
        return static_cast<double>(cost.flowBytes) * hops / acked * ratio;
    }
    const auto frames = static_cast<double>(probe.end.dataFrames - probe.middle.dataFrames);
    return frames == 0 ? static_cast<double>(cost.packetHops)
                       : packets / (1 - probe.resent) * hops / frames * ratio;
}

// What MPI adds to each process: measured, Open MPI 4.1, a run of one packet on two ranks.
constexpr double RANK_SECONDS{0.11};
constexpr uint64_t RANK_RSS_BYTES{24'000'000};

/// Work of a run, in any unit.
struct Work
{
    double all;
    double first;  ///< Of the first probe.
    double middle; ///< Of the probe that says what the rest costs, as the next one.
    double end;
};

/// Fills in what depends on the work that is left. @param rest the probe that says what it costs
void
Extrapolate(RunEstimate& estimate,
            const ProbeResult& first,
            const ProbeResult& rest,
            const Work& work)
{
    const double measured = rest.end.seconds - rest.middle.seconds;
    const double perUnit = work.end > work.middle ? measured / (work.end - work.middle) : 0;
    estimate.seconds = first.end.seconds + std::max(0.0, work.all - work.first) * perUnit;
    estimate.probedShare = work.all > 0 ? std::min(1.0, work.first / work.all) : 1;
}

/// By packet-hops.
void
ExtrapolateHops(RunEstimate& estimate,
                const RunCost& cost,
                const ProbeResult& first,
                const ProbeResult& rest)
{
    const double hops = ScaleHops(cost, rest);
    estimate.basis = RunEstimate::Basis::PACKET_HOPS;
    estimate.packetHops = cost.hasReports ? hops : estimate.packetHops;
    Extrapolate(estimate,
                first,
                rest,
                {hops,
                 static_cast<double>(first.end.packetHops),
                 static_cast<double>(rest.middle.packetHops),
                 static_cast<double>(rest.end.packetHops)});
}

} // namespace

RunEstimate
EstimateRun(const RunCost& cost,
            const ProbeOutcome& probes,
            double before,
            std::optional<int64_t> lastPs,
            uint32_t ranks)
{
    using Basis = RunEstimate::Basis;
    const ProbeResult& first = probes.result;
    const ProbeResult& rest = probes.later && IsSettled(*probes.later) ? *probes.later : first;
    RunEstimate estimate;
    estimate.startSeconds = before + first.begin.seconds;
    estimate.packetHops = static_cast<double>(cost.packetHops);
    if (first.hasEnded)
    {
        estimate.basis = Basis::WHOLE_RUN;
        estimate.seconds = first.wholeSeconds;
        estimate.probedShare = 1;
    }
    else if (!cost.isWithTraffic)
    {
        ExtrapolateHops(estimate, cost, first, rest);
    }
    else if (lastPs)
    {
        estimate.basis = Basis::SIMULATED_TIME;
        Extrapolate(estimate,
                    first,
                    rest,
                    {static_cast<double>(*lastPs),
                     static_cast<double>(first.end.simulatedPs),
                     static_cast<double>(rest.middle.simulatedPs),
                     static_cast<double>(rest.end.simulatedPs)});
    }
    estimate.seconds += before * ranks + first.begin.seconds * (ranks - 1);
    estimate.seconds += ranks > 1 ? RANK_SECONDS * ranks : 0;
    const uint64_t growth = std::max(first.peakRssBytes, rest.peakRssBytes) - first.beginRssBytes;
    estimate.peakRssBytes = first.beginRssBytes + growth / ranks + (ranks > 1 ? RANK_RSS_BYTES : 0);
    return estimate;
}

std::string
GetBasisName(RunEstimate::Basis basis)
{
    switch (basis)
    {
    case RunEstimate::Basis::WHOLE_RUN:
        return "the whole run";
    case RunEstimate::Basis::PACKET_HOPS:
        return "packet-hops";
    case RunEstimate::Basis::SIMULATED_TIME:
        return "simulated time";
    default:
        return "none";
    }
}

} // namespace ns3::rdma
