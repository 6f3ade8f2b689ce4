// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_FRAME_PAYLOAD_H
#define FPGA_FRAME_PAYLOAD_H

#include "ns3/byte-view.h"
#include "ns3/frame.h"

#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup fpga-kernel
 * @brief The payload bytes of a packet; zeros if the packet carries none.
 */
class FramePayload
{
  public:
    /// Both arguments outlive this.
    /// @param detail null if the frame has none
    FramePayload(const Frame& frame, const FrameDetail* detail);

    FramePayload(const FramePayload&) = delete;
    FramePayload& operator=(const FramePayload&) = delete;

    ByteView GetView() const
    {
        return m_view;
    }

  private:
    std::vector<uint8_t> m_zeros;
    ByteView m_view;
};

} // namespace ns3::rdma

#endif // FPGA_FRAME_PAYLOAD_H
