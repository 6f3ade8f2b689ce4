// SPDX-License-Identifier: GPL-2.0-only

// Both halves of a reliable connection, without NIC, port and wire between them.

#include "ns3/opcode.h"
#include "ns3/requester.h"
#include "ns3/responder.h"
#include "ns3/retransmission-timer.h"
#include "ns3/selective-repeat.h"
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
    config.lossRecovery = ns3::CreateObject<SelectiveRepeat>();
    config.path = {ns3::DataRate("100Gbps"), ns3::MicroSeconds(10), MTU_BYTES};
    config.flightCapBytes = std::numeric_limits<uint64_t>::max();
    config.retryCount = 7;
    return config;
}

/// @return the data frame that leaves now.
Frame
SendOne(Requester& requester, Tick now)
{
    const Requester::Outgoing packet = requester.TakeNext();
    Frame frame{};
    frame.opcode = opcode::GetByPlace(opcode::WRITE_FIRST, packet.plan.isFirst, packet.plan.isLast);
    frame.sendTime = now;
    frame.payloadBytes = static_cast<uint16_t>(packet.plan.payloadBytes);
    frame.psn = packet.psn.Get();
    requester.OnSent(packet, WIRE_BYTES, now);
    return frame;
}

/// A packet is sent; one sent 64 packets earlier arrives, and its acknowledgment comes back.
void
TransportPacketAndAck(benchmark::State& state)
{
    Requester requester(MakeConfig(), 0);
    ResponderConfig rules;
    rules.rules = ns3::CreateObject<SelectiveRepeat>()->GetResponderRules();
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
    const auto recovery = ns3::CreateObject<SelectiveRepeat>();
    RetransmissionTimer timer;
    SendWindow window{Psn(0), Psn(64)};
    Tick now = 0;
    for (auto _ : state)
    {
        now += PACKET_PS;
        window = {window.unacked + 1, window.next + 1};
        timer.Start(now, *recovery, window);
        benchmark::DoNotOptimize(timer.GetExpiry());
    }
    state.SetItemsProcessed(state.iterations());
}

BENCHMARK(RetransmissionTimerRestart)->MinTime(SHORT_RUN_SECONDS);
BENCHMARK(TransportPacketAndAck)->MinTime(SHORT_RUN_SECONDS);

} // namespace
