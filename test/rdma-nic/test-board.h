// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_TEST_BOARD_H
#define RDMA_TEST_BOARD_H

#include "ns3/loss-detector.h"

namespace ns3::rdma
{

/// A window with marks that a test keeps as a requester does.
class TestBoard
{
  public:
    /// @param unacked number of the oldest packet; @param next one past that of the newest
    TestBoard(uint64_t unacked, uint64_t next)
        : m_unacked(unacked),
          m_next(next)
    {
    }

    Scoreboard Get() const
    {
        return {m_unacked, m_next, &m_marks};
    }

    void Move(uint64_t unacked, uint64_t next)
    {
        m_marks.Advance(m_unacked, unacked);
        m_unacked = unacked;
        m_next = next;
    }

    /// An acknowledgment in order arrives. @return what is lost by it.
    LostPackets Ack(LossDetector& detector, uint64_t unacked, uint64_t next)
    {
        Move(unacked, next);
        const Psn cause = Psn(unacked) + Psn::MASK;
        return Apply(detector.OnReport({Psn(unacked), {}, cause, Time(), false}, Get(), Time()));
    }

    /// A NAK for the oldest packet arrives. @param selective held by the receiver
    LostPackets Nak(LossDetector& detector, Psn selective, Time now = Time())
    {
        if (Get().Contains(selective))
        {
            m_marks.Hold(m_unacked, selective.Expand(m_unacked));
        }
        const AckReport report{Psn(m_unacked), {selective, 1}, selective, Time(), true};
        return Apply(detector.OnReport(report, Get(), now));
    }

    /// The timer expires.
    LostPackets Expire(LossDetector& detector)
    {
        return Apply(detector.OnTrigger(LossTrigger::TIMEOUT, Get(), Time()));
    }

    /// The detector's deadline comes.
    LostPackets Look(LossDetector& detector, Time now)
    {
        return Apply(detector.OnTrigger(LossTrigger::DEADLINE, Get(), now));
    }

    /// The receiver does not hold lost packets.
    LostPackets Apply(const LostPackets& lost)
    {
        for (const PsnRange& range : lost)
        {
            for (Psn psn = range.first; psn != range.end; psn = psn + 1)
            {
                m_marks.Release(psn.Expand(m_unacked));
                m_marks.Resend(m_unacked, psn.Expand(m_unacked));
            }
        }
        return lost;
    }

  private:
    uint64_t m_unacked;
    uint64_t m_next;
    PacketMarks m_marks;
};

} // namespace ns3::rdma

#endif // RDMA_TEST_BOARD_H
