// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/loss-detector.h"
#include "ns3/uinteger.h"

namespace ns3::rdma
{

/// A packet is lost as soon as the receiver holds a number of later ones. A packet that was sent
/// again is lost only if the retransmission timer expires.
class TemplateName : public LossDetector
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::rdma::TemplateName")
                .SetParent<LossDetector>()
                .AddConstructor<TemplateName>()
                .AddAttribute("Threshold",
                              "Later packets that show the loss of an earlier one",
                              UintegerValue(3),
                              MakeUintegerAccessor(&TemplateName::m_threshold),
                              MakeUintegerChecker<uint32_t>(1))
                .AddAttribute("BitmapPackets",
                              "Packets that the receiver keeps out of order",
                              UintegerValue(256),
                              MakeUintegerAccessor(&TemplateName::m_bitmapPackets),
                              MakeUintegerChecker<uint32_t>(1, Psn::MAX_WINDOW / 2));
        return tid;
    }

    Ptr<LossDetector> Fork() const override
    {
        return CopyObject(Ptr<const TemplateName>(this)); // One object per queue pair.
    }

    DetectorTraits GetTraits() const override
    {
        DetectorTraits traits;
        traits.responder = {m_bitmapPackets,
                            true};  // The second: READ responses have PSNs of their own.
        traits.needsOnSent = false; // OnSent() is not used.
        return traits;
    }

    LostPackets OnReport(const AckReport&, const Scoreboard& board, Time) override
    {
        uint32_t held = 0;
        Psn end = board.GetNext(); // Packets before it have enough later ones.
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
        return lost; // OnTrigger() of the base class returns all missing packets after a timeout.
    }

  private:
    uint32_t m_threshold{0};
    uint32_t m_bitmapPackets{0};
};

NS_OBJECT_ENSURE_REGISTERED(TemplateName);

} // namespace ns3::rdma
