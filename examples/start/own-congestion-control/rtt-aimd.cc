// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/congestion-control.h"
#include "ns3/double.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::rdma
{

/**
 * @brief A window that follows the round-trip time: an example of one's own congestion control.
 *
 * While a round trip is at most TargetQueueing longer than in the empty network, the window grows
 * by Step per window of data.  Above that it shrinks in proportion to the excess, at most once per
 * round trip: the core of Swift (Kumar et al., SIGCOMM 2020, section 3.1).
 *
 * Not modelled: the rest of Swift (host delay, scaling of the target, pacing below one packet).
 */
class RttAimd : public CongestionControl
{
  public:
    static TypeId GetTypeId();
    Ptr<CongestionControl> Fork() const override;
    Feedback GetNeededFeedback() const override;
    void Start(const PathInfo& path, Time now) override;
    void OnAck(const AckEvent& ack) override;
    SendLimit GetLimit() const override;

  private:
    Time m_targetQueueing;
    double m_beta{0};
    double m_maxCut{0};
    uint32_t m_stepBytes{0};

    DataRate m_lineRate;
    Time m_target;           ///< Round trip that is still fine.
    Time m_nextCut;          ///< No cut before this.
    double m_windowBytes{0}; ///< As are the next two: payload in flight.
    double m_minBytes{0};
    double m_maxBytes{0};
};

NS_OBJECT_ENSURE_REGISTERED(RttAimd);

TypeId
RttAimd::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::RttAimd")
            .SetParent<CongestionControl>()
            .SetGroupName("RdmaNic")
            .AddConstructor<RttAimd>()
            .AddAttribute("TargetQueueing",
                          "Queueing that a round trip may contain (20 us: example)",
                          TimeValue(MicroSeconds(20)),
                          MakeTimeAccessor(&RttAimd::m_targetQueueing),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Beta",
                          "Weight of the excess in a cut (0.8: htsim's Swift)",
                          DoubleValue(0.8),
                          MakeDoubleAccessor(&RttAimd::m_beta),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("MaxCut",
                          "Largest share of the window in a cut (0.5: htsim's Swift)",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&RttAimd::m_maxCut),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("Step",
                          "Growth per window of data, bytes (1024: one packet)",
                          UintegerValue(1024),
                          MakeUintegerAccessor(&RttAimd::m_stepBytes),
                          MakeUintegerChecker<uint32_t>(1));
    return tid;
}

Ptr<CongestionControl>
RttAimd::Fork() const
{
    return CopyObject(Ptr<const RttAimd>(this));
}

Feedback
RttAimd::GetNeededFeedback() const
{
    return Feedback::NONE; // Every acknowledgment brings a round-trip time.
}

void
RttAimd::Start(const PathInfo& path, Time now)
{
    m_lineRate = path.lineRate;
    m_target = path.baseRtt + m_targetQueueing;
    m_nextCut = now;
    m_minBytes = path.mtuBytes;
    m_windowBytes = std::max<double>(path.GetBdpBytes(), m_minBytes);
    // More than this in flight would exceed the target even without any other flow.
    const double bytesPerSecond = static_cast<double>(m_lineRate.GetBitRate()) / 8;
    m_maxBytes = std::max(bytesPerSecond * m_target.GetSeconds(), m_minBytes);
}

void
RttAimd::OnAck(const AckEvent& ack)
{
    if (ack.rtt <= m_target)
    {
        m_windowBytes += m_stepBytes * static_cast<double>(ack.ackedBytes) / m_windowBytes;
    }
    else if (ack.now >= m_nextCut)
    {
        const double excess = (ack.rtt - m_target).GetSeconds() / ack.rtt.GetSeconds();
        m_windowBytes *= 1 - std::min(m_beta * excess, m_maxCut);
        m_nextCut = ack.now + ack.rtt;
    }
    m_windowBytes = std::clamp(m_windowBytes, m_minBytes, m_maxBytes);
}

SendLimit
RttAimd::GetLimit() const
{
    SendLimit limit;
    limit.rate = m_lineRate;
    limit.windowBytes = static_cast<uint64_t>(m_windowBytes);
    return limit;
}

} // namespace ns3::rdma
