// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/link-policy.h"

#include "ns3/register-type.h"

namespace ns3::rdma
{

namespace
{
constexpr uint16_t MESSAGE_FRAME_BYTES{60}; ///< The least size of an Ethernet frame, without FCS.
constexpr uint16_t ORDERED_SET_BYTES{8};    ///< UE 1.0, section 6.2: one block of 64 bits.
} // namespace

RDMA_REGISTER_BASE(LinkPolicy, Object, "RdmaFabric");

LinkMessage
ReadLinkMessage(const Frame& frame)
{
    LinkMessage message;
    message.kind = frame.opcode;
    message.isFrame = frame.wireBytes >= MESSAGE_FRAME_BYTES;
    message.isUpkeep = frame.payloadBytes > 0;
    message.classes = {frame.priority, frame.syndrome};
    message.counts = {frame.psn, frame.srcQp};
    return message;
}

Frame
MakeLinkFrame(const LinkMessage& message)
{
    Frame frame{};
    frame.flags = frame_flag::MAC_CONTROL;
    frame.opcode = message.kind;
    frame.wireBytes = message.isFrame ? MESSAGE_FRAME_BYTES : ORDERED_SET_BYTES;
    frame.payloadBytes = message.isUpkeep;
    frame.priority = message.classes[0];
    frame.syndrome = message.classes[1];
    frame.psn = message.counts[0] & LinkMessage::COUNT_MASK;
    frame.srcQp = message.counts[1] & LinkMessage::COUNT_MASK;
    return frame;
}

void
LinkPolicy::Start(const LinkEnd& end)
{
    m_end = end;
    DoStart();
}

void
LinkPolicy::DoStart()
{
}

uint64_t
LinkPolicy::GetBuffer(uint32_t) const
{
    return 0;
}

uint8_t
LinkPolicy::FindClosed(const HeadSizes&) const
{
    return 0;
}

bool
LinkPolicy::IsSenderClosed(uint32_t) const
{
    return false;
}

bool
LinkPolicy::ChecksFrames() const
{
    return false;
}

void
LinkPolicy::OnDeparture(FrameIndex, Tick)
{
}

bool
LinkPolicy::Damage(Frame&)
{
    return false;
}

LinkAnswer
LinkPolicy::OnArrival(const Frame&, Tick)
{
    return {};
}

LinkAnswer
LinkPolicy::OnRelease(uint32_t, uint32_t, Tick)
{
    return {};
}

LinkAnswer
LinkPolicy::OnMessage(const LinkMessage&, Tick)
{
    return {};
}

Tick
LinkPolicy::GetDeadline() const
{
    return TICK_NEVER;
}

LinkAnswer
LinkPolicy::OnTimer(Tick)
{
    return {};
}

bool
LinkPolicy::IsUpkeep() const
{
    return false;
}

FrameIndex
LinkPolicy::TakeReplay()
{
    return NO_FRAME;
}

void
LinkPolicy::OnLinkDown()
{
}

} // namespace ns3::rdma
