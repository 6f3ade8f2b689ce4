// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_EMPTY_QUEUE_STALL_H
#define RDMA_EMPTY_QUEUE_STALL_H

#include "ns3/fabric-core.h"
#include "ns3/nic-hardware.h"
#include "ns3/queue-pair-table.h"

#include <deque>
#include <functional>

namespace ns3::rdma
{

/**
 * @ingroup rdma-nic
 * @brief Holds the packets of a port while the oldest one waits for a receive request.
 *
 * If a packet of an unreliable service needs a receive request and its queue is empty, the chip
 * reads the queue again and again until a request has been posted or
 * ReceiveWqeCache::EmptyTimeout has passed.  All later packets of the port wait behind it in the
 * ReceiveBuffer, which then pauses the link (LinkPauser) or overflows.  After the timeout the
 * packet is handled as without this unit: it is dropped.  Packets that waited behind it are
 * handled at once, up to the next that finds its queue empty.
 *
 * Not modelled: the timeout of mlx5 also disables the wait until the driver enables it again.  A
 * packet waits even if its message has lost an earlier packet.  A reliable connection has RNR NAKs
 * and never waits.
 *
 * Source: Mellanox WinOF User Manual 4.70, section 8.13.3 (Poll Mode): processing of the packet and
 * of all following ones is halted while the descriptor is polled, the back-pressure reaches the
 * flow control, and after a limit of time the packet is dropped; Linux, mlx5_ib (delay drop).  Both
 * describe receive queues of Ethernet, not of RoCE.
 */
class EmptyQueueStall : private EventTarget
{
  public:
    using Handler = std::function<void(FrameIndex)>;

    /// All outlive this. @param handler takes the frames that have waited, in order
    EmptyQueueStall(FabricCore& core,
                    const QueuePairTable& table,
                    NicHardware& hardware,
                    Handler handler);
    ~EmptyQueueStall() override;

    /// @return whether packets wait at all.
    bool IsUsed() const
    {
        return m_timeout > 0;
    }

    /// A packet has passed the pipeline. @return true: it waits, and the handler takes it later
    bool Hold(FrameIndex index);

  private:
    /// The queue has been read again.
    void HandleEvent(uint32_t, uint32_t) override;
    bool LacksRequest(FrameIndex index) const;
    void Begin(Tick now);
    void LookAgain(Tick now);
    /// Hands over the oldest packet.
    void Release();

    FabricCore& m_core;
    const QueuePairTable& m_table;
    ReceiveWqeCache& m_wqes;
    Handler m_handler;
    Tick m_timeout;
    std::deque<FrameIndex> m_held; ///< The oldest waits for its request.
    Tick m_since{0};               ///< When the oldest began to wait.
    uint32_t m_target;
};

} // namespace ns3::rdma

#endif // RDMA_EMPTY_QUEUE_STALL_H
