// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/link-retry.h"

#include "ns3/type-attributes.h"

#include <algorithm>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(LinkRetry);

namespace
{
/// A tag is a number of 15 bits (UE: 20) and the bit of a damaged frame.
constexpr uint16_t DAMAGED{0x8000};
constexpr uint16_t NUMBERS{DAMAGED - 1};

/// @return how far a is behind b, modulo the number of numbers.
uint16_t
Subtract(uint32_t a, uint32_t b)
{
    return static_cast<uint16_t>((a - b) & NUMBERS);
}

/// @return whether number a is before b: by up to half of all numbers.
bool
IsBefore(uint32_t a, uint32_t b)
{
    return Subtract(a, b) > NUMBERS / 2;
}
} // namespace

TypeId
LinkRetry::GetTypeId()
{
    static TypeId tid =
        TypeAttributes::Of<LinkRetry, LinkPolicy>("ns3::rdma::LinkRetry", "RdmaFabric")
            .Add("AckSpacing",
                 Member(&LinkRetry::m_spacingBytes, 2048, 256, 65535),
                 "Least distance of two acknowledgments, bytes on the wire (2048: SAI)")
            .Add("ReplayTimer",
                 Member(&LinkRetry::m_replayTimer,
                        MicroSeconds(10),
                        Tick{1},
                        Tick{1'000'000'000'000}),
                 "Time without progress until all copies are sent again; the round trip of the "
                 "link, if that is longer (10 us: example of SAI)")
            .Add("MaxFrames",
                 Member(&LinkRetry::m_maxFrames, 8192, 1, NUMBERS / 2),
                 "Unacknowledged frames at which the port stops (8192: inferred)")
            .Add("MaxBytes",
                 Member(&LinkRetry::m_maxBytes, 1U << 20, 1U << 10, 1U << 30),
                 "Size of the replay buffer, bytes (1 MiB: 10 us at 800 Gb/s, inferred)")
            .Add(
                "DetectsDamage",
                Member(&LinkRetry::m_detectsDamage, true),
                "Whether a frame that the link's LossModel drops arrives with a wrong FCS. Else it "
                "does not arrive");
    return tid;
}

Ptr<LinkPolicy>
LinkRetry::Fork() const
{
    auto fork = CreateObject<LinkRetry>();
    fork->m_spacingBytes = m_spacingBytes;
    fork->m_replayTimer = m_replayTimer;
    fork->m_maxFrames = m_maxFrames;
    fork->m_maxBytes = m_maxBytes;
    fork->m_detectsDamage = m_detectsDamage;
    return fork;
}

void
LinkRetry::DoStart()
{
    const LinkEnd& end = GetEnd();
    m_spacing = end.rate.GetDuration(m_spacingBytes);
    // The frame in front of an acknowledged one, the frame itself, both ways, and the other end's
    // spacing.
    const Tick roundTrip =
        2 * (end.delay + end.rate.GetDuration(end.largestFrame + end.overheadBytes)) +
        2 * m_spacing;
    m_timeout = std::max(m_replayTimer, roundTrip);
}

uint8_t
LinkRetry::FindClosed(const HeadSizes&) const
{
    const bool isFull =
        m_held >= m_maxFrames || (m_held > 0 && m_heldBytes + GetEnd().largestFrame > m_maxBytes);
    return isFull ? (1U << PRIORITIES) - 1 : 0;
}

bool
LinkRetry::ChecksFrames() const
{
    return true;
}

void
LinkRetry::OnDeparture(FrameIndex index, Tick now)
{
    FramePool& frames = *GetEnd().frames;
    frames[index].ingressPort = m_next;
    m_next = (m_next + 1) & NUMBERS;
    const FrameIndex copy = frames.Copy(index);
    frames[copy].next = NO_FRAME;
    (m_held == 0 ? m_head : frames[m_tail].next) = copy;
    m_tail = copy;
    m_replayAt = m_held == 0 ? now + m_timeout : m_replayAt;
    ++m_held;
    m_heldBytes += frames[copy].wireBytes;
}

bool
LinkRetry::Damage(Frame& frame)
{
    frame.ingressPort |= m_detectsDamage ? DAMAGED : 0;
    return m_detectsDamage;
}

void
LinkRetry::AckWhenDue(Tick now, LinkAnswer& answer)
{
    if (now < m_ackFrom)
    {
        m_isAckDue = true;
        return;
    }
    LinkMessage message;
    message.kind = ACK;
    message.counts[0] = Subtract(m_expected, 1);
    answer.Add(message);
    m_isAckDue = false;
    m_ackFrom = now + m_spacing;
}

void
LinkRetry::Nack(Tick now, LinkAnswer& answer)
{
    LinkMessage message;
    message.kind = NACK;
    message.counts[0] = Subtract(m_expected, 1);
    answer.Add(message);
    m_isNacked = true;
    m_isAckDue = false; // A NACK acknowledges, too.
    m_ackFrom = now + m_spacing;
}

LinkAnswer
LinkRetry::OnArrival(const Frame& frame, Tick now)
{
    LinkAnswer answer;
    const bool isDamaged = (frame.ingressPort & DAMAGED) != 0;
    const uint16_t number = frame.ingressPort & NUMBERS;
    const bool isReplayBegun = m_isNacked && !IsBefore(m_lastSeen, number);
    m_lastSeen = number;
    answer.isAccepted = !isDamaged && number == m_expected;
    if (answer.isAccepted)
    {
        m_expected = (m_expected + 1) & NUMBERS;
        m_isNacked = false;
        AckWhenDue(now, answer);
    }
    else if (IsBefore(number, m_expected))
    {
        AckWhenDue(now, answer); // A duplicate: an acknowledgment was lost.
    }
    else if (!m_isNacked || isReplayBegun)
    {
        Nack(now, answer);
    }
    return answer;
}

void
LinkRetry::OnAccepted(uint32_t number, Tick now)
{
    FramePool& frames = *GetEnd().frames;
    bool hasProgress = false;
    while (m_held > 0 && !IsBefore(number, frames[m_head].ingressPort))
    {
        const FrameIndex copy = m_head;
        m_head = frames[copy].next;
        m_cursor = m_cursor == copy ? m_head : m_cursor;
        m_heldBytes -= frames[copy].wireBytes;
        --m_held;
        frames.Free(copy);
        hasProgress = true;
    }
    m_replayAt = m_held == 0 ? TICK_NEVER : hasProgress ? now + m_timeout : m_replayAt;
}

void
LinkRetry::Replay(Tick now, LinkAnswer& answer)
{
    m_cursor = m_held > 0 ? m_head : NO_FRAME;
    m_replayAt = m_held > 0 ? now + m_timeout : TICK_NEVER;
    answer.hasReplay = m_held > 0;
}

LinkAnswer
LinkRetry::OnMessage(const LinkMessage& message, Tick now)
{
    LinkAnswer answer;
    if (message.kind == ACK || message.kind == NACK)
    {
        OnAccepted(message.counts[0], now);
    }
    if (message.kind == NACK)
    {
        Replay(now, answer);
    }
    return answer;
}

Tick
LinkRetry::GetDeadline() const
{
    return std::min(m_isAckDue ? m_ackFrom : TICK_NEVER, m_replayAt);
}

LinkAnswer
LinkRetry::OnTimer(Tick now)
{
    LinkAnswer answer;
    if (m_isAckDue)
    {
        AckWhenDue(now, answer);
    }
    if (now >= m_replayAt)
    {
        Replay(now, answer);
    }
    return answer;
}

FrameIndex
LinkRetry::TakeReplay()
{
    if (m_cursor == NO_FRAME)
    {
        return NO_FRAME;
    }
    FramePool& frames = *GetEnd().frames;
    const FrameIndex copy = frames.Copy(m_cursor);
    m_cursor = frames[m_cursor].next;
    return copy;
}

void
LinkRetry::OnLinkDown()
{
    while (m_held > 0)
    {
        OnAccepted(GetEnd().frames->operator[](m_head).ingressPort, 0);
    }
    m_next = 0;
    m_cursor = NO_FRAME;
    m_replayAt = TICK_NEVER;
    m_expected = 0;
    m_lastSeen = 0;
    m_isNacked = false;
    m_isAckDue = false;
}

} // namespace ns3::rdma
