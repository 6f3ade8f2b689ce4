// SPDX-License-Identifier: GPL-2.0-only
#include "nic-test-bench.h"

#include "ns3/simple-topologies.h"

#include <map>
#include <set>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
const DataRate RATE("100Gbps");
const Time DELAY = MicroSeconds(1);

struct EchoCase
{
    const char* name;
    const char* preset;
    bool hasHardware;
};

const EchoCase CASES[] = {
    {"GoBackN", "connectx6", false},
    {"GoBackNWithHardware", "connectx6", true},
    {"Srnic", "srnic", false},
    {"SrnicWithHardware", "srnic", true},
};

/// Each data packet has an entropy of its own, as if a selector had chosen it.
class EntropyEcho : public testing::TestWithParam<EchoCase>
{
  protected:
    void SetUp() override
    {
        m_bench.Build(MakeBackToBack(RATE, DELAY));
        m_bench.Lose(0, 0, [this](const Frame& frame, uint64_t number) {
            if (frame.payloadBytes > 0)
            {
                // Tests alone may do this: the frame is not const.
                const_cast<Frame&>(frame).entropy = 5000 + static_cast<uint32_t>(number);
                m_sent[frame.psn].insert(frame.entropy);
            }
            return number == m_lost;
        });
        m_bench.Lose(0, 1, [this](const Frame& frame, uint64_t) {
            m_answers.push_back(frame);
            return false;
        });
    }

    /// Posts a WRITE of ten packets, and expects that each answer names its cause.
    void ExpectEchoes()
    {
        const auto pair = m_bench.Connect(0, 1);
        m_bench.Post(pair, 1, 10 * 1024);
        m_bench.Run();
        EXPECT_GE(m_sent.size(), 10);
        EXPECT_GE(m_answers.size(), 1);
        for (const Frame& answer : m_answers)
        {
            EXPECT_GE(answer.echoedEntropy, 5000);
            // SRNIC's software acknowledges several packets at once: the PSN is another one's.
            if (!GetParam().hasHardware)
            {
                EXPECT_EQ(m_sent.at(answer.ack.selectivePsn).count(answer.echoedEntropy), 1);
            }
            EXPECT_EQ(answer.entropy, m_answers[0].entropy); // Its own: that of its connection.
            EXPECT_LT(answer.entropy, 5000);
        }
    }

    NicTestBench m_bench{GetParam().preset, GetParam().hasHardware};
    std::map<uint32_t, std::set<uint32_t>> m_sent; ///< Entropies by PSN: it may be sent again.
    std::vector<Frame> m_answers;
    uint64_t m_lost{UINT64_MAX};
};

INSTANTIATE_TEST_SUITE_P(Designs, EntropyEcho, testing::ValuesIn(CASES), [](const auto& info) {
    return std::string(info.param.name);
});
} // namespace

TEST_P(EntropyEcho, AnAcknowledgmentNamesTheEntropyOfThePacketThatCausedIt)
{
    ExpectEchoes();
}

TEST_P(EntropyEcho, AlsoOfPacketsOutOfOrder)
{
    m_lost = 3;
    ExpectEchoes();
}

TEST(TrimmedFrame, IsDroppedByItsNicWithAReasonOfItsOwn)
{
    for (const bool hasHardware : {false, true})
    {
        NicTestBench bench("irn", hasHardware);
        bench.Build(MakeBackToBack(RATE, DELAY));
        bench.Lose(0, 0, [](const Frame& frame, uint64_t number) {
            if (number == 1)
            {
                auto& trimmed = const_cast<Frame&>(frame); // As a switch does.
                trimmed.wireBytes = static_cast<uint16_t>(trimmed.wireBytes - 1024);
                trimmed.payloadBytes = 0;
                trimmed.flags |= frame_flag::TRIMMED;
            }
            return false;
        });
        const auto pair = bench.Connect(0, 1);
        bench.Post(pair, 1, 3 * 1024);
        bench.Run();
        EXPECT_EQ(bench.GetDrops(DropReason::TRIMMED), 1);
        EXPECT_EQ(bench.GetCore().pool.GetInUse(), 0);
    }
}
