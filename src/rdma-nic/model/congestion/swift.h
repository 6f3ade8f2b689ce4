// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SWIFT_H
#define RDMA_SWIFT_H

#include "ns3/congestion-control.h"
#include "ns3/forks.h"
#include "ns3/shared-parameters.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-cc
 * @brief Swift: windows that keep the delay at a target, separately for fabric and hosts.
 *
 * Kumar et al. 2020, Algorithm 1.  While the delay is below its target, the window grows by
 * AdditiveIncrease packets per RTT; else it is multiplied, once per RTT, by 1 - Beta (delay -
 * target) / delay, but at least by 1 - MaxDecrease (section 3.1).  The fabric's target is the sum
 * of BaseTarget, PerHop for each switch, and a part that rises as the window falls: alpha / sqrt(w)
 * + beta, from 0 at ScalingMaximum to ScalingRange at ScalingMinimum packets (section 3.3).  The
 * hosts' target is constant, and the smaller of both windows holds (section 3.2).  With a window w
 * below one packet, one packet is sent per RTT / w (section 3.4).
 *
 * A loss or a timeout multiplies the fabric's window by 1 - MaxDecrease, once per RTT.  The
 * ResetExpiries-th consecutive timeout sets the window to its minimum.  Defaults are those of
 * Google's Falcon simulator (isekai, gen 1), unless an attribute's description names another
 * source.
 *
 * Not modelled: Falcon's window for the fill level of the receiver's buffer, the filter of host
 * delays, repathing.  Windows count payload.
 */
class Swift : public Forks<Swift, CongestionControl>
{
  public:
    static TypeId GetTypeId();
    Feedback GetNeededFeedback() const override;
    bool UsesOwnPath() const override;
    void Start(const PathInfo& path, Time now) override;
    void OnAck(const AckEvent& ack) override;
    void OnLoss(const LossEvent& loss) override;
    void OnTimeout(const LossEvent& loss) override;
    bool NeedsOnSent() const override;
    SendLimit GetLimit() const override;

    /// @return the fabric's window, packets.
    double GetFabricWindow() const;
    /// @return the hosts' window, packets.
    double GetHostWindow() const;
    /// @return the present target delay of the fabric's window.
    Time GetFabricTarget() const;

  private:
    /// @throws std::invalid_argument if attributes contradict each other
    void NotifyConstructionCompleted() override;

    struct Parameters
    {
        double additiveIncrease{0};
        double beta{0};
        double maxDecrease{0};
        Time baseTarget;
        Time perHop;
        Time scalingRange;
        double scalingMinimum{0};
        double scalingMaximum{0};
        Time hostTarget;
        double initialWindow{0};
        double minimumWindow{0};
        double maximumWindow{0};
        uint32_t resetExpiries{0};
    };

    /// A window, and the time of its last cut.
    struct Window
    {
        double packets{0};
        Time cutAt{Time::Min()};
    };

    void Adjust(Window& window, Time delay, Time target, const AckEvent& ack);
    void Cut(Window& window, double factor, Time now);

    DataRate m_lineRate;
    uint32_t m_mtuBytes{0};
    uint32_t m_hops{0};
    Time m_rtt; ///< The last sample.
    Window m_fabric;
    Window m_host;
    SharedParameters<Parameters> m_parameters;
};

} // namespace ns3::rdma

#endif // RDMA_SWIFT_H
