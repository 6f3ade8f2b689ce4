// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/collective-keys.h"

#include "ns3/input-error.h"
#include "ns3/name-suggestion.h"
#include "ns3/nccl-keys.h"
#include "ns3/scenario.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

namespace ns3::rdma
{

namespace
{

constexpr uint64_t MAX_BYTES{uint64_t{1} << 31}; ///< Longest message of InfiniBand.
constexpr uint32_t MAX_CHANNELS{64};
constexpr uint32_t MAX_SLICES{4096};
constexpr uint32_t MAX_RANKS{1 << 20};
constexpr double MAX_SKEW{10};
constexpr double BIT_PS_PER_BYTE_SECOND{8e12};
constexpr double MAX_SUM_PS{4e18}; ///< Less than half of what a Tick has room for.

/// Whether a message of a round waits for a completion.
constexpr std::array<std::pair<const char*, bool>, 2> WAITS{
    {{"arrival", false}, {"completion", true}}};

/// @return the names that one member of each algorithm has, without repetitions.
std::vector<std::string>
ListNames(std::string CollectiveAlgorithm::*member, const std::string& operation = "")
{
    std::vector<std::string> names;
    for (const CollectiveAlgorithm& one : GetCollectiveAlgorithms())
    {
        const bool isKnown = std::find(names.begin(), names.end(), one.*member) != names.end();
        if (!isKnown && (operation.empty() || one.operation == operation))
        {
            names.push_back(one.*member);
        }
    }
    return names;
}

/// @param key that has an effect on some algorithms only
bool
IsKeyOf(const CollectiveAlgorithm& algorithm, const char* key)
{
    const auto& keys = algorithm.keys;
    return std::find(keys.begin(), keys.end(), key) != keys.end();
}

/// @return what is expected where such a key has no effect.
std::string
DescribeEffect(const char* key)
{
    std::vector<std::string> names;
    for (const CollectiveAlgorithm& one : GetCollectiveAlgorithms())
    {
        if (IsKeyOf(one, key))
        {
            names.push_back(one.operation + " by " + one.name);
        }
    }
    return "an operation and an algorithm on which it has an effect (" + JoinNames(names) + ")";
}

bool
IsPowerOfTwo(std::size_t number)
{
    return (number & (number - 1)) == 0;
}

} // namespace

bool
CollectiveKeys::IsAuto() const
{
    return m_shape.algorithm == NcclKeys::AUTO;
}

/// @return the algorithm of the operation that is named, or its first one; with AUTO one that
/// NCCL has. Any, if no operation is named.
const CollectiveAlgorithm&
CollectiveKeys::GetAlgorithm() const
{
    const auto& all = GetCollectiveAlgorithms();
    const auto found = std::find_if(all.begin(), all.end(), [this](const auto& one) {
        const std::string& name = m_shape.algorithm;
        const bool isWanted = IsAuto() ? one.isOfNccl : name.empty() || one.name == name;
        return isWanted && one.operation == m_shape.operation;
    });
    return found == all.end() ? all.front() : *found;
}

std::string
CollectiveKeys::GetAlgorithmName() const
{
    return IsAuto() ? m_shape.algorithm : GetAlgorithm().name;
}

void
CollectiveKeys::VisitOperation(Keys& keys, bool canBeAuto)
{
    std::string& operation = m_shape.operation;
    keys.Choice("operation",
                operation,
                ListNames(&CollectiveAlgorithm::operation),
                "what the ranks do together")
        .Required();
    auto names = ListNames(&CollectiveAlgorithm::name, operation);
    if (canBeAuto && NcclKeys::HasChoice(operation))
    {
        names.emplace_back(NcclKeys::AUTO);
    }
    keys.Choice("algorithm",
                m_shape.algorithm,
                std::move(names),
                "one of those of the operation; auto: the choice of NCCL")
        .Otherwise("the first of its operation");
    keys.Bytes("size",
               m_shape.bytes,
               "full buffer of a rank; of all ranks for all-gather and reduce-scatter")
        .AtMost(MAX_BYTES)
        .WithUnit()
        .Required();
}

void
CollectiveKeys::VisitShape(Keys& keys, bool isByNccl, uint32_t ranksPerServer)
{
    const std::string got = DescribeChoice();
    const bool hasRings = !isByNccl || NcclKeys::HasChoice(m_shape.operation);
    keys.Check(hasRings || !keys.Has("channels"),
               "channels",
               "channelsPerPeer instead, beside a library");
    keys.Count("channels", m_shape.channels, "parallel rings, each with a part of the buffer")
        .Between(1U, MAX_CHANNELS)
        .OnlyIf(HasKey("channels") && hasRings, DescribeEffect("channels"), got);
    keys.Check(!isByNccl || !keys.Has("slices"),
               "slices",
               "no slices beside a library, which chooses them");
    keys.Count("slices", m_shape.slices, "messages of a step")
        .Between(1U, MAX_SLICES)
        .OnlyIf(HasKey("slices") && !isByNccl, DescribeEffect("slices"), got);
    keys.Count("root", m_shape.root, "rank that a broadcast begins at and a reduction ends at")
        .AtMost(MAX_RANKS - 1)
        .OnlyIf(HasKey("root"), DescribeEffect("root"), got);
    keys.Count("inner", m_shape.inner, ranksPerServer, "adjacent ranks of an inner group")
        .Between(2U, MAX_RANKS)
        .OnlyIf(HasKey("inner"), DescribeEffect("inner"), got)
        .Otherwise("ranksPerServer");
}

void
CollectiveKeys::VisitRounds(Keys& keys)
{
    const std::string got = DescribeChoice();
    AllToAllRules& rounds = m_shape.rounds;
    keys.Count("window", rounds.window, "rounds whose messages are in flight")
        .AtLeast(1)
        .OmitIf(rounds.window == UINT32_MAX)
        .OnlyIf(HasKey("window"), DescribeEffect("window"), got)
        .Otherwise("all");
    keys.Choice("waitFor",
                rounds.waitsForCompletion,
                WAITS,
                "event of an earlier round that a message waits for")
        .OnlyIf(HasKey("waitFor"), DescribeEffect("waitFor"), got);
    keys.Number("skew", m_skew, "part j of a buffer is proportional to 1 / (j + 1)^skew")
        .Between(0.0, MAX_SKEW)
        .OmitIf(m_matrixRanks > 0)
        .OnlyIf(HasKey("skew"), DescribeEffect("skew"), got);
    keys.Check(!keys.Has("skew") || !keys.Has("matrix"),
               "matrix",
               "either a matrix or a skew",
               "both");
    keys.Other("matrix",
               {[this](const JsonValue& value, const KeySpec&) { ReadMatrix(value); },
                [this](const KeySpec&) { return WriteMatrix(); }},
               "sizes of messages, a list for each sender with a size for each receiver")
        .OnlyIf(HasKey("matrix"), DescribeEffect("matrix"), got)
        .Shape(R"({"type": "array", "items": {"type": "array",
                   "items": {"type": ["string", "integer"], "minimum": 0}}})")
        .Otherwise("equal parts");
}

bool
CollectiveKeys::HasKey(const char* key) const
{
    return IsKeyOf(GetAlgorithm(), key);
}

/// @return as "all-reduce by ring".
std::string
CollectiveKeys::DescribeChoice() const
{
    return m_shape.operation + " by " + GetAlgorithmName();
}

void
CollectiveKeys::ReadMatrix(const JsonValue& matrix)
{
    const std::size_t ranks = matrix.GetElements().size();
    for (const JsonValue& row : matrix.GetElements())
    {
        const std::vector<JsonValue> cells = row.GetElements();
        if (cells.size() != ranks)
        {
            row.Fail(std::to_string(ranks) + " sizes, one for each row",
                     std::to_string(cells.size()));
        }
        for (const JsonValue& cell : cells)
        {
            m_shape.sizes.push_back(cell.GetBytesOrNumber(true));
            if (m_shape.sizes.back() > MAX_BYTES)
            {
                cell.Fail("at most 2 GiB");
            }
        }
    }
    m_matrixRanks = static_cast<uint32_t>(ranks);
}

/// @return null: there is none.
nlohmann::ordered_json
CollectiveKeys::WriteMatrix() const
{
    nlohmann::ordered_json rows;
    for (uint32_t row = 0; row < m_matrixRanks; ++row)
    {
        const auto begin = m_shape.sizes.begin() + uint64_t{row} * m_matrixRanks;
        rows.push_back(std::vector<uint64_t>(begin, begin + m_matrixRanks));
    }
    return rows;
}

[[noreturn]] void
CollectiveKeys::FailAt(const std::string& key, const std::string& expected, const std::string& got)
{
    throw InputError("." + key + ": expected " + expected + ", got " + got);
}

void
CollectiveKeys::CheckRanks(uint32_t ranks) const
{
    const std::string got = std::to_string(ranks);
    if (GetAlgorithm().needsPowerOfTwo && !IsPowerOfTwo(ranks))
    {
        FailAt("algorithm", "a power of two as number of ranks with it", got);
    }
    if (m_shape.root >= ranks)
    {
        FailAt("root", "a rank below " + got, std::to_string(m_shape.root));
    }
    if (m_matrixRanks > 0 && m_matrixRanks != ranks)
    {
        FailAt("matrix", got + " rows, one for each rank", std::to_string(m_matrixRanks));
    }
    const bool hasInner = m_shape.algorithm == "hierarchical";
    if (hasInner && (m_shape.inner < 2 || ranks % m_shape.inner != 0 || ranks == m_shape.inner))
    {
        FailAt("inner",
               "at least two groups of at least 2 of the " + got + " ranks",
               std::to_string(m_shape.inner));
    }
}

CollectiveShape
CollectiveKeys::MakeShape(uint32_t ranks) const
{
    CheckRanks(ranks);
    CollectiveShape shape = m_shape;
    shape.ranks = ranks;
    if (m_skew > 0)
    {
        shape.sizes = AllToAllGraph::MakeSkewed(ranks, shape.bytes, m_skew);
    }
    return shape;
}

void
CollectiveKeys::CheckMessages(const std::vector<CollectiveStage>& stages)
{
    for (const CollectiveStage& stage : stages)
    {
        const uint64_t messages = stage.empty() ? 0 : stage.front().graph->GetCount();
        if (messages > UINT32_MAX)
        {
            throw InputError(": expected less than 2^32 messages in an iteration, got " +
                             std::to_string(messages));
        }
    }
}

void
CollectiveKeys::CheckTimes(const CollectivePlan& plan, uint64_t longest)
{
    const auto toPs = [](const Time& time) { return static_cast<double>(time.GetPicoSeconds()); };
    double message = toPs(plan.processing);
    if (plan.local)
    {
        const auto rate = static_cast<double>(plan.local->rate.GetBitRate());
        message += toPs(plan.local->latency) +
                   static_cast<double>(longest) * BIT_PS_PER_BYTE_SECOND / rate;
    }
    double messages = 0; // Of one communicator; others are at work at the same time.
    for (const CollectiveStage& stage : plan.stages)
    {
        for (const CollectiveGroup& group : stage)
        {
            messages += static_cast<double>(group.graph->GetCount());
        }
    }
    const double sum = plan.iterations * (toPs(plan.compute) + messages * message);
    if (sum > MAX_SUM_PS)
    {
        throw InputError(": expected times of computing, processing and local transfers of at most "
                         "4000000 s in all messages of all iterations, got more");
    }
}

std::vector<std::pair<uint32_t, uint32_t>>
FindRankPeers(const Scenario& scenario, const std::string& group)
{
    std::vector<std::pair<uint32_t, uint32_t>> peers;
    if (group.empty())
    {
        // All servers. Those of a group have one design, and those of no group have one.
        std::set<uint32_t> grouped;
        for (const auto& [name, members] : scenario.groups)
        {
            grouped.insert(members.begin(), members.end());
            peers.emplace_back(scenario.groups.begin()->second.front(), members.front());
        }
        const bool hasDefault = std::all_of(scenario.nics.begin(),
                                            scenario.nics.end(),
                                            [](const NicSpec& nic) { return nic.HasDefault(); });
        if (hasDefault && !peers.empty())
        {
            uint32_t free = 0;
            while (grouped.count(free) > 0)
            {
                ++free;
            }
            peers.emplace_back(peers.front().first, free);
        }
        return peers;
    }
    const std::vector<uint32_t>& members = scenario.groups.at(group);
    peers.emplace_back(members.front(), members.back());
    return peers;
}

} // namespace ns3::rdma
