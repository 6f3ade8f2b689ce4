// SPDX-License-Identifier: GPL-2.0-only

// The way of one small message through two NICs whose hardware takes time, derived by hand.

#include "verbs-test-bench.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr Tick NS{1000};
constexpr Tick CABLE{500 * NS};

// NicTestBench::UseSimpleHardware(), and the costs of HostCpu and WqeFetcher by default.
constexpr Tick DOORBELL{(40 + 60 + 300 + 1) * NS};    ///< Post, ring, store of 8 B.
constexpr Tick FETCH{(1000 + 8) * NS};                ///< One work request of 64 B.
constexpr Tick PAYLOAD{(1000 + 64 + 61) * NS};        ///< 1000 B: reads of 512 and 488 B.
constexpr Tick OUT{100 * NS};                         ///< Transmit pipeline.
constexpr Tick IN{200 * NS};                          ///< Receive pipeline.
constexpr Tick COMPLETION{(8 + 400 + 40) * NS};       ///< Entry of 64 B, and a poll.
constexpr Tick ACK{OUT + (58 + 4 + 24) * 80 + CABLE}; ///< From responder to requester.

/// A WRITE has a RETH of 16 bytes. All counted at 100 Gb/s: 80 ps per byte.
constexpr Tick WRITE{(58 + 16 + 1000 + 24) * 80 + CABLE};
constexpr Tick SEND{(58 + 1000 + 24) * 80 + CABLE};

class SimpleHardware : public testing::Test
{
  protected:
    SimpleHardware()
    {
        NicTestBench::UseSimpleHardware();
    }

    void Start(const QueuePairInit& init = {})
    {
        m_bench.Start(init);
        for (uint32_t node = 0; node < 2; ++node)
        {
            const VerbsEnd& end = m_bench.ends[node];
            end.sends->SetNotifier([this, node] { m_sentAt[node] = m_bench.GetBench().Now(); });
            end.receives->SetNotifier(
                [this, node] { m_receivedAt[node] = m_bench.GetBench().Now(); });
            end.sends->RequestNotify(false);
            end.receives->RequestNotify(false);
        }
    }

    VerbsTestBench m_bench{"connectx6"};
    Tick m_sentAt[2]{};
    Tick m_receivedAt[2]{};
};
} // namespace

TEST_F(SimpleHardware, AWriteTakesTheSumOfItsParts)
{
    Start();
    m_bench.Post(m_bench.MakeRequest(WrOpcode::RDMA_WRITE, 1, 0, 1000));
    m_bench.Run();
    EXPECT_EQ(m_sentAt[0], DOORBELL + FETCH + PAYLOAD + OUT + WRITE + IN + ACK + IN + COMPLETION);
}

TEST_F(SimpleHardware, ThePlacedTraceHasTheTimeAtWhichTheHostSeesData)
{
    Start();
    Tick placedAt = 0;
    m_bench.GetNic(1).GetPlacedTrace().ConnectWithoutContext(
        Callback<void, const Frame&, Time>([&placedAt](const Frame& frame, Time at) {
            EXPECT_EQ(frame.payloadBytes, 1000);
            placedAt = ToTick(at);
        }));
    m_bench.Post(m_bench.MakeRequest(WrOpcode::RDMA_WRITE, 1, 0, 1000));
    m_bench.Run();
    // 1000 B at 125 ps are 125 ns.
    EXPECT_EQ(placedAt, DOORBELL + FETCH + PAYLOAD + OUT + WRITE + IN + (125 + 400) * NS);
}

TEST_F(SimpleHardware, TracesTellWhenTheStagesOfAWriteEnd)
{
    Start();
    std::vector<Tick> turn;
    std::vector<Tick> transmit;
    std::vector<Tick> receive[2];
    QueuePairTraces& sender = m_bench.GetNic(0).GetTraces();
    sender.turn.ConnectWithoutContext(
        Callback<void, uint32_t, Tick, Tick>([&turn](uint32_t, Tick contextAt, Tick fetchedAt) {
            turn.insert(turn.end(), {contextAt, fetchedAt});
        }));
    sender.transmitStages.ConnectWithoutContext(Callback<void, const Frame&, Tick, Tick>(
        [&transmit](const Frame&, Tick payloadAt, Tick readyAt) {
            transmit.insert(transmit.end(), {payloadAt, readyAt});
        }));
    for (uint32_t node = 0; node < 2; ++node)
    {
        m_bench.GetNic(node).GetTraces().receiveStages.ConnectWithoutContext(
            Callback<void, const Frame&, Tick, Tick>(
                [&receive, node](const Frame&, Tick contextAt, Tick handledAt) {
                    receive[node].insert(receive[node].end(), {contextAt, handledAt});
                }));
    }
    m_bench.Post(m_bench.MakeRequest(WrOpcode::RDMA_WRITE, 1, 0, 1000));
    m_bench.Run();
    const Tick fetched = DOORBELL + FETCH;
    const Tick there = fetched + PAYLOAD + OUT + WRITE;
    const Tick back = there + IN + ACK;
    EXPECT_EQ(turn, (std::vector<Tick>{DOORBELL, fetched})); // The context is on the chip.
    EXPECT_EQ(transmit, (std::vector<Tick>{fetched + PAYLOAD, fetched + PAYLOAD + OUT}));
    EXPECT_EQ(receive[1], (std::vector<Tick>{there, there + IN}));
    EXPECT_EQ(receive[0], (std::vector<Tick>{back, back + IN}));
}

TEST_F(SimpleHardware, ASendWaitsForItsReceiveRequest)
{
    Start();
    m_bench.PostReceive(7, 0, 1000);
    m_bench.Post(m_bench.MakeRequest(WrOpcode::SEND, 1, 0, 1000));
    m_bench.Run();
    // The receive request is fetched when the packet has come: one more PCIe read of 64 B.  The
    // data are written when it is known where to, the completion entry behind them.
    const Tick handledAt = DOORBELL + FETCH + PAYLOAD + OUT + SEND + IN;
    EXPECT_EQ(m_receivedAt[1], handledAt + FETCH + 125 * NS + COMPLETION);
    EXPECT_EQ(m_sentAt[0], handledAt + ACK + IN + COMPLETION); // The acknowledgment does not wait.
}

TEST_F(SimpleHardware, InlineDataNeedNoReadOfTheirOwn)
{
    Start();
    SendWorkRequest request = m_bench.MakeRequest(WrOpcode::RDMA_WRITE, 1, 0, 8);
    request.isInline = true;
    m_bench.Post(request);
    m_bench.Run();
    const Tick packet = (58 + 16 + 8 + 24) * 80 + CABLE;
    EXPECT_EQ(m_sentAt[0], DOORBELL + FETCH + OUT + packet + IN + ACK + IN + COMPLETION);
}

TEST_F(SimpleHardware, APushedWorkRequestNeedsNoFetch)
{
    NicTestBench::Set("WqeFetcher::KeepsWqes", "true");
    NicTestBench::Set("WqeFetcher::PushedBytes", "64");
    Start();
    m_bench.Post(m_bench.MakeRequest(WrOpcode::RDMA_WRITE, 1, 0, 1000));
    m_bench.Run();
    // 64 bytes are stored, not 8: 7 ns more.
    EXPECT_EQ(m_sentAt[0], DOORBELL + 7 * NS + PAYLOAD + OUT + WRITE + IN + ACK + IN + COMPLETION);
    EXPECT_EQ(m_bench.GetNic(0).GetHardware()->GetWqeFetcher().GetStats().fetches, 0);
    EXPECT_EQ(m_bench.GetNic(0).GetHardware()->GetWqeFetcher().GetStats().pushed, 1);
}

TEST_F(SimpleHardware, AMissingContextIsFetchedOnBothSides)
{
    NicTestBench::Set("ContextCache::Entries", "16");
    Start();
    m_bench.Post(m_bench.MakeRequest(WrOpcode::RDMA_WRITE, 1, 0, 1000));
    m_bench.Run();
    // 375 B are 46.875 ns.  The work request is read when the context says where it is.
    const Tick context = 1000 * NS + 375 * 125;
    EXPECT_EQ(m_sentAt[0],
              DOORBELL + context + FETCH + PAYLOAD + OUT + WRITE + context + IN + ACK + IN +
                  COMPLETION);
    EXPECT_EQ(m_bench.GetNic(0).GetHardware()->GetContextCache().GetStats().misses, 1);
    EXPECT_EQ(m_bench.GetNic(1).GetHardware()->GetContextCache().GetStats().misses, 1);
}

TEST_F(SimpleHardware, AMissingTranslationDelaysThePayloadOnBothSides)
{
    NicTestBench::Set("TranslationCache::CacheEntries", "1024");
    Start();
    Tick placedAt = 0;
    m_bench.GetNic(1).GetPlacedTrace().ConnectWithoutContext(Callback<void, const Frame&, Time>(
        [&placedAt](const Frame&, Time at) { placedAt = ToTick(at); }));
    m_bench.Post(m_bench.MakeRequest(WrOpcode::RDMA_WRITE, 1, 0, 1000));
    m_bench.Run();
    // 8 entries of 8 B are read, as long as a work request.  The acknowledgment does not wait.
    EXPECT_EQ(placedAt,
              DOORBELL + FETCH + FETCH + PAYLOAD + OUT + WRITE + IN + FETCH + (125 + 400) * NS);
    EXPECT_EQ(m_sentAt[0],
              DOORBELL + FETCH + FETCH + PAYLOAD + OUT + WRITE + IN + ACK + IN + COMPLETION);
}

TEST_F(SimpleHardware, CompletionsComeInOrderWhenReadsJitter)
{
    NicTestBench::Set("PcieLink::ReadJitter", "500ns");
    Start();
    constexpr uint64_t MESSAGES{50};
    for (uint64_t message = 0; message < MESSAGES; ++message)
    {
        m_bench.PostReceive(message, message * 64, 64);
    }
    for (uint64_t message = 0; message < MESSAGES; ++message)
    {
        m_bench.Post(m_bench.MakeRequest(WrOpcode::SEND, message, 0, 64));
    }
    m_bench.Run();
    const auto received = m_bench.ends[1].PollReceives();
    const auto sent = m_bench.ends[0].PollSends();
    ASSERT_EQ(received.size(), MESSAGES);
    ASSERT_EQ(sent.size(), MESSAGES);
    for (uint64_t message = 0; message < MESSAGES; ++message)
    {
        EXPECT_EQ(received[message].wrId, message);
        EXPECT_EQ(sent[message].wrId, message);
    }
}

TEST_F(SimpleHardware, OffMeansThatNoneIsThere)
{
    NicTestBench::Set("RdmaNic::Hardware", "false");
    Start();
    m_bench.Post(m_bench.MakeRequest(WrOpcode::RDMA_WRITE, 1, 0, 1000));
    m_bench.Run();
    EXPECT_EQ(m_bench.GetNic(0).GetHardware(), nullptr);
    EXPECT_EQ(m_sentAt[0], WRITE + ACK - OUT);
}
