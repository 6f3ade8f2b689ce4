// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/fluid-start.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3::rdma
{

FluidStart::FluidStart(FlowSource& source, FluidParameters parameters)
    : m_source(source),
      m_parameters(std::move(parameters)),
      m_shares(m_parameters.bytesPerPs)
{
}

double
FluidStart::GetPayloadShare(uint32_t mtuBytes,
                            uint32_t packetOverheadBytes,
                            uint32_t acknowledgmentBytes)
{
    return static_cast<double>(mtuBytes) / (mtuBytes + packetOverheadBytes + acknowledgmentBytes);
}

std::optional<FlowArrival>
FluidStart::Next()
{
    if (!m_hasRun)
    {
        m_hasRun = true;
        RunFluid();
    }
    if (m_given < m_active.size())
    {
        const Drop& drop = m_active[m_given++];
        FlowArrival arrival = drop.arrival;
        // Whole bytes, and at least one is left to be sent.
        const double left = std::min(std::ceil(drop.leftBytes), static_cast<double>(arrival.bytes));
        arrival.fluidBytes = arrival.bytes - static_cast<uint64_t>(left);
        return arrival;
    }
    std::optional<FlowArrival> next = m_next;
    if (next)
    {
        m_next = m_source.Next();
    }
    return next;
}

void
FluidStart::RunFluid()
{
    m_next = m_source.Next();
    const auto hasFlows = [this] { return m_next || !m_active.empty(); };
    for (int64_t begin = 0; begin < m_parameters.untilPs && hasFlows(); begin += STEP_PS)
    {
        const int64_t end = std::min(begin + STEP_PS, m_parameters.untilPs);
        while (m_next && m_next->startPs < end)
        {
            m_active.push_back({*m_next, static_cast<double>(m_next->bytes)});
            m_next = m_source.Next();
        }
        RunStep(begin, end);
    }
}

void
FluidStart::RunStep(int64_t beginPs, int64_t endPs)
{
    m_flows.clear();
    for (const Drop& drop : m_active)
    {
        m_flows.push_back({drop.arrival.src, drop.arrival.dst});
    }
    m_shares.Divide(m_flows);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < m_active.size(); ++i)
    {
        Drop& drop = m_active[i];
        const int64_t since = std::max(beginPs, drop.arrival.startPs);
        drop.leftBytes -= m_flows[i].share * static_cast<double>(endPs - since);
        if (drop.leftBytes > 0)
        {
            m_active[kept++] = drop;
        }
    }
    m_active.resize(kept);
}

} // namespace ns3::rdma
