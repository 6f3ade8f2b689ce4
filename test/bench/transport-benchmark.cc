// SPDX-License-Identifier: GPL-2.0-only

// Both halves of a reliable connection, without NIC, port and wire between them.

#include "ns3/opcode.h"
#include "ns3/requester.h"
#include "ns3/responder.h"
#include "ns3/retransmission-timer.h"
#include "ns3/selective-repeat.h"
#include "ns3/timeouts.h"
#include "ns3/window-dctcp.h"

#include <array>
#include <benchmark/benchmark.h>
#include <limits>

namespace
{

using namespace ns3::rdma;

constexpr double SHORT_RUN_SECONDS{0.25};
constexpr uint32_t MTU_BYTES{1024};
constexpr uint32_t WIRE_BYTES{1126}; ///< 1024 + 78 + 24: an SRNIC packet on Ethernet.
constexpr Tick PACKET_PS{90'080};    ///< At 100 Gb/s.
constexpr uint64_t MESSAGE_BYTES{1ULL << 50};

RequesterConfig
MakeConfig()
{
    RequesterConfig config{};
    config.congestionControl = ns3::CreateObject<WindowDctcp>();
    config.lossDetector = ns3::CreateObject<SelectiveRepeat>();
    config.timeout = ns3::CreateObject<BackoffTimeout>();
    config.path = {ns3::DataRate("100Gbps"), ns3::MicroSeconds(10), MTU_BYTES};
    config.flightCapBytes = std::numeric_limits<uint64_t>::max();
    config.retryCount = 7;
    return config;
}

/// @return the data frame that leaves now.
Frame
SendOne(Requester& requester, Tick now)
{
    const OutgoingPacket packet = requester.TakeNext(now);
    Frame frame{};
    frame.opcode = opcode::GetByPlace(opcode::WRITE_FIRST, packet.plan.isFirst, packet.plan.isLast);
    frame.sendTime = now;
    frame.payloadBytes = static_cast<uint16_t>(packet.plan.payloadBytes);
    frame.psn = packet.psn.Get();
    requester.OnSent(packet, WIRE_BYTES, WIRE_BYTES, now);
    return frame;
}

/// A packet is sent; one sent 64 packets earlier arrives, and its acknowledgment comes back.
void
TransportPacketAndAck(benchmark::State& state)
{
    Requester requester(MakeConfig(), 0);
    ResponderConfig rules;
    rules.rules = ns3::CreateObject<SelectiveRepeat>()->GetTraits().responder;
    rules.echoesCe = true;
    Responder responder(rules);
    requester.Post(1, MESSAGE_BYTES);

    std::array<Frame, 64> inFlight;
    Tick now = 0;
    for (Frame& frame : inFlight)
    {
        now += PACKET_PS;
        frame = SendOne(requester, now);
    }
    std::size_t oldest = 0;
    for (auto _ : state)
    {
        now += PACKET_PS;
        Frame& frame = inFlight[oldest];
        const Answer answer = responder.OnData(frame, nullptr);
        Frame ack{};
        ack.sendTime = frame.sendTime;
        ack.psn = answer.acknowledgment.psn.Get();
        ack.syndrome = answer.acknowledgment.syndrome;
        benchmark::DoNotOptimize(requester.OnAck(ack, now));
        if (requester.GetNextSendTime() > now)
        {
            state.SkipWithError("the window is closed although nothing was lost");
            break;
        }
        frame = SendOne(requester, now);
        oldest = (oldest + 1) % inFlight.size();
    }
    state.SetItemsProcessed(state.iterations());
}

/// The retransmission timer as each acknowledgment that is news moves it.
void
RetransmissionTimerRestart(benchmark::State& state)
{
    const auto timeout = ns3::CreateObject<BackoffTimeout>();
    RetransmissionTimer timer;
    AwaitedAnswer awaited{0, Psn(0), 64, 0, 0, nullptr};
    for (auto _ : state)
    {
        awaited.start += PACKET_PS;
        awaited.oldest = awaited.oldest + 1;
        timer.Start(*timeout, awaited);
        benchmark::DoNotOptimize(timer.GetExpiry());
    }
    state.SetItemsProcessed(state.iterations());
}

BENCHMARK(RetransmissionTimerRestart)->MinTime(SHORT_RUN_SECONDS);
BENCHMARK(TransportPacketAndAck)->MinTime(SHORT_RUN_SECONDS);

} // namespace
