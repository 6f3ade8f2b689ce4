// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FRAME_MAKER_H
#define RDMA_FRAME_MAKER_H

#include "ns3/frame-pool.h"
#include "ns3/header-sizes.h"
#include "ns3/queue-pair.h"

namespace ns3::rdma
{

/// What a NIC's frames have in common.
struct FrameStyle
{
    HeaderSizes sizes;
    uint32_t endpoint{0};     ///< Id of the sending port.
    bool hasPsnOffset{false}; ///< Whether the wire format has it.
    uint8_t dataPriority{0};
    uint8_t ackPriority{0};
    uint8_t cnpPriority{0};
    IntRules intRules; ///< Also used for frame sizes.
};

/**
 * @ingroup rdma-nic
 * @brief Makes the frames of the packets that transports send.
 */
class FrameMaker
{
  public:
    FrameMaker(FramePool& pool, const FrameStyle& style);

    const FrameStyle& GetStyle() const
    {
        return m_style;
    }

    /// A request, or a response of an acknowledged READ.
    FrameIndex MakeData(const QueuePair& queuePair, const Requester::Outgoing& packet, Tick now);

    /// A READ response with the PSNs of its request.
    FrameIndex MakeReadResponse(const QueuePair& queuePair, const ReadResponsePlan& plan, Tick now);

    FrameIndex MakeAcknowledgment(const QueuePair& queuePair, const Acknowledgment& answer);

    /// @param granted as Frame::grantedCredit
    FrameIndex MakeCredit(const QueuePair& queuePair, uint32_t granted);

    /// @param up as Frame::usablePorts
    FrameIndex MakeProbe(const QueuePair& queuePair, const Requester::Probe& probe, Tick now);
    FrameIndex MakePorts(const QueuePair& queuePair, uint32_t up);

    /// @param marked the frame that CE was set in
    FrameIndex MakeCnp(const QueuePair& queuePair, const Frame& marked);

  private:
    FrameIndex MakePacket(const QueuePair& queuePair, const Requester::Outgoing& packet, Tick now);
    FrameIndex Make(const QueuePair& queuePair, uint8_t code, uint8_t priority, uint32_t payload);
    void AddReport(FrameIndex index, const Acknowledgment& answer);
    void AddDetail(FrameIndex index, const QueuePair& queuePair, const PacketPlan& plan);
    void AddPayload(FrameIndex index, const QueuePair& queuePair, const PacketPlan& plan);

    FramePool& m_pool;
    FrameStyle m_style;
};

} // namespace ns3::rdma

#endif // RDMA_FRAME_MAKER_H
