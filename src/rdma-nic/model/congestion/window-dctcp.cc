// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/window-dctcp.h"

#include "ns3/type-attributes.h"

#include <algorithm>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(WindowDctcp);

TypeId
WindowDctcp::GetTypeId()
{
    static TypeId tid =
        TypeAttributes::Of<WindowDctcp, CongestionControl>("ns3::rdma::WindowDctcp", "RdmaNic")
            .Add("Gain",
                 Shared(&WindowDctcp::m_parameters, &Parameters::gain, 1.0 / 16, 0, 1),
                 "Weight g of a new window in alpha (1/16: DCTCP 2010, SRNIC's simulator)")
            .Add("InitialAlpha",
                 Shared(&WindowDctcp::m_parameters, &Parameters::initialAlpha, 1, 0, 1),
                 "Alpha before any feedback (1: RFC 8257 section 4.2)")
            .Add("MinimumShare",
                 Shared(&WindowDctcp::m_parameters, &Parameters::minShare, 0.01, 0, 1),
                 "Smallest window, as a share of the bandwidth-delay product (0.01: SRNIC's "
                 "simulator, 1 of 100 Gb/s); never below one packet")
            .Add("Step",
                 Shared(&WindowDctcp::m_parameters, &Parameters::stepBytes, 1000, 1),
                 "Growth per window of data, bytes (1000: SRNIC's simulator, 615 Mb/s x 13 us)");
    return tid;
}

Feedback
WindowDctcp::GetNeededFeedback() const
{
    return Feedback::ECN_ECHO;
}

void
WindowDctcp::Start(const PathInfo& path, Time)
{
    m_lineRate = path.lineRate;
    m_alpha = m_parameters->initialAlpha;
    m_maxBytes = std::max<double>(path.GetBdpBytes(), path.mtuBytes);
    m_minBytes = std::max<double>(m_maxBytes * m_parameters->minShare, path.mtuBytes);
    m_windowBytes = m_maxBytes;
}

bool
WindowDctcp::UpdateAlpha(const AckEvent& ack)
{
    m_ackedBytes += ack.ackedBytes;
    m_windowAcked += ack.ackedBytes;
    m_windowMarked += ack.isCeEchoed ? ack.ackedBytes : 0;
    if (m_ackedBytes <= m_alphaEnd || m_windowAcked == 0)
    {
        return false;
    }
    const double marked = static_cast<double>(m_windowMarked) / static_cast<double>(m_windowAcked);
    // The first call has no earlier window: it only starts the first one.
    if (m_alphaEnd > 0)
    {
        m_alpha = (1 - m_parameters->gain) * m_alpha + m_parameters->gain * marked;
    }
    m_alphaEnd = m_ackedBytes + ack.inFlightBytes;
    m_windowAcked = 0;
    m_windowMarked = 0;
    return true;
}

void
WindowDctcp::OnAck(const AckEvent& ack)
{
    const bool isNewWindow = UpdateAlpha(ack);
    const bool isCutOver = m_ackedBytes > m_cutEnd || m_cutEnd == 0;
    if (!isCutOver)
    {
        return;
    }
    if (ack.isCeEchoed)
    {
        m_windowBytes = std::max(m_windowBytes * (1 - m_alpha / 2), m_minBytes);
        m_cutEnd = m_ackedBytes + ack.inFlightBytes;
    }
    else if (isNewWindow)
    {
        m_windowBytes = std::min(m_windowBytes + m_parameters->stepBytes, m_maxBytes);
    }
}

bool
WindowDctcp::NeedsOnSent() const
{
    return false;
}

SendLimit
WindowDctcp::GetLimit() const
{
    SendLimit limit;
    limit.rate = m_lineRate;
    limit.windowBytes = static_cast<uint64_t>(m_windowBytes);
    return limit;
}

double
WindowDctcp::GetAlpha() const
{
    return m_alpha;
}

} // namespace ns3::rdma
