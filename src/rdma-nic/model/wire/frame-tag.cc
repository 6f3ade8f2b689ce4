// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/frame-tag.h"

#include "ns3/register-type.h"

#include <type_traits>

namespace ns3::rdma
{

RDMA_REGISTER_CLASS(FrameTag, Tag, "RdmaNic");

static_assert(std::is_trivially_copyable_v<Frame> && std::is_trivially_copyable_v<FrameDetail>);

FrameTag::FrameTag(const Frame& frame, const FrameDetail* detail)
    : m_frame(frame)
{
    m_frame.next = NO_FRAME;
    m_frame.ingressPort = 0;
    m_frame.flags = ChangeFlags(m_frame.flags, frame_flag::DETAILED, false);
    if (detail)
    {
        m_detail = *detail;
        m_detail->cargo = nullptr;
        m_detail->path = nullptr;
    }
}

TypeId
FrameTag::GetInstanceTypeId() const
{
    return GetTypeId();
}

uint32_t
FrameTag::GetSerializedSize() const
{
    return sizeof(Frame) + 1 + sizeof(FrameDetail);
}

void
FrameTag::Serialize(TagBuffer buffer) const
{
    const FrameDetail detail = m_detail.value_or(FrameDetail{});
    buffer.Write(reinterpret_cast<const uint8_t*>(&m_frame), sizeof m_frame);
    buffer.WriteU8(m_detail ? 1 : 0);
    buffer.Write(reinterpret_cast<const uint8_t*>(&detail), sizeof detail);
}

void
FrameTag::Deserialize(TagBuffer buffer)
{
    FrameDetail detail{};
    buffer.Read(reinterpret_cast<uint8_t*>(&m_frame), sizeof m_frame);
    const bool isDetailed = buffer.ReadU8() != 0;
    buffer.Read(reinterpret_cast<uint8_t*>(&detail), sizeof detail);
    m_detail = isDetailed ? std::optional(detail) : std::nullopt;
}

void
FrameTag::Print(std::ostream& os) const
{
    os << "sent at " << m_frame.sendTime << " ps by QP " << m_frame.srcQp;
}

const Frame&
FrameTag::GetFrame() const
{
    return m_frame;
}

const std::optional<FrameDetail>&
FrameTag::GetDetail() const
{
    return m_detail;
}

} // namespace ns3::rdma
