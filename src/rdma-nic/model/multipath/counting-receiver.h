// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_COUNTING_RECEIVER_H
#define RDMA_COUNTING_RECEIVER_H

#include "ns3/forks.h"
#include "ns3/receiver-control.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-multipath
 * @brief Returns the header of each packet that it cannot take, and acknowledges each other packet,
 * as DCP's receivers do (CountedFlight names the sources).
 *
 * Its only state is the number of packets that have arrived, whole or as a header.  Each answer
 * carries this number, as Report::receivedBytes; it needs no bitmap.  A header without payload is
 * returned, and so is a packet out of order for which there is no room (as in the authors'
 * simulator) and a request that a busy kernel does not take (ours).
 *
 * The responder places packets and finds complete messages; its bitmap stands for DCP's counters
 * per message.  Not modelled: acknowledgments that share the queues of data and may be dropped
 * there, as in the paper; as in the authors' simulator, they have the class of returned headers.
 */
class CountingReceiver : public Forks<CountingReceiver, ReceiverControl>
{
  public:
    static TypeId GetTypeId();
    ReceiverAnswer OnPacket(const ArrivedPacket& packet) override;

  private:
    uint32_t m_arrived{0}; ///< Packets, modulo 2^32.
};

} // namespace ns3::rdma

#endif // RDMA_COUNTING_RECEIVER_H
