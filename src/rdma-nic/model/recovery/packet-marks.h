// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PACKET_MARKS_H
#define RDMA_PACKET_MARKS_H

#include "ns3/packet-ranges.h"
#include "ns3/psn-bitmap.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-recovery
 * @brief The state of single packets of a send window: held by the receiver out of order, lost and
 * not yet sent again, or sent more than once.
 *
 * Only windows with packets out of order need one.  All packet numbers must be within the window.
 */
class PacketMarks
{
  public:
    /// Marks a packet that the receiver holds out of order; it is not lost.
    /// @param oldest packet of the window
    /// @return whether the packet was not marked before.
    bool Hold(uint64_t oldest, uint64_t number)
    {
        return m_held.Mark(Psn(oldest), Psn(number));
    }

    /// Unmarks a packet that the receiver does not hold.
    /// @return whether it was marked as held.
    bool Release(uint64_t number)
    {
        return m_held.Unmark(Psn(number));
    }

    bool IsHeld(Psn psn) const
    {
        return m_held.IsMarked(psn);
    }

    /// @return the marks of IsHeld() of 64 packets; bit 0 first.
    uint64_t GetHeldBits(Psn first) const
    {
        return m_held.GetBits(first);
    }

    bool HasHeld() const
    {
        return !m_held.IsEmpty();
    }

    /// @return the packets that are to be sent again, in the order of their numbers.
    PacketRanges& GetLost()
    {
        return m_lost;
    }

    const PacketRanges& GetLost() const
    {
        return m_lost;
    }

    /// Marks a packet that has been sent again.
    /// @param oldest packet of the window
    void Resend(uint64_t oldest, uint64_t number)
    {
        m_resent.Mark(Psn(oldest), Psn(number));
    }

    bool WasResent(Psn psn) const
    {
        return m_resent.IsMarked(psn);
    }

    /// Moves the begin of the window.
    /// @param oldest packet of the window until now
    /// @param next oldest packet of the window after the call
    void Advance(uint64_t oldest, uint64_t next)
    {
        m_held.Unmark(Psn(oldest), Psn(next));
        m_resent.Unmark(Psn(oldest), Psn(next));
        m_lost.RemoveBefore(next);
    }

  private:
    PsnBitmap m_held;
    PsnBitmap m_resent;
    PacketRanges m_lost;
};

} // namespace ns3::rdma

#endif // RDMA_PACKET_MARKS_H
