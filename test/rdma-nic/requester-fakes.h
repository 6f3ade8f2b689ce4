// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_REQUESTER_PUPPETS_H
#define RDMA_REQUESTER_PUPPETS_H

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

/// Go-back-N with one timeout, that remembers the windows it was shown.
class FakeRecovery : public LossRecovery
{
  public:
    Ptr<LossRecovery> Fork() const override
    {
        return nullptr;
    }

    ResponderRules GetResponderRules() const override
    {
        return rules;
    }

    /// Of the first expiry; the next one takes this much longer, and so on.
    static constexpr Tick TIMEOUT{100'000'000};

    Time GetTimeout(const SendWindow&, uint32_t retries) const override
    {
        return ToTime(TIMEOUT * (retries + 1));
    }

    void OnSent(const PsnRange& packets, Time now) override
    {
        sent.emplace_back(packets.first.Get(), packets.end.Get(), now);
    }

    ResendList OnAck(const SendWindow& window, const AnswerTiming& timing) override
    {
        timings.push_back(timing);
        acked.push_back(window);
        return {};
    }

    ResendList OnNack(const NackEvent& nack, const SendWindow& window) override
    {
        nacks.push_back(nack);
        return {{nack.expected, window.next}};
    }

    ResendList OnTimeout(const SendWindow& window, Time now) override
    {
        expiries.push_back(now);
        return {{window.unacked, window.next}};
    }

    ResponderRules rules;                                   ///< Go-back-N.
    std::vector<std::tuple<uint32_t, uint32_t, Time>> sent; ///< First and end.
    std::vector<AnswerTiming> timings;                      ///< Of acked.
    std::vector<Time> expiries;
    std::vector<SendWindow> acked;
    std::vector<NackEvent> nacks;
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
        config.lossRecovery = m_recovery;
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
        m_last = m_requester->TakeNext();
        m_requester->OnSent(m_last, m_last.plan.payloadBytes, now);
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
    Ptr<FakeRecovery> m_recovery = CreateObject<FakeRecovery>();
    std::unique_ptr<Requester> m_requester;
    Requester::Outgoing m_last{};
};

} // namespace ns3::rdma

#endif // RDMA_REQUESTER_PUPPETS_H
