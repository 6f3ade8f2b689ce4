// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SCOREBOARD_H
#define RDMA_SCOREBOARD_H

#include "ns3/packet-marks.h"
#include "ns3/psn.h"

#include <boost/container/small_vector.hpp>
#include <cstdint>

namespace ns3::rdma
{

/// Packets of the window that are to be sent again: disjoint ranges, oldest first.
using LostPackets = boost::container::small_vector<PsnRange, 2>;

/**
 * @ingroup rdma-recovery
 * @brief A view of the packets that a requester has sent and that are not acknowledged in order:
 * the window, and the marks of single packets if there are any.
 */
class Scoreboard
{
  public:
    /// @param unacked number of the oldest packet
    /// @param next one past the number of the newest packet
    /// @param marks null: no packet is out of order
    Scoreboard(uint64_t unacked, uint64_t next, const PacketMarks* marks = nullptr)
        : m_unacked(unacked),
          m_next(next),
          m_longestOut(unacked),
          m_marks(marks)
    {
    }

    /// @return the oldest packet.
    Psn GetUnacked() const
    {
        return Psn(m_unacked);
    }

    /// @return one past the newest packet.
    Psn GetNext() const
    {
        return Psn(m_next);
    }

    uint32_t GetCount() const
    {
        return static_cast<uint32_t>(m_next - m_unacked);
    }

    bool Contains(Psn psn) const
    {
        return !psn.IsBefore(GetUnacked()) && psn.IsBefore(GetNext());
    }

    /// @return the packet in flight that was sent before all others, if the receiver sends reports;
    /// else the oldest packet.
    Psn GetLongestOut() const
    {
        return Psn(m_longestOut);
    }

    void SetLongestOut(uint64_t number)
    {
        m_longestOut = number;
    }

    /// @return whether the receiver holds a packet of the window out of order.
    bool IsHeld(Psn psn) const
    {
        return m_marks && m_marks->IsHeld(psn);
    }

    /// @return a bit for each of 64 packets from the first one on: whether the receiver holds it.
    uint64_t GetHeldBits(Psn first) const
    {
        return m_marks ? m_marks->GetHeldBits(first) : 0;
    }

    /// @return whether the receiver holds any packet out of order.
    bool HasHeld() const
    {
        return m_marks && m_marks->HasHeld();
    }

    /// @return whether a packet is lost and not yet sent again.
    bool IsLost(Psn psn) const
    {
        return m_marks && m_marks->GetLost().Contains(psn.Expand(m_unacked));
    }

    /// @return whether a packet of the window has been sent more than once.
    bool WasResent(Psn psn) const
    {
        return m_marks && m_marks->WasResent(psn);
    }

    /// Appends the packets from first up to, not including, end that the receiver does not hold.
    /// @param packets result; its last range is extended if it ends where the next one starts
    void AppendMissing(Psn first, Psn end, LostPackets& packets) const;

    /// @return the oldest packet, and all others that the receiver does not hold.
    LostPackets GetMissing() const;

  private:
    uint64_t m_unacked;
    uint64_t m_next;
    uint64_t m_longestOut;
    const PacketMarks* m_marks;
};

} // namespace ns3::rdma

#endif // RDMA_SCOREBOARD_H
