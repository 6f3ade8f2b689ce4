// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_CUMULATIVE_RECEIVER_H
#define RDMA_CUMULATIVE_RECEIVER_H

#include "ns3/receiver-control.h"

#include <algorithm>

namespace ns3::rdma
{

/**
 * @ingroup rdma-transport
 * @brief The ReceiverControl of IBTA, IRN and SRNIC: acknowledgments are cumulative, and a gap is
 * answered with NAKs (IBTA Vol. 1, Sections 9.7.4 to 9.7.8).
 *
 * A packet in order is acknowledged every `ackInterval` packets, at the end of a message, and at
 * once if it follows a gap.  A packet whose response acknowledges it needs no acknowledgment.
 * Packets behind a gap that are dropped get one NAK per gap (go-back-N); each packet that is held
 * gets a selective NAK (IRN section 3.1).  A duplicate is acknowledged again.
 *
 * There is one per responder.  It is called without the interface ReceiverControl, so that the
 * compiler inlines it, and takes eight bytes.
 */
class CumulativeReceiver
{
  public:
    /// @param ackInterval packets in order per acknowledgment
    explicit CumulativeReceiver(uint32_t ackInterval)
        : m_unanswered(0),
          m_ackInterval(std::min(ackInterval, MAX_INTERVAL)),
          m_hasNaked(false),
          m_holdsPackets(false)
    {
    }

    /// As ReceiverControl::OnPacket().
    [[gnu::always_inline]] ReceiverAnswer OnPacket(const ArrivedPacket& packet)
    {
        switch (packet.kind)
        {
        case ArrivedPacket::Kind::ORDERED:
            return {OnOrdered(packet)};
        case ArrivedPacket::Kind::REFUSED:
            m_hasNaked = packet.hasRefusal; // If it has no NAK, a later packet requests it.
            return {};
        case ArrivedPacket::Kind::HELD:
            return {OnHeld()};
        case ArrivedPacket::Kind::BEYOND:
            return {OnDropped()};
        case ArrivedPacket::Kind::DUPLICATE:
            return {packet.expected.IsBefore(packet.psn) ? OnHeld() : OnPast(packet)};
        default:
            return {}; // Its requester sends no probes, and its NIC drops trimmed packets.
        }
    }

    /// An acknowledgment or a response leaves that acknowledges all packets until now.
    void OnAnswered()
    {
        m_unanswered = 0;
    }

  private:
    using Answer = ReceiverAnswer::Kind;

    static constexpr uint32_t MAX_INTERVAL{(1U << 30) - 1};

    [[gnu::always_inline]] Answer OnOrdered(const ArrivedPacket& packet)
    {
        const bool hadGap = m_hasNaked || m_holdsPackets;
        m_hasNaked = packet.hasRefusal;
        m_holdsPackets = packet.held > 0;
        if (packet.hasResponse && !hadGap)
        {
            return Answer::NONE;
        }
        ++m_unanswered;
        return m_unanswered >= m_ackInterval || packet.endsMessage || hadGap ? Answer::ACK
                                                                             : Answer::NONE;
    }

    Answer OnDropped()
    {
        const Answer answer = m_hasNaked ? Answer::NONE : Answer::NAK;
        m_hasNaked = true;
        return answer;
    }

    Answer OnHeld()
    {
        m_hasNaked = true;
        m_holdsPackets = true;
        return Answer::SELECTIVE_NAK;
    }

    static Answer OnPast(const ArrivedPacket& packet)
    {
        return packet.hasResponse ? Answer::NONE : Answer::ACK;
    }

    uint32_t m_unanswered; ///< Packets in order since the last answer.
    uint32_t m_ackInterval : 30;
    bool m_hasNaked : 1;     ///< A NAK has been sent for the present gap.
    bool m_holdsPackets : 1; ///< The receiver holds packets out of order.
};

} // namespace ns3::rdma

#endif // RDMA_CUMULATIVE_RECEIVER_H
