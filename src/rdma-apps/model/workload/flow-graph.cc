// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flow-graph.h"

#include "ns3/flow-check.h"
#include "ns3/input-error.h"

#include <algorithm>
#include <map>

namespace ns3::rdma
{

namespace
{

[[noreturn]] void
Fail(uint32_t operation, const std::string& expected, const std::string& got)
{
    throw InputError("operations[" + std::to_string(operation) + "]: expected " + expected +
                     ", got " + got);
}

/// @return by operation: the operations that depend on it.
std::vector<std::vector<uint32_t>>
FindDependents(const std::vector<FlowOperation>& operations)
{
    std::vector<std::vector<uint32_t>> dependents(operations.size());
    for (uint32_t operation = 0; operation < operations.size(); ++operation)
    {
        for (const uint32_t predecessor : operations[operation].after)
        {
            if (predecessor >= operations.size())
            {
                Fail(operation, "predecessors in the list", std::to_string(predecessor));
            }
            dependents[predecessor].push_back(operation);
        }
    }
    return dependents;
}

} // namespace

FlowGraph::FlowGraph(std::vector<FlowOperation> operations, const TopologyGraph& topology)
    : m_operations(std::move(operations)),
      m_dependents(FindDependents(m_operations))
{
    CheckOperations(topology);
    CheckOrder();
    MakeConnections(topology.isSwitch.size());
}

bool
FlowGraph::HasReads() const
{
    return std::any_of(m_connections.begin(), m_connections.end(), [](const Connection& one) {
        return one.hasReads;
    });
}

void
FlowGraph::CheckOperations(const TopologyGraph& topology) const
{
    for (uint32_t number = 0; number < GetCount(); ++number)
    {
        const FlowOperation& one = m_operations[number];
        const auto fault = FindFlowFault(topology, {one.src, one.dst, one.bytes, one.delayPs});
        if (fault)
        {
            Fail(number, fault->expected, fault->got);
        }
        if (one.bytes > MAX_BYTES)
        {
            Fail(number, "at most 2147483648 bytes", std::to_string(one.bytes));
        }
    }
}

void
FlowGraph::CheckOrder() const
{
    // Removes operations without remaining predecessors (Kahn 1962); those in a cycle remain.
    std::vector<uint32_t> missing;
    std::vector<uint32_t> ready;
    for (uint32_t number = 0; number < GetCount(); ++number)
    {
        missing.push_back(static_cast<uint32_t>(m_operations[number].after.size()));
        if (missing.back() == 0)
        {
            ready.push_back(number);
        }
    }
    while (!ready.empty())
    {
        const uint32_t done = ready.back();
        ready.pop_back();
        for (const uint32_t dependent : m_dependents[done])
        {
            if (--missing[dependent] == 0)
            {
                ready.push_back(dependent);
            }
        }
    }
    const auto isLeft = [&missing](uint32_t number) { return missing[number] > 0; };
    uint32_t last = 0;
    while (last < GetCount() && !isLeft(last))
    {
        ++last;
    }
    if (last == GetCount())
    {
        return;
    }
    // Every remaining operation has a remaining predecessor: enough steps back lead into a cycle.
    const auto stepBack = [this, &isLeft](uint32_t number) {
        const std::vector<uint32_t>& after = m_operations[number].after;
        return *std::find_if(after.begin(), after.end(), isLeft);
    };
    for (uint32_t step = 0; step < GetCount(); ++step)
    {
        last = stepBack(last);
    }
    constexpr int MAX_NAMED{8};
    std::string circle = '"' + m_operations[last].id + '"';
    uint32_t next = stepBack(last);
    for (int named = 1; next != last && named < MAX_NAMED; ++named, next = stepBack(next))
    {
        circle += " after \"" + m_operations[next].id + '"';
    }
    Fail(last,
         "operations that do not wait for themselves",
         circle + (next == last ? " after \"" + m_operations[last].id + '"' : " after others"));
}

void
FlowGraph::MakeConnections(std::size_t nodes)
{
    std::vector<uint32_t> places(nodes, 0);
    std::map<std::string, uint32_t> shared;
    for (uint32_t number = 0; number < GetCount(); ++number)
    {
        const FlowOperation& one = m_operations[number];
        const auto next = static_cast<uint32_t>(m_connections.size());
        const auto known =
            one.queuePair.empty() ? shared.end() : shared.try_emplace(one.queuePair, next).first;
        if (known != shared.end() && known->second != next)
        {
            const FlowOperation& first = m_operations[m_connections[known->second].first];
            if (first.src != one.src || first.dst != one.dst)
            {
                Fail(number,
                     "queue pair \"" + one.queuePair + "\" from server " +
                         std::to_string(first.src) + " to " + std::to_string(first.dst) +
                         ", as operation \"" + first.id + "\" has it",
                     std::to_string(one.src) + " to " + std::to_string(one.dst));
            }
            m_connectionOf.push_back(known->second);
            m_connections[known->second].hasReads |= IsRead(number);
            continue;
        }
        m_connectionOf.push_back(next);
        m_connections.push_back(
            {number, places[one.src]++, places[one.dst]++, !one.queuePair.empty(), IsRead(number)});
    }
}

} // namespace ns3::rdma
