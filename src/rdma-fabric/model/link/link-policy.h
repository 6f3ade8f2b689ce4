// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_LINK_POLICY_H
#define RDMA_LINK_POLICY_H

#include "ns3/frame-pool.h"
#include "ns3/object.h"

#include <array>

namespace ns3::rdma
{

/// A message from a policy at one end of a link to the same policy at the other end.
struct LinkMessage
{
    static constexpr uint32_t MAX_COUNTS{2};
    static constexpr uint32_t COUNT_MASK{(1U << 24) - 1};
    static constexpr uint8_t NO_CLASS{0xff};

    /// Meaning of the counts. Each policy has kinds of its own, above 0.
    uint8_t kind{0};
    /// Whether it is sent as a frame of minimum size. Else it is an ordered set of 8 bytes, which
    /// the physical layer inserts at once, also into a frame (as SAI describes UE).
    bool isFrame{false};
    /// Whether it only repeats known values, see EventTarget::IsUpkeep().
    bool isUpkeep{false};
    std::array<uint8_t, MAX_COUNTS> classes{NO_CLASS, NO_CLASS};
    std::array<uint32_t, MAX_COUNTS> counts{}; ///< 24 bits each.
};

/// Reads the message in a frame of FabricPort. Only if IsLinkMessage().
LinkMessage ReadLinkMessage(const Frame& frame);
Frame MakeLinkFrame(const LinkMessage& message);

/// @return whether a frame is a LinkMessage.
inline bool
IsLinkMessage(const Frame& frame)
{
    return (frame.flags & frame_flag::MAC_CONTROL) != 0 && frame.opcode != 0;
}

/// @return whether a frame is a LinkMessage that is an ordered set.
inline bool
IsOrderedSet(const Frame& frame)
{
    constexpr uint32_t BYTES{8};
    return IsLinkMessage(frame) && frame.wireBytes == BYTES;
}

/// What a port must do after a call of a LinkPolicy.
struct LinkAnswer
{
    static constexpr uint32_t MAX_MESSAGES{PRIORITIES / LinkMessage::MAX_COUNTS + 1};

    void Add(const LinkMessage& message)
    {
        messages[messageCount++] = message;
    }

    std::array<LinkMessage, MAX_MESSAGES> messages;
    uint32_t messageCount{0};
    bool isAccepted{true}; ///< Of an arriving frame: it is not discarded.
    bool hasReplay{false}; ///< TakeReplay() has frames, which are sent before all others.
};

/// One end of a link, for LinkPolicy::Start().
struct LinkEnd
{
    FramePool* frames{nullptr}; ///< Not owned.
    SerializationRate rate;     ///< Of the direction that starts here.
    Tick delay{0};              ///< Of propagation, one way.
    uint32_t largestFrame{0};   ///< As Frame::wireBytes.
    uint32_t overheadBytes{0};  ///< Of each frame on the wire.
};

/// By class: Frame::wireBytes of the next queued frame; 0: unknown, no frame is queued.
using HeadSizes = std::array<uint16_t, PRIORITIES>;

/**
 * @ingroup rdma-link
 * @brief A protocol between the two ports of a link, below switches and NICs. One instance per
 * port; it sends in the direction that starts at its port and receives in the other one.
 *
 * A policy decides, and the port acts: it sends the messages, discards and repeats frames, and
 * calls OnTimer().  A port without a policy makes no call.  The instance at the other end may be in
 * another process; both communicate by frames and messages only.  While a frame is on the link,
 * Frame::ingressPort is a tag that belongs to the policies; at most one of a port's policies may
 * use it.
 */
class LinkPolicy : public Object
{
  public:
    static TypeId GetTypeId();

    /// @return a policy with the same attributes, not started.
    virtual Ptr<LinkPolicy> Fork() const = 0;

    /// Called once, before any frame is sent.
    void Start(const LinkEnd& end);

    /// @return memory that the receiving end sets aside for a class, bytes. Default: none.
    virtual uint64_t GetBuffer(uint32_t classNumber) const;

    /// @return one bit per class that may not send its next frame. Default: none.
    virtual uint8_t FindClosed(const HeadSizes& heads) const;

    /// @return whether the other end may not send a frame of this class, as far as is known here.
    /// Default: no.
    virtual bool IsSenderClosed(uint32_t classNumber) const;

    /// @return whether the receiving end reads each frame to its end before it passes it on, so
    /// that no switch cuts through. Default: no.
    virtual bool ChecksFrames() const;

    /// A frame begins to leave; may set its tag. MAC control is not reported, except messages that
    /// are frames. Default: ignored.
    virtual void OnDeparture(FrameIndex index, Tick now);

    /// The link's LossModel drops a frame. @return whether it arrives all the same, marked by its
    /// tag. Default: no.
    virtual bool Damage(Frame& frame);

    /// A frame arrives that OnDeparture() has reported. Default: it is accepted.
    virtual LinkAnswer OnArrival(const Frame& frame, Tick now);

    /// An accepted frame has left the buffer of the receiving end. Default: ignored.
    virtual LinkAnswer OnRelease(uint32_t classNumber, uint32_t wireBytes, Tick now);

    /// A message arrives, perhaps of another policy. Default: ignored.
    virtual LinkAnswer OnMessage(const LinkMessage& message, Tick now);

    /// @return when to call OnTimer(); TICK_NEVER: not. Default: TICK_NEVER.
    virtual Tick GetDeadline() const;
    virtual LinkAnswer OnTimer(Tick now);

    /// @return whether OnTimer() will only repeat known values. Default: no.
    virtual bool IsUpkeep() const;

    /// @return the next frame to be sent again, owned by the caller; NO_FRAME: none. Default: none.
    virtual FrameIndex TakeReplay();

    /// The link is down; frames and messages in flight are lost. Default: ignored.
    virtual void OnLinkDown();

  protected:
    const LinkEnd& GetEnd() const
    {
        return m_end;
    }

  private:
    /// Default: nothing.
    virtual void DoStart();

    LinkEnd m_end;
};

} // namespace ns3::rdma

#endif // RDMA_LINK_POLICY_H
