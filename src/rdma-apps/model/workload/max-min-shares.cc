// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/max-min-shares.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace ns3::rdma
{

namespace
{
/// Offers that differ only by rounding are equal.
constexpr double ROUNDING{1 + 1e-12};
} // namespace

MaxMinShares::MaxMinShares(std::vector<double> capacities)
    : m_capacities(std::move(capacities)),
      m_out(m_capacities.size()),
      m_in(m_capacities.size())
{
}

double
MaxMinShares::GetOffer(const Flow& flow) const
{
    const Direction& out = m_out[flow.src];
    const Direction& in = m_in[flow.dst];
    return std::min(out.left / out.open, in.left / in.open);
}

bool
MaxMinShares::IsSettled(const Flow& flow) const
{
    // A link is full if even its most restricted flow uses the link's whole offer.
    const auto isFull = [](const Direction& link) {
        return link.left / link.open <= link.least * ROUNDING;
    };
    return isFull(m_out[flow.src]) || isFull(m_in[flow.dst]);
}

void
MaxMinShares::CountOpen(const std::vector<Flow>& flows)
{
    for (std::size_t node = 0; node < m_capacities.size(); ++node)
    {
        m_out[node] = {m_capacities[node], 0, 0};
        m_in[node] = {m_capacities[node], 0, 0};
    }
    for (const Flow& flow : flows)
    {
        ++m_out[flow.src].open;
        ++m_in[flow.dst].open;
    }
}

void
MaxMinShares::Divide(std::vector<Flow>& flows)
{
    CountOpen(flows);
    m_open.resize(flows.size());
    std::iota(m_open.begin(), m_open.end(), 0U);
    while (!m_open.empty())
    {
        for (const uint32_t place : m_open)
        {
            m_out[flows[place].src].least = std::numeric_limits<double>::max();
            m_in[flows[place].dst].least = std::numeric_limits<double>::max();
        }
        m_offers.clear();
        for (const uint32_t place : m_open)
        {
            const double offer = GetOffer(flows[place]);
            m_offers.push_back(offer);
            m_out[flows[place].src].least = std::min(m_out[flows[place].src].least, offer);
            m_in[flows[place].dst].least = std::min(m_in[flows[place].dst].least, offer);
        }
        // All flows are checked before any is removed from its links.
        std::vector<uint32_t> settled;
        std::size_t kept = 0;
        for (std::size_t i = 0; i < m_open.size(); ++i)
        {
            Flow& flow = flows[m_open[i]];
            flow.share = m_offers[i];
            if (IsSettled(flow))
            {
                settled.push_back(m_open[i]);
            }
            else
            {
                m_open[kept++] = m_open[i];
            }
        }
        m_open.resize(kept);
        for (const uint32_t place : settled)
        {
            const Flow& flow = flows[place];
            for (Direction* link : {&m_out[flow.src], &m_in[flow.dst]})
            {
                link->left = std::max(link->left - flow.share, 0.0);
                --link->open;
            }
        }
    }
}

} // namespace ns3::rdma
