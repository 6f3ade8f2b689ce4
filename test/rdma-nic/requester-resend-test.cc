// SPDX-License-Identifier: GPL-2.0-only
#include "requester-puppets.h"

#include "ns3/policy-error.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{
/// Asks for the same packets whatever happens.
class FixedRecovery : public PuppetRecovery
{
  public:
    ResendList OnAck(const SendWindow&, const AnswerTiming&) override
    {
        return list;
    }

    ResendList OnNack(const NackEvent&, const SendWindow&) override
    {
        return list;
    }

    ResendList OnTimeout(const SendWindow&, Time) override
    {
        return list;
    }

    ResendList OnRnrNak(const SendWindow&) override
    {
        return list;
    }

    ResendList OnMissingResponse(const SendWindow&) override
    {
        return list;
    }

    ResendList list;
};

class RequesterResends : public RequesterWithPuppets
{
  protected:
    /// Six packets are sent, the first is acknowledged: the window is 1 to 5, or 11 to 15 with
    /// other PSNs.
    void MakeWindow(uint32_t initialPsn)
    {
        m_recovery = m_fixed;
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

    Ptr<FixedRecovery> m_fixed = CreateObject<FixedRecovery>();
};
} // namespace

TEST_F(RequesterResends, StayWithinTheWindow)
{
    const std::string fault = ": OnNack(): expected packets of the window, PSN 1 up to, not "
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
    EXPECT_THROW(m_requester->OnDeadline(PuppetRecovery::TIMEOUT), PolicyError);
}
