// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FRAME_TAG_H
#define RDMA_FRAME_TAG_H

#include "ns3/frame.h"
#include "ns3/tag.h"

#include <optional>

namespace ns3::rdma
{

/**
 * @ingroup rdma-wire
 * @brief The frame that a packet was encoded from, for fields that are not in the packet's bytes.
 *
 * A decoder uses only fields that are not on the wire.  The tag has the frame's layout in memory,
 * since it never leaves the process.
 */
class FrameTag : public Tag
{
  public:
    FrameTag() = default;
    /// @param detail null if the frame has none; its cargo and INT stack are not kept
    FrameTag(const Frame& frame, const FrameDetail* detail);

    static TypeId GetTypeId();
    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(TagBuffer buffer) const override;
    void Deserialize(TagBuffer buffer) override;
    void Print(std::ostream& os) const override;

    /// @return the frame without fields of its location: list, switch port, pool.
    const Frame& GetFrame() const;
    const std::optional<FrameDetail>& GetDetail() const;

  private:
    Frame m_frame{};
    std::optional<FrameDetail> m_detail;
};

} // namespace ns3::rdma

#endif // RDMA_FRAME_TAG_H
