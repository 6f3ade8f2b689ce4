// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/credit-link.h"

#include "ns3/type-attributes.h"

#include <algorithm>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(CreditLink);

namespace
{
constexpr uint32_t MASK{(1U << 20) - 1}; ///< Counters have 20 bits (SAI, doc/CBFC).
constexpr uint64_t LEAST_BYTES{256};
/// MASK credits of 64 bytes.
constexpr uint64_t MOST_BYTES{uint64_t{MASK} * 64};
/// CC_Updates without news that still count as work. It is unlikely that a link loses all of them.
constexpr uint32_t REPEATS{16};

uint32_t
Subtract(uint32_t a, uint32_t b)
{
    return (a - b) & MASK;
}
} // namespace

TypeId
CreditLink::GetTypeId()
{
    static TypeId tid =
        TypeAttributes::Of<CreditLink, LinkPolicy>("ns3::rdma::CreditLink", "RdmaFabric")
            .Add("Credits",
                 Member(&CreditLink::m_bytes, 64 * 1024, LEAST_BYTES, MOST_BYTES),
                 "Buffer that each end of the link sets aside for each class, bytes (64 KiB: above "
                 "the product of 400 Gb/s and 1 us, inferred)")
            .Add("Classes",
                 Member(&CreditLink::m_classes, 0x08, 1),
                 "Bit mask of the classes with credits (bit 3: RoCE's usual class)")
            .Add("CreditSize",
                 Member(&CreditLink::m_creditSize, 128, 64, 4096),
                 "Bytes of a credit, that is of a cell of the buffer (128: SAI)")
            .Add("PacketOverhead",
                 Member(&CreditLink::m_packetOverhead, 0, 0, 127),
                 "Bytes of the buffer that a frame takes in addition (0, at most 127: SAI)")
            .Add("CfMinSpacing",
                 Member(&CreditLink::m_spacingBytes, 6400, 800, 1U << 20),
                 "Least distance of two CF_Updates, bytes on the wire (6400, at least 800: SAI)")
            .Add("CcPeriod",
                 Member(&CreditLink::m_period,
                        MicroSeconds(256),
                        Tick{1'000'000},
                        Tick{250'000'000'000}),
                 "Time between two CC_Updates (256 us, 1 us to 250 ms: SAI)");
    return tid;
}

Ptr<LinkPolicy>
CreditLink::Fork() const
{
    auto fork = CreateObject<CreditLink>();
    fork->m_bytes = m_bytes;
    fork->m_period = m_period;
    fork->m_spacingBytes = m_spacingBytes;
    fork->m_creditSize = m_creditSize;
    fork->m_packetOverhead = m_packetOverhead;
    fork->m_classes = m_classes;
    return fork;
}

void
CreditLink::DoStart()
{
    m_spacing = GetEnd().rate.GetDuration(m_spacingBytes);
}

uint64_t
CreditLink::GetBuffer(uint32_t classNumber) const
{
    return HasClass(classNumber) ? uint64_t{GetLimit()} * m_creditSize : 0;
}

uint8_t
CreditLink::FindClosed(const HeadSizes& heads) const
{
    uint32_t closed = 0;
    for (uint32_t left = m_classes; left != 0; left &= left - 1)
    {
        const auto number = static_cast<uint32_t>(__builtin_ctz(left));
        const ClassState& state = m_states[number];
        const uint32_t next = heads[number] ? heads[number] : GetEnd().largestFrame;
        const uint32_t inUse = Subtract(state.sent, state.freed);
        // A frame above the limit is sent if no credit is in use.
        closed |= uint32_t{inUse > 0 && inUse + CountCells(next) > GetLimit()} << number;
    }
    return static_cast<uint8_t>(closed);
}

bool
CreditLink::IsSenderClosed(uint32_t classNumber) const
{
    const ClassState& state = m_states[classNumber];
    return HasClass(classNumber) &&
           Subtract(state.accepted, state.released) + CountCells(GetEnd().largestFrame) >
               GetLimit();
}

bool
CreditLink::IsAnyInUse() const
{
    return std::any_of(m_states.begin(), m_states.end(), [](const ClassState& state) {
        return state.sent != state.freed;
    });
}

void
CreditLink::OnDeparture(FrameIndex index, Tick now)
{
    const Frame& frame = (*GetEnd().frames)[index];
    if ((frame.flags & frame_flag::MAC_CONTROL) != 0 || !HasClass(frame.priority))
    {
        return;
    }
    uint32_t& sent = m_states[frame.priority].sent;
    sent = (sent + CountCells(frame.wireBytes)) & MASK;
    m_repeats = 0;
    m_syncAt = m_syncAt == TICK_NEVER ? now + m_period : m_syncAt;
}

LinkAnswer
CreditLink::OnArrival(const Frame& frame, Tick)
{
    if ((frame.flags & frame_flag::MAC_CONTROL) == 0 && HasClass(frame.priority))
    {
        uint32_t& accepted = m_states[frame.priority].accepted;
        accepted = (accepted + CountCells(frame.wireBytes)) & MASK;
    }
    return {};
}

LinkAnswer
CreditLink::OnRelease(uint32_t classNumber, uint32_t wireBytes, Tick now)
{
    LinkAnswer answer;
    if (HasClass(classNumber))
    {
        uint32_t& released = m_states[classNumber].released;
        released = (released + CountCells(wireBytes)) & MASK;
        m_due |= static_cast<uint8_t>(1U << classNumber);
        m_isDueUpkeep = false;
        Report(now, answer);
    }
    return answer;
}

void
CreditLink::Report(Tick now, LinkAnswer& answer)
{
    if (m_due == 0 || now < m_reportFrom)
    {
        return;
    }
    LinkMessage message;
    message.kind = CREDITS_FREED;
    message.isUpkeep = m_isDueUpkeep;
    for (uint32_t place = 0; place < LinkMessage::MAX_COUNTS && m_due != 0; ++place)
    {
        const auto number = static_cast<uint8_t>(__builtin_ctz(m_due));
        message.classes[place] = number;
        message.counts[place] = m_states[number].released;
        m_due &= static_cast<uint8_t>(m_due - 1);
    }
    answer.Add(message);
    m_reportFrom = now + m_spacing;
}

LinkAnswer
CreditLink::OnMessage(const LinkMessage& message, Tick now)
{
    LinkAnswer answer;
    for (uint32_t place = 0; place < LinkMessage::MAX_COUNTS; ++place)
    {
        const uint32_t number = message.classes[place];
        if (number >= PRIORITIES)
        {
            continue;
        }
        ClassState& state = m_states[number];
        const uint32_t count = message.counts[place];
        if (message.kind == CREDITS_FREED)
        {
            m_repeats = state.freed == count ? m_repeats : 0;
            state.freed = count;
        }
        else if (message.kind == CREDITS_CONSUMED)
        {
            // The difference was lost on the link, and takes no buffer.
            state.released = (state.released + Subtract(count, state.accepted)) & MASK;
            m_isDueUpkeep =
                message.isUpkeep && state.accepted == count && (m_due == 0 || m_isDueUpkeep);
            state.accepted = count;
            m_due |= static_cast<uint8_t>(1U << number);
        }
    }
    if (message.kind == CREDITS_FREED && !IsAnyInUse())
    {
        m_syncAt = TICK_NEVER;
    }
    Report(now, answer);
    return answer;
}

Tick
CreditLink::GetDeadline() const
{
    return std::min(m_due == 0 ? TICK_NEVER : m_reportFrom, m_syncAt);
}

void
CreditLink::ReportSent(LinkAnswer& answer)
{
    uint32_t open = 0;
    for (uint32_t number = 0; number < PRIORITIES; ++number)
    {
        open |= uint32_t{m_states[number].sent != m_states[number].freed} << number;
    }
    while (open != 0)
    {
        LinkMessage message;
        message.kind = CREDITS_CONSUMED;
        message.isFrame = true;
        message.isUpkeep = m_repeats >= REPEATS;
        for (uint32_t place = 0; place < LinkMessage::MAX_COUNTS && open != 0; ++place)
        {
            const auto number = static_cast<uint8_t>(__builtin_ctz(open));
            message.classes[place] = number;
            message.counts[place] = m_states[number].sent;
            open &= open - 1;
        }
        answer.Add(message);
    }
}

LinkAnswer
CreditLink::OnTimer(Tick now)
{
    LinkAnswer answer;
    Report(now, answer);
    if (now >= m_syncAt)
    {
        ReportSent(answer);
        ++m_repeats;
        m_syncAt = now + m_period;
    }
    return answer;
}

bool
CreditLink::IsUpkeep() const
{
    return m_repeats >= REPEATS && (m_due == 0 || m_isDueUpkeep);
}

} // namespace ns3::rdma
