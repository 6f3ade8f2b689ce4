// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/run-probe.h"

#include "ns3/exit-status.h"
#include "ns3/flow-log.h"
#include "ns3/fluid-start.h"
#include "ns3/hop-counts.h"
#include "ns3/huge-pages.h"
#include "ns3/peak-memory.h"
#include "ns3/run-supervisor.h"
#include "ns3/server-nics.h"
#include "ns3/simulation-run.h"
#include "ns3/workload-keys.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <ctime>
#include <fstream>
#include <vector>

namespace ns3::rdma
{

namespace
{

double
GetProcessorSeconds()
{
    constexpr double NANO{1e-9};
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + NANO * static_cast<double>(time.tv_nsec);
}

/// A run that is stopped after its time.
class Probe
{
  public:
    Probe(PreparedScenario& prepared, const NicSpec& nic)
        : m_run(prepared, nic),
          m_hops(m_run.GetFabric().GetGraph())
    {
        for (const uint32_t server : m_run.GetFabric().GetGraph().GetServers())
        {
            for (const Ptr<RdmaNic>& one : GetNics(m_run.GetFabric().GetNode(server)))
            {
                m_nics.push_back(PeekPointer(one));
            }
        }
        m_run.Watch(std::chrono::milliseconds(0));
        m_begin = Sample({});
        m_beginRss = GetPeakRssBytes();
    }

    ProbeResult Run(const std::vector<std::string>& workloads, const std::function<bool()>& go)
    {
        std::ofstream flows("/dev/null");
        FlowLog log(flows, workloads);
        log.SetListener([this](const FlowRecord& record) {
            m_packets += record.packets;
            m_linksOfPackets += record.packets * m_hops.Get(record.src, record.dst);
        });
        const RunReport report = m_run.Run(log, [&](const RunProgress& progress) {
            Look(progress);
            return go() && m_samples.back().seconds - GetFirst().seconds < PROBE_SECONDS;
        });
        RunProgress end;
        end.packetHops = report.packetHops;
        end.simulatedPs = report.simulatedPs;
        ProbeResult result;
        result.hasEnded = !report.isPartial;
        result.begin = m_begin;
        result.end = result.hasEnded || m_samples.empty() ? Sample(end) : m_samples.back();
        result.middle = FindMiddle(result.end);
        result.roundTripPs = m_run.GetFabric().GetMaxBaseRtt(0, 0);
        result.resent = Divide(report.retransmitted, result.end.dataFrames);
        result.pathHops = Divide(m_linksOfPackets, m_packets);
        result.beginRssBytes = m_beginRss;
        return result;
    }

  private:
    static double Divide(uint64_t value, uint64_t by)
    {
        return by == 0 ? 0 : static_cast<double>(value) / static_cast<double>(by);
    }

    ProbeSample Sample(const RunProgress& progress) const
    {
        ProbeSample sample;
        sample.seconds = GetProcessorSeconds();
        sample.packetHops = progress.packetHops;
        sample.simulatedPs = progress.simulatedPs;
        sample.ackedBytes = progress.view.ackedBytes;
        for (const RdmaNic* nic : m_nics)
        {
            sample.dataFrames += nic->GetStats().dataFrames;
        }
        return sample;
    }

    void Look(const RunProgress& progress)
    {
        m_samples.push_back(Sample(progress));
        if (progress.packetHops == 0)
        {
            m_begin = m_samples.back(); // Traffic is being made.
            m_beginRss = GetPeakRssBytes();
        }
    }

    /// @return the first sample with packets, or that before the run.
    const ProbeSample& GetFirst() const
    {
        for (const ProbeSample& sample : m_samples)
        {
            if (sample.packetHops > 0)
            {
                return sample;
            }
        }
        return m_begin;
    }

    /// @return the sample nearest to half of the time.
    ProbeSample FindMiddle(const ProbeSample& end) const
    {
        ProbeSample middle = GetFirst();
        const double half = (middle.seconds + end.seconds) / 2;
        for (const ProbeSample& sample : m_samples)
        {
            middle = sample.packetHops > 0 && sample.seconds <= half ? sample : middle;
        }
        return middle;
    }

    SimulationRun m_run;
    HopCounts m_hops;
    std::vector<const RdmaNic*> m_nics;
    ProbeSample m_begin;
    uint64_t m_beginRss{0};
    std::vector<ProbeSample> m_samples;
    uint64_t m_packets{0}; ///< Of flows, without retransmissions.
    uint64_t m_linksOfPackets{0};
};

int
RunProbe(PreparedScenario& prepared, const NicSpec& nic, JobChannel& channel)
{
    UseHugePages();
    try
    {
        ProbeResult result;
        {
            Probe probe(prepared, nic);
            result = probe.Run(GetWorkloadNames(prepared.scenario),
                               [&channel] { return !channel.ShouldStop(); });
        }
        result.wholeSeconds = GetProcessorSeconds();
        result.peakRssBytes = GetPeakRssBytes();
        channel.SendLine(JobLine::Kind::RESULT,
                         std::string(reinterpret_cast<const char*>(&result), sizeof result));
        return EXIT_GOOD;
    }
    catch (const std::exception& error)
    {
        channel.SendLine(JobLine::Kind::FAILURE, error.what());
        return EXIT_ERROR;
    }
}

/// @param fluid time before which flows are a fluid; zero: as the scenario has it
ProbeOutcome
ProbeOnce(PreparedScenario& prepared, const NicSpec& nic, Time fluid)
{
    const auto body = [&](JobChannel& channel) {
        if (!fluid.IsZero())
        {
            prepared.scenario.run.fluidStart = fluid; // In a process of its own.
        }
        return RunProbe(prepared, nic, channel);
    };
    RunSupervisor supervisor({{nic.name, body}}, 1);
    const std::vector<JobState> states =
        supervisor.Run([](const std::vector<JobState>&) {}, [](const JobState&) {});
    const auto results = states.front().GetLines(JobLine::Kind::RESULT);
    ProbeOutcome outcome;
    outcome.isInterrupted = supervisor.IsInterrupted();
    if (!results.empty() && results.front().size() == sizeof outcome.result)
    {
        std::memcpy(&outcome.result, results.front().data(), sizeof outcome.result);
        return outcome;
    }
    const auto failures = states.front().GetLines(JobLine::Kind::FAILURE);
    outcome.failure =
        failures.empty() ? "the process that simulates its beginning has ended" : failures.front();
    return outcome;
}

/// @return half of the arrivals' time, if a fluid can stand for what is before; else zero.
Time
FindFluid(PreparedScenario& prepared, const ProbeResult& first)
{
    constexpr uint64_t MAX_STEPS{1'000'000}; // Of a fluid, by servers: about half a second.
    constexpr double MAX_START{1};           // Seconds, to build the run again.
    const Scenario& scenario = prepared.scenario;
    const auto last = GetLastTime(scenario);
    if (first.hasEnded || first.begin.seconds > MAX_START || !last || HasTraffic(scenario) ||
        !scenario.run.fluidStart.IsZero() || scenario.run.precision > 0)
    {
        return {};
    }
    const uint64_t steps = MAX_STEPS / prepared.input.GetTopology().GetServers().size();
    const int64_t half =
        std::min(last->GetPicoSeconds() / 2, static_cast<int64_t>(steps) * FluidStart::STEP_PS);
    return half > first.end.simulatedPs ? PicoSeconds(half) : Time();
}

} // namespace

ProbeOutcome
ProbeRun(PreparedScenario& prepared, const NicSpec& nic)
{
    ProbeOutcome outcome = ProbeOnce(prepared, nic, {});
    if (!outcome.failure.empty() || outcome.isInterrupted)
    {
        return outcome;
    }
    if (const Time fluid = FindFluid(prepared, outcome.result); !fluid.IsZero())
    {
        const ProbeOutcome later = ProbeOnce(prepared, nic, fluid);
        outcome.isInterrupted = later.isInterrupted;
        if (later.failure.empty() && !later.result.hasEnded)
        {
            outcome.later = later.result;
        }
    }
    return outcome;
}

} // namespace ns3::rdma
