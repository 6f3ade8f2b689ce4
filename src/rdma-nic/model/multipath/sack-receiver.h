// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SACK_RECEIVER_H
#define RDMA_SACK_RECEIVER_H

#include "ns3/forks.h"
#include "ns3/receiver-control.h"
#include "ns3/shared-parameters.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-multipath
 * @brief Acknowledges by bytes, marks and requests, as the receivers of Ultra Ethernet do.
 *
 * The receiver reports the first packet, a duplicate, a packet that asks for a report, a marked
 * packet, a probe, and otherwise after AckBytes of data.  After a request it reports once more when
 * no packet is held out of order.  The bitmap of a report begins at the packet itself if this
 * packet is marked or asks for a report; else it ends there, but does not begin before the PSN
 * after the next missing one.  A trimmed packet that is missing gets a trim notice.
 *
 * The cadence and the base are those of uet-htsim (commit 40ccb05, class UecSink); the attributes
 * have the names of the Ultra Ethernet Specification 1.0.3 in their descriptions.  A request to
 * send is a packet with asksForAck.
 *
 * Not modelled: the receiver's penalty for the sender's window, rounding of the byte counter to
 * units of 256 B.
 */
class SackReceiver : public Forks<SackReceiver, ReceiverControl>
{
  public:
    static TypeId GetTypeId();
    ReceiverAnswer OnPacket(const ArrivedPacket& packet) override;

  private:
    struct Parameters
    {
        uint32_t ackBytes{0};
        uint32_t leastBytes{0};
        bool acksMarks{false};
    };

    /// @return whether this new packet of data is reported.
    bool Accept(const ArrivedPacket& packet);
    ReceiverAnswer Report(const ArrivedPacket& packet);

    uint32_t m_receivedBytes{0};   ///< Modulo 2^32.
    uint64_t m_unreportedBytes{0}; ///< Of data, since the last report.
    bool m_hasStarted{false};
    bool m_isRequested{false}; ///< A report is due once no packet is held out of order.
    SharedParameters<Parameters> m_parameters;
};

} // namespace ns3::rdma

#endif // RDMA_SACK_RECEIVER_H
