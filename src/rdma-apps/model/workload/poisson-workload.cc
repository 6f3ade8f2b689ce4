// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/poisson-workload.h"

#include "ns3/input-error.h"
#include "ns3/topology-check.h"

#include <algorithm>
#include <cmath>

namespace ns3::rdma
{

namespace
{

/// Server n draws from stream FIRST_STREAM + n, distinct from the streams of links and switches.
constexpr uint64_t FIRST_STREAM{0x776f726b00000000ULL};

/// Place of a sender that is no destination: greater than all others.
constexpr uint32_t NO_PLACE{UINT32_MAX};

constexpr double BITS_PER_BYTE{8};
constexpr double PS_PER_SECOND{1e12};

void
CheckParameters(const TopologyGraph& graph,
                const FlowSizeCdf& sizes,
                const PoissonParameters& parameters)
{
    // Sizes are rounded up to 1 byte, so a smaller mean would give more load than requested.
    if (sizes.GetMeanBytes() < 1)
    {
        throw InputError("poisson: expected flow sizes with a mean of at least 1 byte, got " +
                         std::to_string(sizes.GetMeanBytes()));
    }
    if (!(parameters.load > 0 && parameters.load <= 1))
    {
        throw InputError("poisson: expected a load above 0 and at most 1, got " +
                         std::to_string(parameters.load));
    }
    if (!parameters.duration.IsStrictlyPositive())
    {
        throw InputError("poisson: expected a duration above 0, got " +
                         std::to_string(parameters.duration.GetPicoSeconds()) + " ps");
    }
    if (graph.GetServerCount() < 2)
    {
        throw InputError("poisson: expected at least two servers, got " +
                         std::to_string(graph.GetServerCount()));
    }
}

} // namespace

PoissonWorkload::PoissonWorkload(const TopologyGraph& graph,
                                 FlowSizeCdf sizes,
                                 const PoissonParameters& parameters)
    : m_sizes(std::move(sizes))
{
    CheckParameters(graph, m_sizes, parameters);
    m_endPs = parameters.duration.GetPicoSeconds();
    m_sources = parameters.sources.empty() ? graph.GetServers() : parameters.sources;
    m_destinations = parameters.destinations.empty() ? graph.GetServers() : parameters.destinations;
    m_initial = MakeSenders(graph, parameters);
    Rewind();
}

bool
PoissonWorkload::Rewind()
{
    m_heap.clear();
    m_senders = m_initial;
    for (uint32_t sender = 0; sender < m_senders.size(); ++sender)
    {
        if (m_senders[sender].Advance(m_endPs))
        {
            m_heap.push_back({m_senders[sender].startPs, sender});
        }
    }
    std::make_heap(m_heap.begin(), m_heap.end(), IsLater);
    return true;
}

std::vector<PoissonWorkload::Sender>
PoissonWorkload::MakeSenders(const TopologyGraph& graph, const PoissonParameters& parameters) const
{
    const std::vector<uint64_t> rates = GetServerRates(graph);
    std::vector<Sender> senders;
    for (uint32_t index = 0; index < m_sources.size(); ++index)
    {
        const uint32_t node = m_sources[index];
        const auto place = std::lower_bound(m_destinations.begin(), m_destinations.end(), node);
        const bool isDestination = place != m_destinations.end() && *place == node;
        if (isDestination && m_destinations.size() == 1)
        {
            throw InputError("poisson: expected a destination other than its source, got server " +
                             std::to_string(node) + " alone");
        }
        const double bitsPerSecond = parameters.load * static_cast<double>(rates[node]);
        const double meanPs =
            m_sizes.GetMeanBytes() * BITS_PER_BYTE / bitsPerSecond * PS_PER_SECOND;
        senders.push_back(
            {RandomStream(parameters.seed, FIRST_STREAM + node),
             meanPs,
             0,
             isDestination ? static_cast<uint32_t>(place - m_destinations.begin()) : NO_PLACE});
    }
    return senders;
}

bool
PoissonWorkload::Sender::Advance(int64_t endPs)
{
    // Inverse transform of the exponential distribution; log1p keeps short intervals exact.
    const double interval = -meanIntervalPs * std::log1p(-random.NextDouble());
    if (interval >= static_cast<double>(endPs - startPs))
    {
        return false; // Compared before the conversion, which a long interval would overflow.
    }
    startPs += static_cast<int64_t>(std::floor(interval + 0.5));
    return startPs < endPs;
}

bool
PoissonWorkload::IsLater(const NextStart& a, const NextStart& b)
{
    return a.startPs != b.startPs ? a.startPs > b.startPs : a.sender > b.sender;
}

uint32_t
PoissonWorkload::ChooseDestination(Sender& sender) const
{
    const auto others =
        static_cast<double>(m_destinations.size() - (sender.own == NO_PLACE ? 0 : 1));
    const auto choice = static_cast<uint32_t>(sender.random.NextDouble() * others);
    return m_destinations[choice < sender.own ? choice : choice + 1];
}

void
PoissonWorkload::MoveFirstDown()
{
    const NextStart moved = m_heap.front();
    std::size_t place = 0;
    for (std::size_t child = 1; child < m_heap.size(); child = 2 * place + 1)
    {
        child += child + 1 < m_heap.size() && IsLater(m_heap[child], m_heap[child + 1]) ? 1 : 0;
        if (!IsLater(moved, m_heap[child]))
        {
            break;
        }
        m_heap[place] = m_heap[child];
        place = child;
    }
    m_heap[place] = moved;
}

std::optional<FlowArrival>
PoissonWorkload::Next()
{
    if (m_heap.empty())
    {
        return std::nullopt;
    }
    NextStart& next = m_heap.front();
    Sender& sender = m_senders[next.sender];
    FlowArrival flow;
    flow.src = m_sources[next.sender];
    flow.startPs = sender.startPs;
    flow.dst = ChooseDestination(sender);
    flow.bytes = m_sizes.GetQuantile(sender.random.NextDouble());
    if (sender.Advance(m_endPs))
    {
        next.startPs = sender.startPs;
        MoveFirstDown();
    }
    else
    {
        std::pop_heap(m_heap.begin(), m_heap.end(), IsLater);
        m_heap.pop_back();
    }
    return flow;
}

std::optional<uint64_t>
PoissonWorkload::GetFlowCount() const
{
    uint64_t count = 0;
    for (Sender sender : m_initial)
    {
        while (sender.Advance(m_endPs))
        {
            ++count;
            sender.random.Next(); // The destination.
            sender.random.Next(); // The size.
        }
    }
    return count;
}

} // namespace ns3::rdma
