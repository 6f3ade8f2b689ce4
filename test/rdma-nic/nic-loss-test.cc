// SPDX-License-Identifier: GPL-2.0-only
#include "nic-test-bench.h"

#include "ns3/simple-topologies.h"

#include <set>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr uint32_t MTU{1024};

/// Fewer than a round trip of 2 us holds at 100 Gb/s: all are sent before the first answer.
constexpr uint32_t PACKETS{20};
constexpr uint32_t MIDDLE{8};
constexpr uint32_t LAST{PACKETS - 1};
constexpr uint32_t FROM_MIDDLE{PACKETS - MIDDLE}; ///< The lost packet and all after it.

/// One direction of the link, the frames that it may lose, and how many of those pass first.
struct Loss
{
    enum Direction : uint32_t
    {
        DATA,
        ANSWERS
    } direction;

    std::function<bool(const Frame&)> isMeant;
};

bool
IsRetransmission(const Frame& frame)
{
    return (frame.flags & frame_flag::RETRANSMISSION) != 0;
}

bool
IsNak(const Frame& frame)
{
    return frame.opcode == opcode::ACK && frame.syndrome == syndrome::NAK_PSN_SEQUENCE;
}

Loss
LoseData(uint32_t psn)
{
    return {Loss::DATA,
            [psn](const Frame& frame) { return frame.psn == psn && !IsRetransmission(frame); }};
}

Loss
LoseRetransmission(uint32_t psn)
{
    return {Loss::DATA,
            [psn](const Frame& frame) { return frame.psn == psn && IsRetransmission(frame); }};
}

Loss
LoseAck(uint32_t psn)
{
    return {Loss::ANSWERS, [psn](const Frame& frame) { return frame.psn == psn && !IsNak(frame); }};
}

Loss
LoseNak()
{
    return {Loss::ANSWERS, IsNak};
}

/**
 * One message of PACKETS packets between two servers; each Loss happens once.  Go-back-N sends all
 * from the missing packet on for a NAK, and all that is not acknowledged for a timeout.  Selective
 * repeat sends the missing packet, and for a timeout the oldest one.
 */
class NicLoss : public EachNicDesign
{
  protected:
    void Run(const std::vector<Loss>& losses, uint32_t initialPsn = 0)
    {
        m_bench.Build(MakeBackToBack(DataRate("100Gbps"), MicroSeconds(1)));
        m_pair = m_bench.Connect(0, 1, initialPsn);
        std::size_t lost = 0;
        std::vector<bool> isDone(losses.size(), false);
        for (const uint32_t direction : {Loss::DATA, Loss::ANSWERS})
        {
            m_bench.Lose(0, direction, [&, direction](const Frame& frame, uint64_t) {
                for (std::size_t i = 0; i < losses.size(); ++i)
                {
                    if (losses[i].direction == direction && !isDone[i] && losses[i].isMeant(frame))
                    {
                        isDone[i] = true;
                        ++lost;
                        return true;
                    }
                }
                return false;
            });
        }
        m_bench.Post(m_pair, 1, PACKETS * MTU);
        m_bench.Run();
        EXPECT_EQ(lost, losses.size());
        EXPECT_EQ(m_bench.CountEnded(WcStatus::SUCCESS), 1);
        EXPECT_EQ(m_bench.GetPlacedBytes(m_pair), PACKETS * MTU);
        EXPECT_EQ(m_bench.GetSent(m_pair).packets, PACKETS);
        m_bench.ExpectEmpty();
    }

    void ExpectSentAgain(uint64_t goBackN, uint64_t selective, uint64_t timeouts)
    {
        EXPECT_EQ(m_bench.GetSent(m_pair).retransmitted, IsSelective() ? selective : goBackN);
        EXPECT_EQ(m_bench.GetSent(m_pair).timeouts, timeouts);
    }

    NicTestBench m_bench{GetParam()};
    NicTestBench::Pair m_pair{};
};
} // namespace

TEST_P(NicLoss, TheFirstDataPacket)
{
    Run({LoseData(0)});
    ExpectSentAgain(PACKETS, 1, 0);
}

TEST_P(NicLoss, AMiddleDataPacket)
{
    Run({LoseData(MIDDLE)});
    ExpectSentAgain(FROM_MIDDLE, 1, 0);
}

TEST_P(NicLoss, TheLastDataPacket)
{
    Run({LoseData(LAST)}); // Nothing comes after it: only the timer sees it.
    ExpectSentAgain(1, 1, 1);
}

TEST_P(NicLoss, TwoDataPackets)
{
    // Go-back-N goes back once for both; each is a hole of its own for selective repeat.
    Run({LoseData(MIDDLE), LoseData(MIDDLE + 3)});
    ExpectSentAgain(FROM_MIDDLE, 2, 0);
}

TEST_P(NicLoss, AMiddleAcknowledgment)
{
    Run({LoseAck(MIDDLE)}); // The next one covers it.
    ExpectSentAgain(0, 0, 0);
}

TEST_P(NicLoss, TheLastAcknowledgment)
{
    Run({LoseAck(LAST)}); // The last packet goes again, as a duplicate that is acknowledged.
    ExpectSentAgain(1, 1, 1);
}

TEST_P(NicLoss, TheNak)
{
    // Go-back-N's only NAK: the timer sends all from the missing packet on.  Selective repeat has
    // more of them; the second one makes the packet of the lost NAK look lost too.
    Run({LoseData(MIDDLE), LoseNak()});
    ExpectSentAgain(FROM_MIDDLE, 2, IsSelective() ? 0 : 1);
}

TEST_P(NicLoss, ARetransmission)
{
    // Go-back-N has had its NAK for this gap: once by NAK, once by the timer.
    Run({LoseData(MIDDLE), LoseRetransmission(MIDDLE)});
    ExpectSentAgain(2 * FROM_MIDDLE, 2, 1);
}

TEST_P(NicLoss, TheAcknowledgmentOfARetransmission)
{
    // Go-back-N acknowledges each later packet as well.  Selective repeat acknowledges all with the
    // one that closes the gap; without it the timer sends the oldest once more.
    Run({LoseData(MIDDLE), LoseAck(IsSelective() ? LAST : MIDDLE)});
    ExpectSentAgain(FROM_MIDDLE, 2, IsSelective() ? 1 : 0);
}

TEST_P(NicLoss, TheLastDataPacketTwice)
{
    Run({LoseData(LAST), LoseRetransmission(LAST)});
    ExpectSentAgain(2, 2, 2);
}

TEST_P(NicLoss, AcrossTheWrapOfThePsn)
{
    // PSNs 0xfffff0 .. 3: the last before the wrap (place 15) and the second after it (17) are
    // lost.
    Run({LoseData(0xffffff), LoseData(1)}, 0xfffff0);
    ExpectSentAgain(PACKETS - 15, 2, 0);
}

TEST_P(NicLoss, TheFirstPacketAfterTheWrapAndItsRetransmission)
{
    Run({LoseData(0), LoseRetransmission(0)}, 0xfffff0); // Place 16.
    ExpectSentAgain(2 * (PACKETS - 16), 2, 1);
}

RDMA_FOR_EACH_NIC_DESIGN(NicLoss);

namespace
{
/// A queue behind a slow link whose every packet is marked, for the designs that answer with CNPs.
class CnpLoss : public testing::TestWithParam<const char*>
{
};
} // namespace

TEST_P(CnpLoss, ALostCnpCostsNothingButACut)
{
    NicTestBench bench(GetParam());
    FabricConfig config;
    config.ecn[25'000'000'000] = {0, 1, 1};
    bench.Build(MakeDumbbell({1, DataRate("100Gbps"), DataRate("25Gbps"), MicroSeconds(1)}),
                config);
    const auto pair = bench.Connect(0, 1);
    uint64_t lost = 0;
    uint64_t arrived = 0;
    // Link 0 belongs to server 0: what leaves at its other end goes there.
    bench.Lose(0, 1, [&](const Frame& frame, uint64_t) {
        const bool isLost = frame.opcode == opcode::CNP && lost == 0;
        lost += isLost;
        arrived += frame.opcode == opcode::CNP && !isLost;
        return isLost;
    });
    bench.Post(pair, 1, 400 * MTU);
    bench.Run();
    EXPECT_EQ(lost, 1);
    EXPECT_GT(arrived, 0);
    EXPECT_EQ(bench.GetNic(1).GetStats().cnpsSent, lost + arrived);
    EXPECT_EQ(bench.CountEnded(WcStatus::SUCCESS), 1);
    EXPECT_EQ(bench.GetPlacedBytes(pair), 400 * MTU);
    EXPECT_EQ(bench.GetSent(pair).retransmitted, 0);
    bench.ExpectEmpty();
}

INSTANTIATE_TEST_SUITE_P(Designs, CnpLoss, testing::Values("connectx6", "irn"), GetDesignName);

namespace
{
/// Every link loses frames at random, of all kinds and in both directions.
class RandomLoss : public EachNicDesign
{
  protected:
    void Run(double rate)
    {
        NicTestBench bench(GetParam());
        TopologyGraph graph = MakeStar(4, DataRate("100Gbps"), MicroSeconds(1));
        for (GraphLink& link : graph.links)
        {
            link.lossRate = rate;
        }
        bench.Build(graph);
        std::vector<NicTestBench::Pair> pairs;
        std::vector<uint64_t> posted;
        for (uint32_t i = 0; i < 5; ++i)
        {
            pairs.push_back(bench.Connect(i % 4, (i + 1 + i / 4) % 4, 0xffffe0 + i));
            posted.push_back(0);
        }
        constexpr uint64_t MESSAGES{50};
        for (uint64_t message = 0; message < MESSAGES; ++message)
        {
            const uint64_t bytes = 1 + message * 997; // Up to 48 packets.
            bench.Post(pairs[message % 5], message, bytes);
            posted[message % 5] += bytes;
        }
        bench.Run();
        EXPECT_EQ(bench.CountEnded(WcStatus::SUCCESS), MESSAGES);
        EXPECT_EQ(bench.GetEnded().size(), MESSAGES);
        for (std::size_t i = 0; i < pairs.size(); ++i)
        {
            EXPECT_EQ(bench.GetPlacedBytes(pairs[i]), posted[i]);
        }
        EXPECT_GT(bench.GetDrops(DropReason::LINK_LOSS), 0);
        bench.ExpectEmpty();
    }
};
} // namespace

TEST_P(RandomLoss, OfOnePercentIsRecovered)
{
    Run(0.01);
}

TEST_P(RandomLoss, OfTenPercentIsRecovered)
{
    Run(0.1);
}

RDMA_FOR_EACH_NIC_DESIGN(RandomLoss);
