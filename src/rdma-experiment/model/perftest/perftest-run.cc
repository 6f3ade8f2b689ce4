// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/perftest-run.h"

#include "ns3/latency-probe.h"
#include "ns3/message-pump.h"
#include "ns3/server-capture.h"
#include "ns3/simulation-run.h"
#include "ns3/simulator.h"

#include <optional>

namespace ns3::rdma
{

namespace
{

/// The two ends of a test in a fabric.
struct Ends
{
    Ends(Fabric& fabric, const PerftestOptions& options, uint64_t bytes)
        : servers(fabric.GetGraph().GetServers()),
          client(GetNic(fabric, servers.front()), servers.front(), options, bytes),
          server(GetNic(fabric, servers.back()), servers.back(), options, bytes)
    {
        PerftestHost::Connect(client, server);
    }

    static Ptr<RdmaNic> GetNic(const Fabric& fabric, uint32_t node)
    {
        return fabric.GetNodes().Get(node)->GetObject<RdmaNic>();
    }

    std::vector<uint32_t> servers; ///< Node ids.
    PerftestHost client;
    PerftestHost server;
};

/// @param isDone whether all messages are complete
void
CheckEnd(const Ends& ends, bool isDone)
{
    for (const PerftestHost* host : {&ends.client, &ends.server})
    {
        if (!host->GetFailure().empty())
        {
            throw PerftestFailure(host->GetFailure());
        }
    }
    if (!isDone)
    {
        throw PerftestFailure("the test stopped: a message was lost on the way");
    }
}

BandwidthSummary
MeasureBandwidth(Ends& ends, const PerftestOptions& options, uint64_t bytes)
{
    MessagePump forward(ends.client, options);
    MessagePump backward(ends.server, options);
    Simulator::ScheduleNow([&] {
        forward.Start();
        if (options.isBidirectional)
        {
            backward.Start();
        }
    });
    Simulator::Run();
    CheckEnd(ends, forward.IsDone() && (backward.IsDone() || !options.isBidirectional));
    BandwidthSummary summary = forward.Summarize(bytes);
    if (options.isBidirectional)
    {
        summary += backward.Summarize(bytes);
    }
    return summary;
}

/// Polls after each frame that comes to a host.
void
PollOnArrival(Fabric& fabric, uint32_t node, LatencyProbe& probe)
{
    // At the same time, but after the NIC has handled the frame.
    const std::function<void(const Frame&)> tap = [&probe](const Frame&) {
        Simulator::ScheduleNow([&probe] { probe.PollMemory(); });
    };
    fabric.GetServerDevice(node).GetPort().GetReceiveTrace().ConnectWithoutContext(
        Callback<void, const Frame&>(tap));
}

LatencySummary
MeasureLatency(Fabric& fabric, Ends& ends, const PerftestOptions& options)
{
    LatencyProbe probe(ends.client, ends.server, options);
    if (options.kind.verb == PerftestVerb::WRITE)
    {
        PollOnArrival(fabric, ends.servers.front(), probe);
        PollOnArrival(fabric, ends.servers.back(), probe);
    }
    Simulator::ScheduleNow([&probe] { probe.Start(); });
    Simulator::Run();
    CheckEnd(ends, probe.IsDone());
    return probe.Summarize();
}

} // namespace

PerftestResult
RunPerftest(const Scenario& scenario,
            const PerftestOptions& options,
            uint64_t bytes,
            const PerftestTaps& taps)
{
    SimulationRun run(scenario, scenario.nics.front());
    Fabric& fabric = run.GetFabric();
    if (taps.onBuilt)
    {
        taps.onBuilt(fabric);
    }
    Ends ends(fabric, options, bytes);
    std::optional<ServerCapture> capture;
    if (!taps.pcap.empty())
    {
        capture.emplace(fabric, ends.servers.front(), taps.pcap);
    }
    PerftestResult result;
    result.bytes = bytes;
    result.iterations = options.iterations;
    if (options.kind.isLatency)
    {
        result.summary = MeasureLatency(fabric, ends, options);
    }
    else
    {
        result.summary = MeasureBandwidth(ends, options, bytes);
    }
    if (capture)
    {
        capture->Close();
    }
    return result;
}

} // namespace ns3::rdma
