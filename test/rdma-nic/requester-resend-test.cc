// SPDX-License-Identifier: GPL-2.0-only
#include "requester-fakes.h"

#include "ns3/policy-error.h"
#include "ns3/selective-repeat.h"
#include "ns3/timeouts.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{
/// Returns the same packets whatever happens.
class FixedDetector : public FakeDetector
{
  public:
    LostPackets OnReport(const AckReport&, const Scoreboard&, Time) override
    {
        return list;
    }

    LostPackets OnTrigger(LossTrigger, const Scoreboard&, Time) override
    {
        return list;
    }

    LostPackets list;
};

class RequesterResends : public RequesterWithFakes
{
  protected:
    /// Six packets are sent, the first is acknowledged: the window is 1 to 5, or 11 to 15 with
    /// other PSNs.
    void MakeWindow(uint32_t initialPsn)
    {
        m_detector = m_fixed;
        m_fixed->list = {};
        Make(initialPsn);
        m_requester->Post(1, 6 * MTU);
        SendAll();
        Ack(initialPsn);
    }

    /// @return what is said of an answer; empty: nothing.
    std::string FindFault(uint32_t initialPsn, const PsnRange& range)
    {
        MakeWindow(initialPsn);
        m_fixed->list = {range};
        try
        {
            Nak(initialPsn + 1);
            return "";
        }
        catch (const PolicyError& error)
        {
            return error.what();
        }
    }

    Ptr<FixedDetector> m_fixed = CreateObject<FixedDetector>();
};
} // namespace

TEST_F(RequesterResends, StayWithinTheWindow)
{
    const std::string fault = ": OnReport(): expected packets of the window, PSN 1 up to, not "
                              "including, 6, got ";
    EXPECT_EQ(FindFault(0, {Psn(1), Psn(6)}), "");
    EXPECT_EQ(FindFault(0, {Psn(3), Psn(3)}), ""); // Nothing.
    for (const auto& [range, got] : {std::pair(PsnRange{Psn(0), Psn(6)}, "0 up to"),
                                     std::pair(PsnRange{Psn(1), Psn(7)}, "1 up to"),
                                     std::pair(PsnRange{Psn(6), Psn(9)}, "6 up to"),
                                     std::pair(PsnRange{Psn(5), Psn(2)}, "5 up to"),
                                     std::pair(PsnRange{Psn(0xffffff), Psn(3)}, "16777215 up to")})
    {
        EXPECT_NE(FindFault(0, range).find(fault + got), std::string::npos) << FindFault(0, range);
    }
    // Across the end of the PSNs: 0xfffffe is acknowledged, 0xffffff to 3 are the window.
    EXPECT_EQ(FindFault(0xfffffe, {Psn(0xffffff), Psn(4)}), "");
    EXPECT_NE(FindFault(0xfffffe, {Psn(0xfffffe), Psn(4)}), "");
    EXPECT_NE(FindFault(0xfffffe, {Psn(2), Psn(5)}), "");
}

TEST_F(RequesterResends, AreCheckedAfterEachCallThatAsksForThem)
{
    MakeWindow(0);
    m_fixed->list = {{Psn(9), Psn(10)}};
    EXPECT_THROW(Ack(2), PolicyError);
    EXPECT_THROW(Nak(3), PolicyError);
    EXPECT_THROW(Receive(3, 0x20, 0, 0), PolicyError); // RNR NAK.
    MakeWindow(0);
    m_fixed->list = {{Psn(9), Psn(10)}};
    EXPECT_THROW(m_requester->OnDeadline(FakeTimeout::TIMEOUT), PolicyError);
}

TEST_F(RequesterResends, GiveTheirPayloadToCongestionControl)
{
    for (const uint32_t initialPsn : {0U, 0xfffffeU}) // The second time across the wrap.
    {
        m_control->losses.clear();
        EXPECT_EQ(FindFault(initialPsn, {Psn(initialPsn + 2), Psn(initialPsn + 4)}),
                  ""); // Of 1 to 5.
        ASSERT_EQ(m_control->losses.size(), 1);
        EXPECT_EQ(m_control->losses[0].lostBytes, 2 * MTU);
        EXPECT_EQ(m_requester->GetWindow().CountLost(), 2);
    }
}

TEST_F(RequesterWithFakes, AReadWhoseResponseIsHereIsNotAskedForAgain)
{
    RequesterConfig config;
    config.congestionControl = m_control;
    config.timeout = CreateObject<BackoffTimeout>();
    config.lossDetector = CreateObject<SelectiveRepeat>(); // READ responses have PSNs of their own.
    config.path = {DataRate("100Gbps"), MicroSeconds(1), MTU};
    config.flightCapBytes = std::numeric_limits<uint64_t>::max();
    config.retryCount = 7;
    config.initialPsn = 0;
    Requester requester(config, 0);
    SendWorkRequest request;
    request.opcode = WrOpcode::RDMA_READ;
    request.sgList.push_back({0x1000, 100, 0});
    requester.Post(request, WcStatus::SUCCESS);
    requester.OnSent(requester.TakeNext(0), 100, 100, 0);
    Frame ack{};
    ack.opcode = opcode::ACK;
    ack.syndrome = syndrome::ACK;
    requester.OnAck(ack, 0);
    requester.OnDeadline(requester.GetDeadline()); // It is still awaited: the peer is asked again.
    ASSERT_TRUE(requester.GetWindow().HasLost());
    EXPECT_EQ(requester.OnReadsDone(1, requester.GetDeadline()).size(), 1U); // Then it comes.
    EXPECT_FALSE(requester.GetWindow().HasLost());
    EXPECT_EQ(requester.GetNextSendTime(), TICK_NEVER);
}
