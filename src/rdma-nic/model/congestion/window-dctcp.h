// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_WINDOW_DCTCP_H
#define RDMA_WINDOW_DCTCP_H

#include "ns3/congestion-control.h"
#include "ns3/forks.h"
#include "ns3/shared-parameters.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-cc
 * @brief DCTCP as SRNIC uses it: a window that starts at the bandwidth-delay product.
 *
 * Alizadeh et al. 2010: alpha = (1 - g) alpha + g F once per window of data, where F is the share
 * of bytes whose acknowledgment echoes CE (Eq. 1); the first echo in a window cuts the window by
 * alpha / 2 (Eq. 2); a window without a cut grows by one step.  SRNIC section 5 gives the reason
 * for a window: it needs acknowledgments only, no timers.  Numbers are those of the SRNIC authors'
 * public simulator (g 1/16, start at line rate, at least 1 % of it, 615 Mb/s more per 13 us = 1000
 * B per RTT).
 *
 * Not modelled: slow start (SRNIC starts at line rate), reaction to loss (left to loss recovery).
 * Bytes count when they are acknowledged in order: bytes behind a gap count with the acknowledgment
 * that closes the gap, and with its CE bit.
 */
class WindowDctcp : public Restarts<WindowDctcp, CongestionControl>
{
  public:
    static TypeId GetTypeId();
    Feedback GetNeededFeedback() const override;
    void Start(const PathInfo& path, Time now) override;
    void OnAck(const AckEvent& ack) override;
    bool NeedsOnSent() const override;
    SendLimit GetLimit() const override;

    double GetAlpha() const;

  private:
    struct Parameters
    {
        double gain{0};
        double initialAlpha{1};
        double minShare{0};
        uint32_t stepBytes{0};
    };

    /// @return whether a window of data has been acknowledged since the last update.
    bool UpdateAlpha(const AckEvent& ack);

    DataRate m_lineRate;
    double m_windowBytes{0};
    uint64_t m_ackedBytes{0};   ///< Total.
    uint64_t m_alphaEnd{0};     ///< m_ackedBytes at which alpha's window of data ends.
    uint64_t m_cutEnd{0};       ///< m_ackedBytes at which the window of data after a cut ends.
    uint64_t m_windowAcked{0};  ///< Bytes acknowledged in alpha's current window of data.
    uint64_t m_windowMarked{0}; ///< Part of m_windowAcked with CE echoed.
    double m_alpha{1};
    double m_minBytes{0};
    double m_maxBytes{0};
    SharedParameters<Parameters> m_parameters;
};

} // namespace ns3::rdma

#endif // RDMA_WINDOW_DCTCP_H
