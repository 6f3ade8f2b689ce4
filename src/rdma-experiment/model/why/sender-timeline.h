// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SENDER_TIMELINE_H
#define RDMA_SENDER_TIMELINE_H

#include "ns3/flow-channel.h"

#include <optional>

namespace ns3::rdma
{

/// A packet of the queue pair on the wire at the sender.
struct SentFrame
{
    Tick from;
    Tick until;
    bool isResend;
    uint32_t port;
    uint32_t resentFor; ///< FrameTrail::resentFor.
};

/// The first span of a list that ends after a time, if it has begun. Times must not go back.
template <typename Span>
class SpanCursor
{
  public:
    explicit SpanCursor(const std::vector<Span>& spans)
        : m_spans(spans)
    {
    }

    const Span* Find(Tick at)
    {
        while (m_next < m_spans.size() && m_spans[m_next].until <= at)
        {
            ++m_next;
        }
        const bool isIn = m_next < m_spans.size() && m_spans[m_next].from <= at;
        return isIn ? &m_spans[m_next] : nullptr;
    }

  private:
    const std::vector<Span>& m_spans;
    std::size_t m_next{0};
};

/**
 * @ingroup rdma-why
 * @brief Why a message's sender has not sent its decisive packet earlier: accounts for the time
 * until the packet's first bit leaves.
 *
 * The decisive packet is the one on which the acknowledgment was made that completed the message.
 * At each instant one thing holds: a packet of the message is on the wire; or nothing may be sent,
 * until an answer or a timer changes that; or the rate does not allow it yet; or something may be
 * sent, and the chip or the port is occupied.  All of these change only at recorded times, so what
 * holds between two of them is one cause.
 */
class SenderTimeline
{
  public:
    /// All outlive this. @param decisive packet of the channel
    SenderTimeline(const FlowChannel& channel,
                   MessageSpan message,
                   const FrameTrail& decisive,
                   const PortLogs& ports);

    /// From the account's cursor until the decisive packet leaves.
    void AddTo(FlowAccount& account);

  private:
    void FindFrames();
    static void SortByTime(std::vector<SentFrame>& frames);
    void FindEnders();
    std::vector<Tick> FindCuts(Tick from) const;
    bool MaySend(const SendSample& sample) const;
    bool HasWork(const SendSample& sample) const;
    bool IsOfResend(const SendSample& sample) const;
    /// @return the port that has trimmed the packet whose answer shows a loss next, if one has.
    uint32_t FindTrim() const;
    void Advance(Tick at);

    FlowPlace Classify(Tick at);
    FlowCause ClassifyStage(Tick at);
    FlowCause ClassifySample(const SendSample& sample, Tick at);
    FlowCause ClassifyBlocked() const;
    FlowCause ClassifyCredit() const;
    FlowCause ClassifyReady(Tick at);
    FlowCause ClassifyPort(Tick at);

    /// A wait for the window or for credit: by what the awaited frames met.
    void AddAwaited(FlowAccount& account, FlowCause cause, Tick until);
    /// Sets m_round to what the frames met that a sample has ended the wait with.
    void MakeRound(std::size_t ender);

    static constexpr std::size_t NONE{SIZE_MAX};

    const FlowChannel& m_channel;
    MessageSpan m_message;
    const FrameTrail& m_decisive;
    const PortLogs& m_ports;
    uint32_t m_port;                   ///< Of the decisive packet.
    Tick m_takenAt;                    ///< The decisive packet was taken from its queue pair.
    Tick m_sentAt;                     ///< Its first bit left.
    std::vector<SentFrame> m_own;      ///< Of the message.
    std::vector<SentFrame> m_others;   ///< Of other messages of the queue pair.
    std::vector<std::size_t> m_enders; ///< By sample: the next one that may send, or NONE.
    std::vector<std::size_t> m_grants; ///< By sample: the next one that has credit, or NONE.
    std::size_t m_sample{NONE};        ///< The one that holds at present.
    SpanCursor<SentFrame> m_ownCursor;
    SpanCursor<SentFrame> m_otherCursor;
    SpanCursor<TimeSpan> m_pauses;
    SpanCursor<TimeSpan> m_busy;
    SpanCursor<SendTurn> m_turns;
    std::size_t m_roundEnder{NONE};     ///< Of m_round.
    Tick m_roundStart{0};               ///< Of a grant: the receiver's NIC sends it; else 0.
    std::optional<FlowAccount> m_round; ///< Unset: no frame has ended the wait.
};

/// Of one message.
struct FlowTimes
{
    Tick start;  ///< Of the flow.
    Tick posted; ///< Of what is sent as packets: later only after a fluid start.
    Tick end;    ///< The sender has its completion.
};

/// Divides the completion time of a message. @return unset if the answer that has completed it is
/// not in the channel
std::optional<FlowAccount> MakeAccount(const FlowChannel& channel,
                                       MessageSpan message,
                                       const FlowTimes& times,
                                       const PortLogs& ports);

} // namespace ns3::rdma

#endif // RDMA_SENDER_TIMELINE_H
