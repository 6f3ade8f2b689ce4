// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_CARD_MEMORY_H
#define RDMA_CARD_MEMORY_H

#include "ns3/object.h"
#include "ns3/tick.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-hardware
 * @brief Memory on the card that keeps payload until it is acknowledged, so that retransmissions
 * need no PCIe.
 *
 * BALBOA keeps all transmitted payload in a channel of the card's HBM (section 4.2).  Its bandwidth
 * (14 GB/s and more per channel) exceeds the port's, so only latency is modelled.
 *
 * Not modelled: its size (16 GB on BALBOA's card), writing to it, refresh.
 */
class CardMemory : public Object
{
  public:
    static TypeId GetTypeId();

    /// @return whether retransmissions are read from this memory, not from the host.
    bool IsUsed() const
    {
        return m_isUsed;
    }

    /// @return when payload requested now has been read.
    Tick Read(Tick now) const
    {
        return now + m_latency.GetPicoSeconds();
    }

  private:
    bool m_isUsed{false};
    Time m_latency;
};

} // namespace ns3::rdma

#endif // RDMA_CARD_MEMORY_H
