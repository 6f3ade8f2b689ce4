// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/loss-detector.h"
#include "ns3/uinteger.h"

#include <optional>

namespace ns3::rdma
{

/**
 * A LossDetector for fabrics that spray packets over equal routes: a packet is lost once Threshold
 * later packets are held by the receiver, or once it has been the oldest one for Patience while
 * later packets are held. A packet that was sent again is lost by the second rule only.
 */
class ReorderTolerantDetector : public LossDetector
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::rdma::ReorderTolerantDetector")
                .SetParent<LossDetector>()
                .AddConstructor<ReorderTolerantDetector>()
                .AddAttribute("Threshold",
                              "Later packets that show the loss of an earlier one",
                              UintegerValue(64),
                              MakeUintegerAccessor(&ReorderTolerantDetector::m_threshold),
                              MakeUintegerChecker<uint32_t>(1))
                .AddAttribute("Patience",
                              "Time after which the oldest packet is lost if later ones are held",
                              TimeValue(MicroSeconds(50)),
                              MakeTimeAccessor(&ReorderTolerantDetector::m_patience),
                              MakeTimeChecker(NanoSeconds(1)))
                .AddAttribute("BitmapPackets",
                              "Length of the receiver's bitmap",
                              UintegerValue(1000),
                              MakeUintegerAccessor(&ReorderTolerantDetector::m_bitmapPackets),
                              MakeUintegerChecker<uint32_t>(1, Psn::MAX_WINDOW / 2));
        return tid;
    }

    Ptr<LossDetector> Fork() const override
    {
        return CopyObject(Ptr<const ReorderTolerantDetector>(this));
    }

    DetectorTraits GetTraits() const override
    {
        DetectorTraits traits;
        traits.responder = {m_bitmapPackets, true};
        return traits;
    }

    LostPackets OnReport(const AckReport&, const Scoreboard& board, Time now) override
    {
        if (!board.HasHeld())
        {
            m_deadline = Time::Max();
            return {};
        }
        if (m_deadline == Time::Max() || m_oldest != board.GetUnacked())
        {
            m_oldest = board.GetUnacked();
            m_deadline = now + m_patience;
        }
        return FindOvertaken(board);
    }

    LostPackets OnTrigger(LossTrigger trigger, const Scoreboard& board, Time now) override
    {
        if (trigger != LossTrigger::DEADLINE)
        {
            return LossDetector::OnTrigger(trigger, board, now);
        }
        m_deadline = now + m_patience; // The retransmission may be lost, too.
        return {{board.GetUnacked(), board.GetUnacked() + 1}};
    }

    NextLook GetNextLook() const override
    {
        NextLook next;
        next.deadline = m_deadline;
        return next;
    }

  private:
    /// @return packets that are missing although enough later ones are held.
    LostPackets FindOvertaken(const Scoreboard& board) const
    {
        uint32_t held = 0;
        Psn end = board.GetNext();
        while (end != board.GetUnacked() && held < m_threshold)
        {
            end = end + Psn::MASK; // One back.
            held += board.IsHeld(end);
        }
        LostPackets lost;
        for (Psn psn = board.GetUnacked(); psn != end; psn = psn + 1)
        {
            if (!board.IsHeld(psn) && !board.WasResent(psn) && !board.IsLost(psn))
            {
                lost.push_back({psn, psn + 1});
            }
        }
        return lost;
    }

    uint32_t m_threshold{0};
    Time m_patience;
    uint32_t m_bitmapPackets{0};
    Time m_deadline{Time::Max()};
    Psn m_oldest; ///< The packet that the deadline is about.
};

NS_OBJECT_ENSURE_REGISTERED(ReorderTolerantDetector);

} // namespace ns3::rdma
