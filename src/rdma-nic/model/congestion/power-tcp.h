// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_POWER_TCP_H
#define RDMA_POWER_TCP_H

#include "ns3/congestion-control.h"
#include "ns3/forks.h"
#include "ns3/int-history.h"
#include "ns3/shared-parameters.h"

namespace ns3::rdma
{

/// What PowerTcp and ThetaPowerTcp have in common.
struct PowerParameters
{
    double gamma{0};
    DataRate additiveIncrease;
    DataRate minimumRate;
    double leastCurrent{0};
    bool usesOwnRtt{false};
};

/**
 * @ingroup rdma-cc
 * @brief The window of PowerTCP: what it does with measured power.
 *
 * Power is averaged over the base RTT, tau, and the window moves, by Gamma, from its value to that
 * of a round trip ago divided by power, plus beta.  Power 1 is a full link with an empty queue. The
 * window starts at the bandwidth-delay product and never exceeds it, as in the authors' simulator.
 */
class PowerWindow
{
  public:
    void Start(const PathInfo& path, const PowerParameters& parameters);

    /// Averages a measurement. @param power normalized @param elapsedPs since the last one
    void Smooth(double power, double elapsedPs);
    /// Moves the window. @param gamma weight of the new value @param fromBytes window that has the
    /// rest
    void Move(double gamma, double fromBytes);

    /// An answer arrives. @return whether it is of a packet that was sent after the last
    /// BeginRound().
    bool IsRoundOver(const AckEvent& ack);
    /// The window now is that of the packets that are sent from now on.
    void BeginRound(const AckEvent& ack);

    /// @return tau, ps.
    double GetTauPs() const
    {
        return m_tauPs;
    }

    double GetPower() const
    {
        return m_power;
    }

    double GetBytes() const
    {
        return m_bytes;
    }

    /// @return the window of a round trip ago.
    double GetOldBytes() const
    {
        return m_oldBytes;
    }

    /// @return packets paced at window / tau.
    SendLimit GetLimit() const;

  private:
    DataRate m_lineRate;
    double m_tauPs{0};
    double m_power{1};
    double m_bytes{0};
    double m_oldBytes{0}; ///< A round trip ago.
    double m_betaBytes{0};
    double m_minBytes{0};
    double m_maxBytes{0};
    uint64_t m_ackedBytes{0}; ///< Total.
    uint64_t m_roundEnd{0};   ///< m_ackedBytes beyond which a round is over.
};

/**
 * @ingroup rdma-cc
 * @brief PowerTCP: a window divided by the power of the path, as measured by INT.
 *
 * Addanki et al. 2022 (NSDI), as in the authors' simulator (inet-tub/ns3-datacenter, rdma-hw.cc,
 * UpdateRatePower()); the text of the paper was not available.  Each answer gives, per hop, current
 * = change of the queue + bytes sent, per time, and voltage = B tau + queue; their product, divided
 * by B^2 tau, is the hop's power, and the path has that of its largest.  Each answer moves the
 * window.
 *
 * Not modelled: reaction to loss (left to loss recovery).  Windows count payload; the ports' byte
 * counts include all bytes on the wire.
 */
class PowerTcp : public Forks<PowerTcp, CongestionControl>
{
  public:
    static TypeId GetTypeId();
    Feedback GetNeededFeedback() const override;
    bool UsesOwnPath() const override;
    void Start(const PathInfo& path, Time now) override;
    void OnAck(const AckEvent& ack) override;
    bool NeedsOnSent() const override;
    SendLimit GetLimit() const override;

    /// @return the averaged power; 1: a full link with an empty queue.
    double GetPower() const;

  private:
    struct Parameters : PowerParameters
    {
        double targetUtilization{0};
        bool keepsOldWindow{false};
    };

    void Measure(const IntStack& path);

    PowerWindow m_window;
    IntHistory m_hops;
    SharedParameters<Parameters> m_parameters;
};

/**
 * @ingroup rdma-cc
 * @brief theta-PowerTCP: power estimated from round trips alone.
 *
 * Sources as for PowerTcp (PowerTCPdelay of the simulator): current is the change of the round trip
 * per time, plus 1, voltage is the round trip.  The window moves once per round trip.  The first
 * answer has no change: its current is 1, and its power counts in full.  The round trip is without
 * the time in hosts (AckEvent::hostTime).
 *
 * Not modelled: reaction to loss.
 */
class ThetaPowerTcp : public Forks<ThetaPowerTcp, CongestionControl>
{
  public:
    static TypeId GetTypeId();
    Feedback GetNeededFeedback() const override;
    bool UsesOwnPath() const override;
    void Start(const PathInfo& path, Time now) override;
    void OnAck(const AckEvent& ack) override;
    bool NeedsOnSent() const override;
    SendLimit GetLimit() const override;

    /// @return as PowerTcp::GetPower().
    double GetPower() const;

  private:
    struct Parameters : PowerParameters
    {
        double rttMargin{0};
        bool movesEachAnswer{false};
    };

    PowerWindow m_window;
    bool m_hasRtt{false};
    double m_lastRttPs{0};
    Time m_lastAnswer;
    SharedParameters<Parameters> m_parameters;
};

} // namespace ns3::rdma

#endif // RDMA_POWER_TCP_H
