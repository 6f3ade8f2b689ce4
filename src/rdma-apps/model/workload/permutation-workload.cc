// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/permutation-workload.h"

#include "ns3/flow-check.h"
#include "ns3/input-error.h"
#include "ns3/wide-integer.h"

#include <utility>

namespace ns3::rdma
{

namespace
{

constexpr uint64_t PERMUTATION_STREAM{0x7065726d00000000ULL}; ///< Away from those of other parts.

[[noreturn]] void
FailPermutation(const std::string& expected, const std::string& got)
{
    throw InputError("permutation: expected " + expected + ", got " + got);
}

void
CheckPermutation(const TopologyGraph& graph, const PermutationParameters& parameters)
{
    if (parameters.servers.size() < 2)
    {
        FailPermutation("at least two servers", std::to_string(parameters.servers.size()));
    }
    if (parameters.repeats > 1 && !parameters.period.IsStrictlyPositive())
    {
        FailPermutation("a period above 0 between rounds",
                        std::to_string(parameters.period.GetPicoSeconds()) + " ps");
    }
    const Int128 lastRound =
        static_cast<Int128>(parameters.repeats - 1) * parameters.period.GetPicoSeconds() +
        parameters.at.GetPicoSeconds();
    constexpr int64_t MAX_PS{1'000'000'000'000'000'000}; // As long as a flow may start.
    if (lastRound > MAX_PS)
    {
        FailPermutation("a last round at 1000000 s or before", "one that is too late");
    }
    for (std::size_t place = 0; place < parameters.servers.size(); ++place)
    {
        const uint32_t other = parameters.servers[place == 0 ? 1 : 0];
        const FlowArrival flow{parameters.servers[place],
                               other,
                               parameters.bytes,
                               parameters.at.GetPicoSeconds()};
        if (const auto fault = FindFlowFault(graph, flow))
        {
            FailPermutation(fault->expected, fault->got);
        }
    }
}

} // namespace

PermutationWorkload::PermutationWorkload(const TopologyGraph& graph,
                                         PermutationParameters parameters)
    : m_parameters(std::move(parameters))
{
    CheckPermutation(graph, m_parameters);
    Rewind();
}

void
PermutationWorkload::DrawRound()
{
    bool hasFixedPoint = true;
    while (hasFixedPoint)
    {
        m_receivers = m_parameters.servers;
        hasFixedPoint = false;
        for (auto place = static_cast<uint32_t>(m_receivers.size()); place-- > 0;)
        {
            std::swap(m_receivers[place], m_receivers[m_random.NextBelow(place + 1)]);
            hasFixedPoint |= m_receivers[place] == m_parameters.servers[place];
        }
    }
}

std::optional<FlowArrival>
PermutationWorkload::Next()
{
    if (m_nextSender == m_parameters.servers.size())
    {
        m_nextSender = 0;
        ++m_round;
    }
    if (m_round == m_parameters.repeats)
    {
        return std::nullopt;
    }
    if (m_nextSender == 0)
    {
        DrawRound();
    }
    const std::size_t sender = m_nextSender++;
    const int64_t startPs =
        m_parameters.at.GetPicoSeconds() + int64_t{m_round} * m_parameters.period.GetPicoSeconds();
    return FlowArrival{m_parameters.servers[sender],
                       m_receivers[sender],
                       m_parameters.bytes,
                       startPs};
}

bool
PermutationWorkload::Rewind()
{
    m_random = RandomStream(m_parameters.seed, PERMUTATION_STREAM);
    m_round = 0;
    m_nextSender = 0;
    return true;
}

std::optional<uint64_t>
PermutationWorkload::GetFlowCount() const
{
    return uint64_t{m_parameters.repeats} * m_parameters.servers.size();
}

} // namespace ns3::rdma
