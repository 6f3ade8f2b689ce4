// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RECEIVER_CONTROL_H
#define RDMA_RECEIVER_CONTROL_H

#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/psn.h"
#include "ns3/report.h"

#include <cstdint>

namespace ns3::rdma
{

/// A packet of a queue pair's peer, and the receiver's state after it.
struct ArrivedPacket
{
    enum class Kind : uint8_t
    {
        ORDERED,   ///< It was the expected packet and has been carried out.
        REFUSED,   ///< It was the expected packet and has not been carried out.
        HELD,      ///< It is out of order; the receiver holds it.
        BEYOND,    ///< It is out of order and dropped: ResponderRules::outOfOrderWindow.
        DUPLICATE, ///< The receiver has it already.
        TRIMMED,   ///< A switch has removed its payload, and the receiver does not have it.
        PROBE,     ///< It has no payload and consumes no PSN; only its answer matters.
    };

    Kind kind{Kind::ORDERED};
    Psn psn;
    uint32_t wireBytes{0};  ///< From the destination MAC address to the last byte before the FCS.
    bool isMarked{false};   ///< It carries CE.
    bool asksForAck{false}; ///< The sender asks for an acknowledgment.
    bool isRetransmission{false}; ///< The sender has sent it before.
    bool endsMessage{false};      ///< It is the last packet of its message.
    bool hasResponse{false};      ///< A response acknowledges it and all packets before it.
    bool hasRefusal{false};       ///< A NAK has refused it, or a packet that was held behind it.
    Psn expected;                 ///< The next PSN that is missing.
    uint32_t held{0};             ///< Packets that the receiver holds beyond it.
};

/// What the receiver answers to a packet.
struct ReceiverAnswer
{
    enum class Kind : uint8_t
    {
        NONE,
        ACK,           ///< Acknowledges all packets before the expected one.
        NAK,           ///< Requests all packets from the expected one on.
        SELECTIVE_NAK, ///< Requests the expected packet; the receiver holds this one.
        REPORT,        ///< Acknowledgment with a Report.
        TRIM_NOTICE,   ///< The packet was trimmed and is to be sent again.
    };

    Kind kind{Kind::NONE};
    /// Of REPORT: the base of the bitmap and the counter. The responder adds what it holds.
    Report report{};
};

/**
 * @ingroup rdma-transport
 * @brief What a receiver answers to the packets of a queue pair: when it acknowledges, requests
 * packets again, or reports.
 *
 * The responder carries packets out, places them and keeps the bitmap; it calls OnPacket() for each
 * packet.  An ATOMIC ACK and the NAK of a refused packet leave without a decision.  One instance
 * per queue pair, made by Fork() from a prototype that carries the attributes.  CumulativeReceiver,
 * of IBTA, IRN and SRNIC, is called without this interface.
 */
class ReceiverControl : public Object
{
  public:
    static TypeId GetTypeId();

    /// @return a new object of the same class.
    virtual Ptr<ReceiverControl> Fork() const = 0;

    /// Called at any time, of prototypes, too.
    /// @return whether it answers by REPORT and TRIM_NOTICE, for a requester that records each
    /// packet; if not, by ACK and the NAKs. Always the same. Default: true.
    virtual bool SendsReports() const
    {
        return true;
    }

    virtual ReceiverAnswer OnPacket(const ArrivedPacket& packet) = 0;
};

/// @return SendsReports() of a prototype; false if it is null.
bool SendsReports(const Ptr<const ReceiverControl>& prototype);

} // namespace ns3::rdma

#endif // RDMA_RECEIVER_CONTROL_H
