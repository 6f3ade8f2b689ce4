// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_LINK_RETRY_H
#define RDMA_LINK_RETRY_H

#include "ns3/link-policy.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-link
 * @brief Retransmission on a link, go-back-N: each frame has a number, the sender keeps a copy
 * until the other end has acknowledged it, and sends its copies again on request.
 *
 * The receiver accepts frames in sequence only.  When a damaged or a later frame arrives in place
 * of the expected one, it sends LLR_NACK at once, with the number of the last accepted frame, and
 * discards all frames up to the expected one.  It sends LLR_ACK, cumulative, at most every
 * AckSpacing.  Both are ordered sets of 8 bytes.  After LLR_NACK, and when ReplayTimer has expired
 * without progress, the sender repeats all copies, before new frames.
 *
 * Source: Ultra Ethernet 1.0, section 5.1 (LLR), as described in the Switch Abstraction Interface
 * (opencomputeproject/SAI, doc/LLR).
 *
 * Inferred: if the numbers go back after LLR_NACK, a replay has begun; if its first frame is not
 * the expected one, the receiver sends LLR_NACK again (SAI counts such starts as LLR_RX_REPLAY).
 * Each message meets the link's LossModel like a frame.  CC_Update of CreditLink has a number, PFC
 * frames have none.  The number takes no bytes: it is in the preamble.
 *
 * Not modelled: initialisation (LLR_INIT; when a link comes up, both ends start with 0), the state
 * FLUSH and its limits of replays and of age (a link that is down empties the replay buffer),
 * poisoned frames.
 */
class LinkRetry final : public LinkPolicy
{
  public:
    /// LLR_ACK and LLR_NACK: number of the last accepted frame.
    enum MessageKind : uint8_t
    {
        ACK = 3,
        NACK = 4,
    };

    static TypeId GetTypeId();

    Ptr<LinkPolicy> Fork() const override;
    uint8_t FindClosed(const HeadSizes& heads) const override;
    bool ChecksFrames() const override;
    void OnDeparture(FrameIndex index, Tick now) override;
    bool Damage(Frame& frame) override;
    LinkAnswer OnArrival(const Frame& frame, Tick now) override;
    LinkAnswer OnMessage(const LinkMessage& message, Tick now) override;
    Tick GetDeadline() const override;
    LinkAnswer OnTimer(Tick now) override;
    FrameIndex TakeReplay() override;
    void OnLinkDown() override;

    /// @return the frames that are not acknowledged.
    uint32_t GetHeld() const
    {
        return m_held;
    }

  private:
    void DoStart() override;
    void AckWhenDue(Tick now, LinkAnswer& answer);
    void Nack(Tick now, LinkAnswer& answer);
    /// Frees the copies up to a number.
    void OnAccepted(uint32_t number, Tick now);
    void Replay(Tick now, LinkAnswer& answer);

    Tick m_replayTimer{0};
    uint32_t m_spacingBytes{0};
    uint32_t m_maxFrames{0};
    uint32_t m_maxBytes{0};
    bool m_detectsDamage{true};

    Tick m_timeout{0};
    Tick m_spacing{0};
    // Sender.
    uint16_t m_next{0}; ///< Number of the next frame.
    uint32_t m_held{0}; ///< Copies, a list from m_head to m_tail.
    uint32_t m_heldBytes{0};
    FrameIndex m_head{NO_FRAME};
    FrameIndex m_tail{NO_FRAME};
    FrameIndex m_cursor{NO_FRAME}; ///< Next copy to be sent again.
    Tick m_replayAt{TICK_NEVER};
    // Receiver.
    uint16_t m_expected{0};
    uint16_t m_lastSeen{0}; ///< Number of the last frame that arrived, accepted or not.
    bool m_isNacked{false};
    bool m_isAckDue{false};
    Tick m_ackFrom{0}; ///< No LLR_ACK may be sent before.
};

} // namespace ns3::rdma

#endif // RDMA_LINK_RETRY_H
