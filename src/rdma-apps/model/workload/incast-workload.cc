// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/incast-workload.h"

#include "ns3/flow-check.h"
#include "ns3/input-error.h"
#include "ns3/wide-integer.h"

namespace ns3::rdma
{

namespace
{

[[noreturn]] void
Fail(const std::string& expected, const std::string& got)
{
    throw InputError("incast: expected " + expected + ", got " + got);
}

void
CheckTimes(const IncastParameters& parameters)
{
    if (parameters.repeats == 0)
    {
        Fail("at least one round", "0");
    }
    if (parameters.repeats > 1 && !parameters.period.IsStrictlyPositive())
    {
        Fail("a period above 0 between rounds",
             std::to_string(parameters.period.GetPicoSeconds()) + " ps");
    }
    const Int128 lastRound =
        static_cast<Int128>(parameters.repeats - 1) * parameters.period.GetPicoSeconds() +
        parameters.at.GetPicoSeconds();
    constexpr int64_t MAX_PS{1'000'000'000'000'000'000}; // As long as a flow may start.
    if (lastRound > MAX_PS)
    {
        Fail("a last round at 1000000 s or before", "one that is too late");
    }
}

} // namespace

IncastWorkload::IncastWorkload(const TopologyGraph& graph, IncastParameters parameters)
    : m_parameters(std::move(parameters))
{
    CheckTimes(m_parameters);
    if (m_parameters.senders.empty())
    {
        Fail("at least one sender", "none");
    }
    for (const uint32_t sender : m_parameters.senders)
    {
        const FlowArrival flow{sender,
                               m_parameters.receiver,
                               m_parameters.bytes,
                               m_parameters.at.GetPicoSeconds()};
        if (const auto fault = FindFlowFault(graph, flow))
        {
            Fail(fault->expected, fault->got);
        }
    }
}

std::vector<uint32_t>
IncastWorkload::ChooseSenders(const TopologyGraph& graph, uint32_t receiver, uint32_t count)
{
    std::vector<uint32_t> senders;
    for (const uint32_t server : graph.GetServers())
    {
        if (server != receiver)
        {
            senders.push_back(server);
        }
    }
    if (count == 0 || count > senders.size())
    {
        Fail("1 to " + std::to_string(senders.size()) +
                 " senders (servers other than the receiver)",
             std::to_string(count));
    }
    senders.resize(count);
    return senders;
}

std::optional<FlowArrival>
IncastWorkload::Next()
{
    if (m_nextSender == m_parameters.senders.size())
    {
        m_nextSender = 0;
        ++m_round;
    }
    if (m_round == m_parameters.repeats)
    {
        return std::nullopt;
    }
    const int64_t startPs =
        m_parameters.at.GetPicoSeconds() + int64_t{m_round} * m_parameters.period.GetPicoSeconds();
    return FlowArrival{m_parameters.senders[m_nextSender++],
                       m_parameters.receiver,
                       m_parameters.bytes,
                       startPs};
}

bool
IncastWorkload::Rewind()
{
    m_round = 0;
    m_nextSender = 0;
    return true;
}

std::optional<uint64_t>
IncastWorkload::GetFlowCount() const
{
    return uint64_t{m_parameters.repeats} * m_parameters.senders.size();
}

} // namespace ns3::rdma
