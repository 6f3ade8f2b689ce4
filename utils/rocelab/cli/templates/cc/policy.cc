// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/congestion-control.h"
#include "ns3/double.h"

#include <algorithm>

namespace ns3::rdma
{

/// A window that grows by one packet per window of data, and is cut to a share of itself by a mark,
/// at most once per round trip.
class TemplateName : public CongestionControl
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::TemplateName")
                                .SetParent<CongestionControl>()
                                .AddConstructor<TemplateName>()
                                .AddAttribute("Share",
                                              "Share of the window after a cut",
                                              DoubleValue(0.5),
                                              MakeDoubleAccessor(&TemplateName::m_share),
                                              MakeDoubleChecker<double>(0.01, 0.99));
        return tid;
    }

    Ptr<CongestionControl> Fork() const override
    {
        return CopyObject(Ptr<const TemplateName>(this)); // One object per queue pair.
    }

    Feedback GetNeededFeedback() const override
    {
        return Feedback::ECN_ECHO; // Or NONE, CNP, INT.
    }

    void Start(const PathInfo& path, Time now) override
    {
        m_lineRate = path.lineRate;
        m_packetBytes = path.mtuBytes;
        m_windowBytes = std::max<double>(path.GetBdpBytes(), m_packetBytes);
        m_nextCut = now;
    }

    void OnAck(const AckEvent& ack) override // Also: OnCnp(), OnLoss(), OnTimeout(), OnDeadline().
    {
        if (!ack.isCeEchoed)
        {
            m_windowBytes += m_packetBytes * static_cast<double>(ack.ackedBytes) / m_windowBytes;
        }
        else if (ack.now >= m_nextCut)
        {
            m_windowBytes = std::max(m_windowBytes * m_share, m_packetBytes);
            m_nextCut = ack.now + ack.rtt;
        }
    }

    SendLimit GetLimit() const override
    {
        SendLimit limit; // Rate at the wire, payload in flight, and a deadline for OnDeadline().
        limit.rate = m_lineRate;
        limit.windowBytes = static_cast<uint64_t>(m_windowBytes);
        return limit;
    }

  private:
    double m_share{0};
    DataRate m_lineRate;
    double m_packetBytes{0};
    double m_windowBytes{0};
    Time m_nextCut; ///< Earliest time of the next cut.
};

NS_OBJECT_ENSURE_REGISTERED(TemplateName);

} // namespace ns3::rdma
