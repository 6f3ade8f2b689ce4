// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_REQUESTER_FAKES_H
#define RDMA_REQUESTER_FAKES_H

#include "ns3/opcode.h"
#include "ns3/requester.h"

#include <gtest/gtest.h>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3::rdma
{

/// A congestion control that does what the test sets, and records its calls.
class FakeControl : public CongestionControl
{
  public:
    Ptr<CongestionControl> Fork() const override
    {
        return nullptr;
    }

    Feedback GetNeededFeedback() const override
    {
        return Feedback::NONE;
    }

    void Start(const PathInfo& path, Time) override
    {
        limit.rate = path.lineRate;
        started = path;
    }

    void OnAck(const AckEvent& ack) override
    {
        acks.push_back(ack);
    }

    void OnLoss(const LossEvent& loss) override
    {
        losses.push_back(loss);
    }

    void OnTimeout(const LossEvent& loss) override
    {
        timeouts.push_back(loss);
    }

    void OnCnp(Time) override
    {
        ++cnps;
    }

    bool OnSent(uint32_t wireBytes, Time) override
    {
        sent.push_back(wireBytes);
        return true;
    }

    bool NeedsOnSent() const override
    {
        return hearsOfSent;
    }

    void OnDeadline(Time now) override
    {
        deadlines.push_back(now);
        limit.deadline = Time::Max();
    }

    SendLimit GetLimit() const override
    {
        return limit;
    }

    SendLimit limit;
    bool hearsOfSent{true};
    uint32_t cnps{0};
    PathInfo started{};
    std::vector<AckEvent> acks;
    std::vector<LossEvent> losses;
    std::vector<LossEvent> timeouts;
    std::vector<uint32_t> sent;
    std::vector<Time> deadlines;
};

/// Waits longer after each expiry in a row.
class FakeTimeout : public RetransmissionTimeout
{
  public:
    /// Of the first expiry; the next one takes this much longer, and so on.
    static constexpr Tick TIMEOUT{100'000'000};

    Time Get(const AwaitedAnswer& awaited) const override
    {
        return ToTime(TIMEOUT * (awaited.consecutive + 1));
    }
};

/// A window, with copied ends.
struct SeenWindow
{
    Psn unacked;
    Psn next;
    uint32_t held; ///< Packets that the receiver holds.
};

/// Go-back-N that remembers its calls.
class FakeDetector : public LossDetector
{
  public:
    Ptr<LossDetector> Fork() const override
    {
        return nullptr;
    }

    DetectorTraits GetTraits() const override
    {
        DetectorTraits traits;
        traits.responder = rules;
        return traits;
    }

    void OnSent(const PacketDeparture& packet) override
    {
        sent.emplace_back(packet.psns.first.Get(), packet.psns.end.Get(), packet.now);
        wereResent.push_back(packet.isRetransmission);
    }

    LostPackets OnReport(const AckReport& report, const Scoreboard& board, Time now) override
    {
        uint32_t held = 0;
        for (uint32_t i = 0; i < board.GetCount(); ++i)
        {
            held += board.IsHeld(board.GetUnacked() + i);
        }
        (report.isNak ? naks : acks).push_back(report);
        times.push_back(now);
        windows.push_back({board.GetUnacked(), board.GetNext(), held});
        return report.isNak ? LostPackets{{report.cumulative, board.GetNext()}} : LostPackets{};
    }

    LostPackets OnTrigger(LossTrigger trigger, const Scoreboard& board, Time now) override
    {
        if (trigger == LossTrigger::TIMEOUT)
        {
            expiries.push_back(now);
            return {{board.GetUnacked(), board.GetNext()}};
        }
        if (trigger == LossTrigger::DEADLINE)
        {
            deadlines.push_back(now);
            deadline = Time::Max();
            return late;
        }
        return LossDetector::OnTrigger(trigger, board, now);
    }

    NextLook GetNextLook() const override
    {
        NextLook next;
        next.deadline = deadline;
        return next;
    }

    ResponderRules rules;                                   ///< Go-back-N.
    std::vector<std::tuple<uint32_t, uint32_t, Time>> sent; ///< First and end.
    std::vector<bool> wereResent;                           ///< Of sent.
    std::vector<AckReport> acks;
    std::vector<AckReport> naks;
    std::vector<Time> times;         ///< Of both.
    std::vector<SeenWindow> windows; ///< Likewise.
    std::vector<Time> expiries;
    std::vector<Time> deadlines;
    Time deadline{Time::Max()};
    LostPackets late; ///< At a deadline.
};

/// Work requests that ended, in short: number and status.
using Ends = std::vector<std::pair<uint64_t, WcStatus>>;

inline Ends
GetEnds(const Completions& completions)
{
    Ends ends;
    for (const WorkCompletion& completion : completions)
    {
        ends.emplace_back(completion.wrId, completion.status);
    }
    return ends;
}

/// A requester between two fakes.
class RequesterWithFakes : public testing::Test
{
  protected:
    static constexpr uint32_t MTU{1000};
    static constexpr Tick US{1'000'000};

    RequesterConfig MakeConfig(uint32_t initialPsn, uint32_t retryCount, uint64_t flightCap)
    {
        RequesterConfig config{};
        config.congestionControl = m_control;
        config.lossDetector = m_detector;
        config.timeout = m_timeout;
        config.path = {DataRate("100Gbps"), MicroSeconds(8), MTU};
        config.flightCapBytes = flightCap;
        config.retryCount = retryCount;
        config.initialPsn = initialPsn;
        return config;
    }

    /// Makes the requester. Frames have no headers: a packet is as long as its payload.
    void Make(uint32_t initialPsn = 0, uint32_t retryCount = 2, uint64_t flightCap = UINT64_MAX)
    {
        m_requester = std::make_unique<Requester>(MakeConfig(initialPsn, retryCount, flightCap), 0);
    }

    bool CanSend(Tick now = 0) const
    {
        return m_requester->GetNextSendTime() <= now;
    }

    /// Sends one packet. @return its PSN.
    uint32_t Send(Tick now = 0)
    {
        m_last = m_requester->TakeNext(now);
        m_requester->OnSent(m_last, m_last.plan.payloadBytes, m_last.plan.payloadBytes, now);
        return m_last.psn.Get();
    }

    /// Sends whatever may leave now. @return the PSNs.
    std::vector<uint32_t> SendAll(Tick now = 0)
    {
        std::vector<uint32_t> psns;
        while (CanSend(now))
        {
            psns.push_back(Send(now));
        }
        return psns;
    }

    Ends Receive(uint32_t psn, uint8_t code, Tick now, uint8_t flags, uint32_t selective = 0)
    {
        Frame frame{};
        frame.opcode = opcode::ACK;
        frame.psn = psn;
        frame.syndrome = code;
        frame.flags = flags;
        frame.ack.selectivePsn = selective;
        return GetEnds(m_requester->OnAck(frame, now));
    }

    Ends Ack(uint32_t psn, Tick now = 0)
    {
        return Receive(psn, syndrome::ACK, now, 0);
    }

    Ends Nak(uint32_t psn, Tick now = 0)
    {
        return Receive(psn, syndrome::NAK_PSN_SEQUENCE, now, 0);
    }

    Ptr<FakeControl> m_control = CreateObject<FakeControl>();
    Ptr<FakeDetector> m_detector = CreateObject<FakeDetector>();
    Ptr<FakeTimeout> m_timeout = CreateObject<FakeTimeout>();
    std::unique_ptr<Requester> m_requester;
    OutgoingPacket m_last{};
};

} // namespace ns3::rdma

#endif // RDMA_REQUESTER_FAKES_H
