// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/perftest-run.h"

#include "ns3/kernel-keys.h"
#include "ns3/latency-probe.h"
#include "ns3/message-pump.h"
#include "ns3/opcode.h"
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
    Ends(Fabric& fabric, FlowServices& services, const PerftestOptions& options, uint64_t bytes)
        : servers(fabric.GetGraph().GetServers()),
          client(GetNic(fabric, servers.front()), servers.front(), services, options, bytes),
          server(GetNic(fabric, servers.back()), servers.back(), services, options, bytes)
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

/// A test with a duration is measured without its margins.
void
MeasureMargins(PerftestMeter& meter, const PerftestOptions& options)
{
    if (options.duration > 0)
    {
        meter.MeasureBetween(options.margin, options.duration - options.margin);
    }
}

void
MeasureBandwidth(Fabric& fabric, Ends& ends, const PerftestOptions& options, PerftestResult& result)
{
    const uint64_t messages =
        (options.isBidirectional ? 2 : 1) * options.queuePairs * options.iterations;
    PerftestMeter meter(fabric, ends.client, ends.server, messages, messages * result.bytes);
    MeasureMargins(meter, options);
    PerftestHost& sender = options.isReversed ? ends.server : ends.client;
    PerftestHost& receiver = options.isReversed ? ends.client : ends.server;
    MessagePump forward(sender, meter, options, result.bytes);
    MessagePump backward(receiver, meter, options, result.bytes);
    Simulator::ScheduleNow([&] {
        forward.Start();
        if (options.isBidirectional)
        {
            backward.Start();
        }
    });
    Simulator::Run();
    CheckEnd(ends, forward.IsDone() && (backward.IsDone() || !options.isBidirectional));
    BandwidthSummary summary = forward.Summarize();
    if (options.isBidirectional)
    {
        result.directions = {summary, backward.Summarize()};
        summary += result.directions.back();
    }
    result.summary = summary;
    result.messages = forward.GetCount();
    result.burstRate = forward.GetBurstRate() + backward.GetBurstRate();
    result.measurement = meter.GetMeasurement();
}

/// Polls whenever data of a packet come to be seen in the memory of a host.
void
PollOnPlacement(RdmaNic& nic, LatencyProbe& probe)
{
    const std::function<void(const Frame&, Time)> tap = [&probe](const Frame& frame, Time seenAt) {
        // The NIC counts a message before its end can be seen: data before it are no indication.
        if (opcode::IsLast(frame.opcode))
        {
            Simulator::Schedule(seenAt - Simulator::Now(), [&probe] { probe.PollMemory(); });
        }
    };
    nic.GetPlacedTrace().ConnectWithoutContext(Callback<void, const Frame&, Time>(tap));
}

/// Polls after each frame that comes to a host: memory has its data in no time.
void
PollOnArrival(Fabric& fabric, uint32_t node, LatencyProbe& probe)
{
    const auto nic = Ends::GetNic(fabric, node);
    if (nic->GetHardware())
    {
        PollOnPlacement(*nic, probe);
        return;
    }
    // At the same time, but after the NIC has handled the frame.
    const std::function<void(const Frame&)> tap = [&probe](const Frame&) {
        Simulator::ScheduleNow([&probe] { probe.PollMemory(); });
    };
    fabric.GetServerDevice(node).GetPort().GetArrivalTraces().receive.ConnectWithoutContext(
        Callback<void, const Frame&>(tap));
}

void
MeasureLatency(Fabric& fabric, Ends& ends, const PerftestOptions& options, PerftestResult& result)
{
    const bool hasAnswers =
        options.kind.verb == PerftestVerb::WRITE || options.kind.verb == PerftestVerb::SEND;
    const uint64_t payload = (hasAnswers ? 2 : 1) * options.iterations * result.bytes;
    PerftestMeter meter(fabric, ends.client, ends.server, options.iterations, payload);
    MeasureMargins(meter, options);
    PerftestHost& client = options.isReversed ? ends.server : ends.client;
    PerftestHost& server = options.isReversed ? ends.client : ends.server;
    LatencyProbe probe(client, server, meter, options);
    if (options.kind.verb == PerftestVerb::WRITE && !options.ConsumesReceives())
    {
        PollOnArrival(fabric, ends.servers.front(), probe);
        PollOnArrival(fabric, ends.servers.back(), probe);
    }
    Simulator::ScheduleNow([&probe] { probe.Start(); });
    Simulator::Run();
    CheckEnd(ends, probe.IsDone());
    result.messages = probe.GetCount();
    if (options.duration > 0)
    {
        result.summary = probe.SummarizeSample();
    }
    else
    {
        result.summary = probe.Summarize();
        result.valuesUs = options.hasValues ? probe.GetValues() : std::vector<double>();
    }
    result.measurement = meter.GetMeasurement();
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
    FlowServices services(ListFlowServices(scenario), run.GetKernels());
    Ends ends(fabric, services, options, bytes);
    std::optional<ServerCapture> capture;
    if (!taps.pcap.empty())
    {
        capture.emplace(*Ends::GetNic(fabric, ends.servers.front()), taps.pcap);
    }
    PerftestResult result;
    result.bytes = bytes;
    result.iterations = options.duration > 0 ? 0 : options.iterations;
    if (options.kind.isLatency)
    {
        MeasureLatency(fabric, ends, options, result);
    }
    else
    {
        MeasureBandwidth(fabric, ends, options, result);
    }
    if (capture)
    {
        capture->Close();
    }
    return result;
}

} // namespace ns3::rdma
