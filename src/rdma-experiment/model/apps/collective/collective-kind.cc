// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/collective-stages.h"
#include "ns3/collective-traffic.h"
#include "ns3/input-error.h"
#include "ns3/name-suggestion.h"
#include "ns3/nccl-keys.h"
#include "ns3/nccl-protocol.h"
#include "ns3/quantity.h"
#include "ns3/rank-placement.h"
#include "ns3/scenario-file.h"
#include "ns3/traffic-kind.h"

#include <algorithm>
#include <array>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <utility>

namespace ns3::rdma
{

namespace
{

constexpr uint64_t MAX_BYTES{uint64_t{1} << 31}; ///< Longest message of InfiniBand.
constexpr uint32_t MAX_ITERATIONS{1'000'000};
constexpr uint32_t MAX_PER_SERVER{64};
constexpr uint32_t MAX_CHANNELS{64};
constexpr uint32_t MAX_SLICES{4096};
constexpr uint32_t MAX_RANKS{1 << 20};
constexpr double MAX_SKEW{10};

constexpr std::array<std::pair<const char*, PlacementRule>, 3> PLACEMENTS{
    {{"rank-order", PlacementRule::RANK_ORDER},
     {"random", PlacementRule::RANDOM},
     {"rail", PlacementRule::RAIL}}};
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

/// @return as "4.29 s".
std::string
DescribeSeconds(int64_t ns)
{
    constexpr double NS_PER_SECOND{1e9};
    std::ostringstream text;
    text << std::setprecision(3) << static_cast<double>(ns) / NS_PER_SECOND << " s";
    return text.str();
}

bool
IsPowerOfTwo(std::size_t number)
{
    return (number & (number - 1)) == 0;
}

} // namespace

/// Workload type "collective".
class CollectiveKind : public TrafficKind
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::CollectiveKind")
                                .SetParent<TrafficKind>()
                                .SetGroupName("RdmaExperiment")
                                .AddConstructor<CollectiveKind>();
        return tid;
    }

    KindInfo GetInfo() const override
    {
        return {"collective", "ranks repeat an operation: all-reduce, all-gather, all-to-all, ..."};
    }

    void Visit(Keys& keys) override
    {
        VisitOperation(keys);
        VisitRanks(keys);
        VisitIterations(keys);
        VisitShape(keys);
        VisitRounds(keys);
    }

    void Resolve(const JsonValue&, const Scenario&) override
    {
        m_shape.algorithm = GetAlgorithmName();
        m_nccl.Resolve(IsAuto());
    }

    std::optional<Time> GetDuration() const override
    {
        return std::nullopt; // It ends with its last iteration.
    }

    std::vector<std::pair<uint32_t, uint32_t>> GetPeers(const Scenario& scenario) const override
    {
        std::vector<std::pair<uint32_t, uint32_t>> peers;
        if (m_group.empty())
        {
            // All servers. Those of a group have one design, and those of no group have one.
            std::set<uint32_t> grouped;
            for (const auto& [name, members] : scenario.groups)
            {
                grouped.insert(members.begin(), members.end());
                peers.emplace_back(scenario.groups.begin()->second.front(), members.front());
            }
            const bool hasDefault =
                std::all_of(scenario.nics.begin(), scenario.nics.end(), [](const NicSpec& nic) {
                    return nic.HasDefault();
                });
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
        const std::vector<uint32_t>& members = scenario.groups.at(m_group);
        peers.emplace_back(members.front(), members.back());
        return peers;
    }

    std::vector<std::string> FindWarnings(const Scenario& scenario,
                                          const TopologyGraph&) const override
    {
        const int64_t timeoutNs = int64_t{4096} << m_nccl.GetTimeout(); // IBTA Vol. 1, 9.7.6.1.3.
        if (!m_nccl.IsByNccl() || m_nccl.GetTimeout() == 0 ||
            scenario.run.stallLimit > NanoSeconds(timeoutNs))
        {
            return {};
        }
        return {"NCCL's timeout is " + DescribeSeconds(timeoutNs) +
                "; where packets are lost, a run.stallLimit of " +
                FormatTime(scenario.run.stallLimit) + " ends the run before it"};
    }

    std::unique_ptr<FlowSource> Make(const Scenario& scenario,
                                     const TopologyGraph& topology) const override
    {
        AtPlace(scenario.file, GetPath(), [&] {
            MakePlan(scenario, topology);
            return 0;
        });
        return nullptr;
    }

    bool ListMessages(const Scenario& scenario,
                      const TopologyGraph& topology,
                      const TrafficVisitor& visit) const override
    {
        rdma::ListMessages(MakePlan(scenario, topology), visit);
        return true;
    }

    std::unique_ptr<RunTraffic> MakeTraffic(const Scenario& scenario,
                                            const TrafficContext& context) const override
    {
        return MakeTrafficAtPlace(scenario, [&] {
            return std::make_unique<CollectiveTraffic>(
                MakePlan(scenario, context.fabric->GetGraph()),
                context);
        });
    }

  private:
    bool IsAuto() const
    {
        return m_shape.algorithm == NcclKeys::AUTO;
    }

    /// @return the algorithm of the operation that is named, or its first one; with AUTO one that
    /// NCCL has. Any, if no operation is named.
    const CollectiveAlgorithm& GetAlgorithm() const
    {
        const auto& all = GetCollectiveAlgorithms();
        const auto found = std::find_if(all.begin(), all.end(), [this](const auto& one) {
            const std::string& name = m_shape.algorithm;
            const bool isWanted = IsAuto() ? one.isOfNccl : name.empty() || one.name == name;
            return isWanted && one.operation == m_shape.operation;
        });
        return found == all.end() ? all.front() : *found;
    }

    std::string GetAlgorithmName() const
    {
        return IsAuto() ? m_shape.algorithm : GetAlgorithm().name;
    }

    void VisitOperation(Keys& keys)
    {
        std::string& operation = m_shape.operation;
        keys.Choice("operation",
                    operation,
                    ListNames(&CollectiveAlgorithm::operation),
                    "what the ranks do together")
            .Required();
        auto names = ListNames(&CollectiveAlgorithm::name, operation);
        if (NcclKeys::HasChoice(operation))
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
        m_nccl.Visit(keys, GetAlgorithm(), IsAuto());
    }

    void VisitRanks(Keys& keys)
    {
        const auto visitLocal = [](Keys& local, LocalLink& link) {
            local.Rate("rate", link.rate, "bandwidth of a rank, which sends one at a time")
                .Required();
            local.Time("latency", link.latency, "time until the last byte has arrived").Required();
        };
        uint32_t& ranksPerServer = m_placement.ranksPerServer;
        keys.Group("group", m_group, "group of servers with ranks").Otherwise("all servers");
        keys.Count("communicators",
                   m_placement.communicators,
                   "equal parts of the ranks, each of which repeats the operation independently")
            .Between(1U, MAX_RANKS);
        keys.Count("ranksPerServer", ranksPerServer, "adjacent ranks on one server")
            .Between(1U, MAX_PER_SERVER);
        keys.Check(!m_nccl.IsChosen(IsAuto()) || ranksPerServer == 1,
                   "ranksPerServer",
                   "1 where NCCL chooses the algorithm or the protocol");
        keys.Object("local", m_local, visitLocal, "transfers between ranks of one server")
            .RequiredIf(ranksPerServer > 1)
            .OnlyIf(ranksPerServer > 1, "no such key unless ranksPerServer is above 1")
            .Otherwise("none");
        keys.Choice("placement", m_placement.rule, PLACEMENTS, "order in which servers get ranks");
    }

    void VisitIterations(Keys& keys)
    {
        keys.Count("iterations", m_iterations, "how often a communicator repeats the operation")
            .Between(1U, MAX_ITERATIONS);
        keys.Count("warmup", m_warmup, "first iterations, which are left out of the means")
            .AtMost(MAX_ITERATIONS - 1);
        keys.Check(m_warmup < m_iterations,
                   "warmup",
                   "a whole number from 0 to " + std::to_string(m_iterations - 1));
        keys.Time("processing",
                  m_processing,
                  "time from the arrival of a message until it is processed");
        keys.Time("compute", m_compute, "time of each rank between two iterations");
    }

    void VisitShape(Keys& keys)
    {
        const std::string got = DescribeChoice();
        keys.Count("channels", m_shape.channels, "parallel rings, each with a part of the buffer")
            .Between(1U, MAX_CHANNELS)
            .OnlyIf(HasKey("channels"), DescribeEffect("channels"), got);
        keys.Check(!m_nccl.IsByNccl() || !keys.Has("slices"),
                   "slices",
                   "no slices beside a library, which chooses them");
        keys.Count("slices", m_shape.slices, "messages of a step")
            .Between(1U, MAX_SLICES)
            .OnlyIf(HasKey("slices") && !m_nccl.IsByNccl(), DescribeEffect("slices"), got);
        keys.Count("root", m_shape.root, "rank that a broadcast begins at and a reduction ends at")
            .AtMost(MAX_RANKS - 1)
            .OnlyIf(HasKey("root"), DescribeEffect("root"), got);
        keys.Count("inner",
                   m_shape.inner,
                   m_placement.ranksPerServer,
                   "adjacent ranks of an inner group")
            .Between(2U, MAX_RANKS)
            .OnlyIf(HasKey("inner"), DescribeEffect("inner"), got)
            .Otherwise("ranksPerServer");
    }

    void VisitRounds(Keys& keys)
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

    bool HasKey(const char* key) const
    {
        return IsKeyOf(GetAlgorithm(), key);
    }

    /// @return as "all-reduce by ring".
    std::string DescribeChoice() const
    {
        return m_shape.operation + " by " + GetAlgorithmName();
    }

    void ReadMatrix(const JsonValue& matrix)
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
    nlohmann::ordered_json WriteMatrix() const
    {
        nlohmann::ordered_json rows;
        for (uint32_t row = 0; row < m_matrixRanks; ++row)
        {
            const auto begin = m_shape.sizes.begin() + uint64_t{row} * m_matrixRanks;
            rows.push_back(std::vector<uint64_t>(begin, begin + m_matrixRanks));
        }
        return rows;
    }

    /// @throws InputError ".key: expected ..., got ..." that continues the workload's path
    CollectivePlan MakePlan(const Scenario& scenario, const TopologyGraph& topology) const
    {
        CollectivePlan plan;
        plan.operation = m_shape.operation;
        plan.bytes = m_shape.bytes;
        plan.iterations = m_iterations;
        plan.warmup = m_warmup;
        plan.processing = m_processing;
        plan.compute = m_compute;
        plan.local = m_local;
        plan.communicators =
            m_placement.Place(m_group.empty() ? topology.GetServers() : scenario.groups.at(m_group),
                              GetSeed(scenario));
        plan.start = GetPlace().start;
        plan.end = GetPlace().end;
        CheckNics(scenario);
        CollectiveShape shape = m_shape;
        shape.isByNccl = m_nccl.IsByNccl();
        shape.ranks = static_cast<uint32_t>(plan.communicators.front().size());
        CheckRanks(shape.ranks);
        const CollectiveAlgorithm& algorithm =
            shape.isByNccl ? m_nccl.Choose(plan.communicators.front(), topology, shape)
                           : GetAlgorithm();
        if (m_skew > 0)
        {
            shape.sizes = AllToAllGraph::MakeSkewed(shape.ranks, shape.bytes, m_skew);
        }
        plan.busFactor = GetBusFactor(shape.operation, shape.ranks);
        plan.algorithm = algorithm.name;
        plan.stages = MakeStages(algorithm, shape);
        if (shape.isByNccl)
        {
            plan.protocol = GetNcclProtocolNames()[static_cast<std::size_t>(shape.protocol)];
            plan.attributes.timeout = m_nccl.GetTimeout();
            plan.attributes.retryCount = m_nccl.GetRetries();
        }
        CheckMessages(plan);
        return plan;
    }

    /// The immediate data of a message is its number.
    static void CheckMessages(const CollectivePlan& plan)
    {
        for (const CollectiveStage& stage : plan.stages)
        {
            const uint64_t messages = stage.front().graph->GetCount();
            if (messages > UINT32_MAX)
            {
                throw InputError(": expected less than 2^32 messages in an iteration, got " +
                                 std::to_string(messages));
            }
        }
    }

    [[noreturn]] static void FailAt(const std::string& key,
                                    const std::string& expected,
                                    const std::string& got)
    {
        throw InputError("." + key + ": expected " + expected + ", got " + got);
    }

    void CheckRanks(uint32_t ranks) const
    {
        const std::string got = std::to_string(ranks);
        if (ranks < 2)
        {
            FailAt("communicators", "at least 2 ranks in each", got);
        }
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

    void CheckNics(const Scenario& scenario) const
    {
        if (m_placement.rule != PlacementRule::RAIL)
        {
            return;
        }
        const ServerPortsSpec& ports = scenario.fabric.ports;
        const auto ofGroup = ports.nicsOfGroup.find(m_group);
        const uint32_t nics =
            ofGroup != ports.nicsOfGroup.end() ? ofGroup->second : ports.nicsPerServer;
        if (nics < m_placement.ranksPerServer)
        {
            FailAt("placement",
                   "a NIC for each rank of a server with rail",
                   std::to_string(nics) + " NICs for " +
                       std::to_string(m_placement.ranksPerServer) + " ranks");
        }
    }

    /// What keys say; sizes of a matrix only. The algorithm can be NcclKeys::AUTO.
    CollectiveShape m_shape;
    NcclKeys m_nccl;
    RankPlacement m_placement;
    std::string m_group;       ///< Empty: all servers.
    uint32_t m_matrixRanks{0}; ///< 0: there is no matrix.
    double m_skew{0};
    uint32_t m_iterations{1};
    uint32_t m_warmup{0};
    Time m_processing;
    Time m_compute;
    std::optional<LocalLink> m_local;
};

NS_OBJECT_ENSURE_REGISTERED(CollectiveKind);

} // namespace ns3::rdma
