// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/mrc-entropy.h"

#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <set>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
using State = MrcEntropy::State;

class MrcTest : public testing::Test
{
  protected:
    /// Four active values and the given backups; one round takes all active values.
    void Start(uint32_t backups = 0, uint32_t planes = 1, uint32_t active = 4)
    {
        m_mrc->SetAttribute("Active", UintegerValue(active));
        m_mrc->SetAttribute("Backups", UintegerValue(backups));
        m_mrc->SetAttribute("MinActive", UintegerValue(1));
        EntropyFacts facts;
        facts.planes = planes;
        m_mrc->Start(facts);
        m_values = Take(static_cast<int>(active));
    }

    std::vector<uint32_t> Take(int count)
    {
        std::vector<uint32_t> taken;
        for (int i = 0; i < count; ++i)
        {
            taken.push_back(m_mrc->GetNext(0, Time(0)));
        }
        return taken;
    }

    void Report(uint32_t entropy, RouteSignal signal)
    {
        m_mrc->OnFeedback(entropy, signal, Time(0));
    }

    /// @return values by their places in the first round.
    std::vector<uint32_t> GetValues(std::vector<std::size_t> places) const
    {
        std::vector<uint32_t> values;
        for (const std::size_t place : places)
        {
            values.push_back(m_values[place]);
        }
        return values;
    }

    Ptr<MrcEntropy> m_mrc = CreateObject<MrcEntropy>();
    std::vector<uint32_t> m_values;
};
} // namespace

TEST_F(MrcTest, TheCursorRotatesOverTheActiveSet)
{
    Start(4);
    EXPECT_EQ(std::set<uint32_t>(m_values.begin(), m_values.end()).size(), 4U);
    EXPECT_EQ(Take(4), m_values);
}

TEST_F(MrcTest, AMarkOrATrimmedPacketSkipsAValueOnce)
{
    for (const RouteSignal signal : {RouteSignal::MARKED, RouteSignal::TRIMMED})
    {
        Start();
        Report(m_values[1], signal);
        EXPECT_EQ(m_mrc->GetState(m_values[1]), State::SKIP);
        EXPECT_EQ(Take(3), GetValues({0, 2, 3}));
        EXPECT_EQ(m_mrc->GetState(m_values[1]), State::GOOD);
        EXPECT_EQ(Take(4), m_values);
    }
}

TEST_F(MrcTest, APacketRestoresOneValueAtMost)
{
    Start();
    Report(m_values[1], RouteSignal::MARKED);
    Report(m_values[2], RouteSignal::MARKED);
    EXPECT_EQ(Take(2), GetValues({0, 3}));
    EXPECT_EQ(m_mrc->GetState(m_values[1]), State::GOOD);
    EXPECT_EQ(m_mrc->GetState(m_values[2]), State::SKIP);
    EXPECT_EQ(Take(3), GetValues({0, 1, 3}));
}

TEST_F(MrcTest, ALossOrATimeoutPassesOverAValueUntilAProbeReturns)
{
    for (const RouteSignal signal : {RouteSignal::LOST, RouteSignal::TIMEOUT})
    {
        Start();
        Report(m_values[2], signal);
        EXPECT_EQ(m_mrc->GetState(m_values[2]), State::ASSUMED_BAD);
        EXPECT_EQ(Take(6), GetValues({0, 1, 3, 0, 1, 3}));
        Report(m_values[2], RouteSignal::MARKED); // A late report does not restore it.
        EXPECT_EQ(m_mrc->GetState(m_values[2]), State::ASSUMED_BAD);
        m_mrc->OnProbeReply(m_values[2], false, Time());
        EXPECT_EQ(Take(4), m_values);
    }
}

TEST_F(MrcTest, AMarkedProbeReplyMakesAValueSkip)
{
    Start();
    m_mrc->AssumeBad(m_values[0]);
    m_mrc->OnProbeReply(m_values[0], true, Time());
    EXPECT_EQ(m_mrc->GetState(m_values[0]), State::SKIP);
}

TEST_F(MrcTest, ProbesGoToBadValuesInTurnOnePerInterval)
{
    m_mrc->SetAttribute("ProbeInterval", TimeValue(MicroSeconds(5)));
    Start();
    EXPECT_EQ(m_mrc->GetProbeTime(), Time::Max());
    EXPECT_FALSE(m_mrc->TakeProbe(MicroSeconds(1)));
    m_mrc->AssumeBad(m_values[1]);
    m_mrc->AssumeBad(m_values[3]);
    const auto one = m_mrc->TakeProbe(MicroSeconds(1));
    EXPECT_FALSE(m_mrc->TakeProbe(MicroSeconds(5)));
    EXPECT_EQ(m_mrc->GetProbeTime(), MicroSeconds(6));
    const auto other = m_mrc->TakeProbe(MicroSeconds(6));
    EXPECT_EQ((std::set<uint32_t>{one.value(), other.value()}),
              (std::set<uint32_t>{m_values[1], m_values[3]}));
    EXPECT_EQ(m_mrc->TakeProbe(MicroSeconds(11)), one);
    m_mrc->OnProbeReply(m_values[1], false, Time());
    m_mrc->OnProbeReply(m_values[3], false, Time());
    EXPECT_EQ(m_mrc->GetProbeTime(), Time::Max());
}

/// Consecutive values alternate between two planes: of four active and four backup values, each
/// plane has two and two.
TEST_F(MrcTest, ABackupOfTheSamePlaneReplacesABadValue)
{
    Start(4, 2);
    const uint32_t bad = m_values[1];
    Report(bad, RouteSignal::LOST);
    EXPECT_FALSE(m_mrc->IsActive(bad));
    const auto round = Take(4);
    EXPECT_EQ(round[0], m_values[0]);
    EXPECT_EQ(round[2], m_values[2]);
    EXPECT_NE(round[1], bad);
    EXPECT_EQ(round[1] % 2, bad % 2);
    // The second backup of the plane, then none: the value is passed over.
    Report(round[1], RouteSignal::LOST);
    const auto second = Take(4);
    EXPECT_NE(second[1], round[1]);
    EXPECT_EQ(second[1] % 2, bad % 2);
    Report(second[1], RouteSignal::LOST);
    EXPECT_EQ(Take(3), GetValues({0, 2, 3}));
}

TEST_F(MrcTest, APlaneWithoutPortIsExcludedAtOnce)
{
    Start(0, 2);
    m_mrc->OnPorts(0b01);
    std::set<uint32_t> planes;
    for (const uint32_t value : Take(8))
    {
        planes.insert(value % 2);
    }
    EXPECT_EQ(planes, std::set<uint32_t>{0});
    m_mrc->OnPorts(0b11);
    const auto round = Take(4);
    EXPECT_EQ(std::set<uint32_t>(round.begin(), round.end()),
              std::set<uint32_t>(m_values.begin(), m_values.end()));
}

TEST_F(MrcTest, MinActiveValuesStayUsable)
{
    Start();
    m_mrc->SetAttribute("MinActive", UintegerValue(3));
    Report(m_values[0], RouteSignal::LOST);
    Report(m_values[1], RouteSignal::LOST);
    EXPECT_EQ(m_mrc->GetState(m_values[0]), State::ASSUMED_BAD);
    EXPECT_EQ(m_mrc->GetState(m_values[1]), State::SKIP); // Two would be left.
}

TEST_F(MrcTest, OnlyTheControllerRestoresADeniedValue)
{
    Start();
    m_mrc->Deny(m_values[0]);
    Report(m_values[0], RouteSignal::LOST);
    m_mrc->OnProbeReply(m_values[0], false, Time());
    EXPECT_EQ(m_mrc->GetState(m_values[0]), State::DENIED);
    EXPECT_EQ(Take(3), GetValues({1, 2, 3}));
    m_mrc->Allow(m_values[0]);
    EXPECT_EQ(m_mrc->GetState(m_values[0]), State::GOOD);
}

TEST_F(MrcTest, WithoutGoodValuesAPacketTakesTheLeastBad)
{
    Start();
    for (const uint32_t value : m_values)
    {
        Report(value, RouteSignal::MARKED);
    }
    EXPECT_EQ(Take(1), GetValues({0})); // Restored by this packet.
    Start();
    m_mrc->Deny(m_values[0]);
    m_mrc->Deny(m_values[1]);
    m_mrc->Deny(m_values[3]);
    Report(m_values[2], RouteSignal::LOST); // Becomes SKIP: one value stays usable.
    EXPECT_EQ(Take(2), GetValues({2, 2}));
    m_mrc->Deny(m_values[2]);
    EXPECT_EQ(Take(1).size(), 1U); // Any of them; a packet always gets a value.
}

TEST_F(MrcTest, FeedbackForForeignValuesIsIgnored)
{
    Start();
    Report(m_values[0] + 100'000, RouteSignal::LOST);
    Report(0xffffffff, RouteSignal::TIMEOUT);
    EXPECT_EQ(Take(4), m_values);
}
