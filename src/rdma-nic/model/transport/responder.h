// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RESPONDER_H
#define RDMA_RESPONDER_H

#include "ns3/frame.h"
#include "ns3/loss-recovery.h"
#include "ns3/psn-bitmap.h"

namespace ns3::rdma
{

/// What a responder is made with.
struct ResponderConfig
{
    ResponderRules rules;    ///< Of the loss recovery at the other end.
    bool sendsCnps{false};   ///< Answers CE with CNPs.
    bool echoesCe{false};    ///< Answers CE with a bit in the acknowledgment.
    Tick cnpInterval{0};     ///< Shortest time between two CNPs.
    uint32_t ackInterval{1}; ///< In-order packets per acknowledgment.
    uint32_t initialPsn{0};  ///< 24 bits.
};

/// What a responder answers to one packet.
struct Answer
{
    bool hasAck{false};  ///< Whether the next five say anything.
    uint8_t syndrome{0}; ///< AETH: ACK or NAK.
    Psn psn;             ///< Of an ACK: the last in order. Of a NAK: the expected one.
    bool isSelective{false};
    Psn selective; ///< The packet that arrived out of order.
    bool isCeEchoed{false};
    bool hasCnp{false};
    bool isDropped{false}; ///< The packet was of no use: out of order, and not kept.
};

/**
 * @ingroup rdma-transport
 * @brief The receiving half of a reliable connection: what is expected, kept and answered
 *        (IBTA Vol. 1, Sections 9.7.4 to 9.7.8).
 *
 * In order: placed and acknowledged, each packet or every ackInterval and at the end of a message;
 * the echoed bit says whether any packet since the last acknowledgment carried CE.  Duplicate:
 * acknowledged again. Future: dropped with one NAK per gap, or kept in a bitmap and answered with a
 * selective NAK each, as ResponderRules say.  CNPs are paced per queue pair.
 */
class Responder
{
  public:
    explicit Responder(const ResponderConfig& config);

    Answer OnData(const Frame& frame, Tick now);

    /// @return messages that arrived completely and in order, modulo 2^24.
    uint32_t GetMsn() const
    {
        return m_msn;
    }

    /// @return payload placed, each byte counted once.
    uint64_t GetPlacedBytes() const
    {
        return m_placedBytes;
    }

  private:
    void OnExpected(const Frame& frame, Answer& answer);
    void OnFuture(const Frame& frame, Psn psn, Answer& answer);
    void AcknowledgeExpected(Answer& answer);
    void Acknowledge(uint8_t code, Psn psn, Answer& answer);
    void AdvanceOverKept();
    bool IsCnpDue(bool isCe, Tick now);

    ResponderConfig m_config;
    Psn m_expected;
    PsnBitmap m_kept;     ///< Out of order, placed.
    PsnBitmap m_keptLast; ///< Of those, the ends of messages.
    uint64_t m_placedBytes{0};
    Tick m_nextCnp{0};
    uint32_t m_msn{0};
    uint32_t m_unanswered{0};  ///< In-order packets since the last acknowledgment.
    bool m_hasNaked{false};    ///< This gap has had its NAK.
    bool m_hasCeToEcho{false}; ///< CE was seen since the last acknowledgment.
};

} // namespace ns3::rdma

#endif // RDMA_RESPONDER_H
