// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/collective-stages.h"
#include "ns3/collective-traffic.h"
#include "ns3/input-error.h"
#include "ns3/nccl-keys.h"
#include "ns3/nccl-protocol.h"
#include "ns3/quantity.h"
#include "ns3/rank-placement.h"
#include "ns3/scenario-file.h"
#include "ns3/server-group.h"
#include "ns3/traffic-kind.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

namespace ns3::rdma
{

namespace
{

constexpr uint64_t MAX_BYTES{uint64_t{1} << 31}; ///< Longest message of InfiniBand.
constexpr uint64_t MAX_ITERATIONS{1'000'000};
constexpr uint64_t MAX_PER_SERVER{64};
constexpr uint64_t MAX_CHANNELS{64};
constexpr uint64_t MAX_SLICES{4096};
constexpr uint64_t MAX_RANKS{1 << 20};
constexpr double MAX_SKEW{10};
constexpr uint8_t NCCL_TIMEOUT{20}; ///< 4.29 s: NCCL 2.30, NCCL_IB_TIMEOUT.
constexpr uint8_t NCCL_RETRIES{7};  ///< NCCL_IB_RETRY_CNT.
constexpr double NCCL_TIMEOUT_SECONDS{4.3};

const std::vector<std::string> PLACEMENTS{"rank-order", "random", "rail"}; ///< By PlacementRule.

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

/// @return keys that have an effect on some algorithms only.
std::vector<std::string>
ListAlgorithmKeys()
{
    std::vector<std::string> keys;
    for (const CollectiveAlgorithm& one : GetCollectiveAlgorithms())
    {
        for (const std::string& key : one.keys)
        {
            if (std::find(keys.begin(), keys.end(), key) == keys.end())
            {
                keys.push_back(key);
            }
        }
    }
    return keys;
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
        std::vector<std::string> keys{"operation",
                                      "algorithm",
                                      "size",
                                      "library",
                                      "protocol",
                                      "group",
                                      "communicators",
                                      "ranksPerServer",
                                      "local",
                                      "placement",
                                      "iterations",
                                      "warmup",
                                      "processing",
                                      "compute"};
        const std::vector<std::string> others = ListAlgorithmKeys();
        keys.insert(keys.end(), others.begin(), others.end());
        return {"collective",
                "ranks repeat an operation: all-reduce, all-gather, all-to-all, ...",
                std::move(keys),
                {}};
    }

    void Read(const JsonValue& value, const Scenario& scenario) override
    {
        ReadOperation(value);
        ReadRanks(value, scenario);
        ReadIterations(value);
        ReadShape(value);
    }

    void Write(nlohmann::ordered_json& json) const override
    {
        json["operation"] = m_shape.operation;
        json["algorithm"] = m_shape.algorithm;
        json["size"] = FormatBytes(m_shape.bytes);
        if (!m_group.empty())
        {
            json["group"] = m_group;
        }
        m_nccl.Write(json);
        json["communicators"] = m_placement.communicators;
        json["ranksPerServer"] = m_placement.ranksPerServer;
        if (m_local)
        {
            json["local"] = {{"rate", FormatRate(m_local->rate)},
                             {"latency", FormatTime(m_local->latency)}};
        }
        json["placement"] = PLACEMENTS[static_cast<std::size_t>(m_placement.rule)];
        json["iterations"] = m_iterations;
        json["warmup"] = m_warmup;
        json["processing"] = FormatTime(m_processing);
        json["compute"] = FormatTime(m_compute);
        WriteShape(json);
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
        if (!m_shape.isByNccl || scenario.run.stallLimit > Seconds(NCCL_TIMEOUT_SECONDS))
        {
            return {};
        }
        return {"NCCL's timeout is 4.29 s; where packets are lost, a run.stallLimit of " +
                FormatTime(scenario.run.stallLimit) + " ends the run before it"};
    }

    std::unique_ptr<FlowSource> Make(const Scenario& scenario,
                                     const TopologyGraph& topology) const override
    {
        AtPlace(scenario.file, GetPath(), [&] {
            MakePlan(scenario, topology);
            return 0;
        });
        return TrafficKind::Make(scenario, topology);
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
    void ReadOperation(const JsonValue& value)
    {
        m_shape.operation =
            value.Get("operation").GetChoice(ListNames(&CollectiveAlgorithm::operation));
        auto names = ListNames(&CollectiveAlgorithm::name, m_shape.operation);
        if (NcclKeys::HasChoice(m_shape.operation))
        {
            names.emplace_back(NcclKeys::AUTO);
        }
        const auto algorithm = value.Find("algorithm");
        m_shape.algorithm = algorithm ? algorithm->GetChoice(names) : names.front();
        const bool isAuto = m_shape.algorithm == NcclKeys::AUTO;
        m_algorithm = isAuto ? NcclKeys::ListAlgorithms(m_shape.operation).front()
                             : FindCollectiveAlgorithm(m_shape.operation, m_shape.algorithm);
        m_shape.bytes = value.Get("size").GetBytesOrNumber();
        if (m_shape.bytes > MAX_BYTES)
        {
            value.Get("size").Fail("at most 2 GiB");
        }
        m_nccl.Read(value, *m_algorithm, isAuto);
        m_shape.isByNccl = m_nccl.IsByNccl();
        for (const std::string& key : ListAlgorithmKeys())
        {
            const auto& keys = m_algorithm->keys;
            if (value.Find(key) && std::find(keys.begin(), keys.end(), key) == keys.end())
            {
                value.Get(key).Fail("an operation and an algorithm on which it has an effect",
                                    m_shape.operation + " by " + m_shape.algorithm);
            }
        }
    }

    static uint32_t ReadCount(const JsonValue& value,
                              const std::string& key,
                              uint64_t min,
                              uint64_t max,
                              uint32_t normal)
    {
        const auto found = value.Find(key);
        return found ? static_cast<uint32_t>(found->GetWhole(min, max)) : normal;
    }

    void ReadRanks(const JsonValue& value, const Scenario& scenario)
    {
        if (const auto group = value.Find("group"))
        {
            m_group = ReadGroupName(*group, scenario.groups);
        }
        m_placement.communicators = ReadCount(value, "communicators", 1, MAX_RANKS, 1);
        m_placement.ranksPerServer = ReadCount(value, "ranksPerServer", 1, MAX_PER_SERVER, 1);
        if (m_nccl.IsChosen() && m_placement.ranksPerServer > 1)
        {
            value.Get("ranksPerServer").Fail("1 where NCCL chooses the algorithm or the protocol");
        }
        if (const auto placement = value.Find("placement"))
        {
            const std::string name = placement->GetChoice(PLACEMENTS);
            const auto place = std::find(PLACEMENTS.begin(), PLACEMENTS.end(), name);
            m_placement.rule = static_cast<PlacementRule>(place - PLACEMENTS.begin());
        }
        const auto local = value.Find("local");
        if (local.has_value() != (m_placement.ranksPerServer > 1))
        {
            value.Fail("local and ranksPerServer above 1, or none of them",
                       local ? "local alone" : "ranksPerServer alone");
        }
        if (local)
        {
            local->ExpectKeys({"rate", "latency"});
            m_local = LocalLink{local->Get("rate").GetRate(), local->Get("latency").GetTime()};
        }
    }

    void ReadIterations(const JsonValue& value)
    {
        m_iterations = ReadCount(value, "iterations", 1, MAX_ITERATIONS, 1);
        m_warmup = ReadCount(value, "warmup", 0, m_iterations - 1, 0);
        if (const auto processing = value.Find("processing"))
        {
            m_processing = processing->GetTime();
        }
        if (const auto compute = value.Find("compute"))
        {
            m_compute = compute->GetTime();
        }
    }

    void ReadShape(const JsonValue& value)
    {
        m_shape.channels = ReadCount(value, "channels", 1, MAX_CHANNELS, 1);
        m_shape.slices = ReadCount(value, "slices", 1, MAX_SLICES, 1);
        m_shape.root = ReadCount(value, "root", 0, MAX_RANKS - 1, 0);
        m_shape.inner = ReadCount(value, "inner", 2, MAX_RANKS, m_placement.ranksPerServer);
        m_shape.rounds.window = ReadCount(value, "window", 1, UINT32_MAX, UINT32_MAX);
        if (const auto waitFor = value.Find("waitFor"))
        {
            m_shape.rounds.waitsForCompletion =
                waitFor->GetChoice({"arrival", "completion"}) == "completion";
        }
        if (const auto skew = value.Find("skew"))
        {
            m_skew = skew->GetNumber();
            if (!(m_skew >= 0 && m_skew <= MAX_SKEW))
            {
                skew->Fail("a number from 0 to 10");
            }
        }
        if (const auto matrix = value.Find("matrix"))
        {
            if (value.Find("skew"))
            {
                matrix->Fail("either a matrix or a skew", "both");
            }
            ReadMatrix(*matrix);
        }
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
                m_shape.sizes.push_back(cell.GetJson() == 0 ? 0 : cell.GetBytesOrNumber());
                if (m_shape.sizes.back() > MAX_BYTES)
                {
                    cell.Fail("at most 2 GiB");
                }
            }
        }
        m_matrixRanks = static_cast<uint32_t>(ranks);
    }

    void WriteShape(nlohmann::ordered_json& json) const
    {
        const auto write = [this, &json](const std::string& key, const nlohmann::json& value) {
            const auto& keys = m_algorithm->keys;
            if (std::find(keys.begin(), keys.end(), key) != keys.end())
            {
                json[key] = value;
            }
        };
        write("channels", m_shape.channels);
        if (!m_shape.isByNccl)
        {
            write("slices", m_shape.slices);
        }
        write("root", m_shape.root);
        write("inner", m_shape.inner);
        if (m_shape.rounds.window != UINT32_MAX)
        {
            write("window", m_shape.rounds.window);
        }
        write("waitFor", m_shape.rounds.waitsForCompletion ? "completion" : "arrival");
        if (m_matrixRanks == 0)
        {
            write("skew", m_skew);
            return;
        }
        for (uint32_t row = 0; row < m_matrixRanks; ++row)
        {
            const auto begin = m_shape.sizes.begin() + uint64_t{row} * m_matrixRanks;
            json["matrix"].push_back(std::vector<uint64_t>(begin, begin + m_matrixRanks));
        }
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
        shape.ranks = static_cast<uint32_t>(plan.communicators.front().size());
        CheckRanks(shape.ranks);
        const CollectiveAlgorithm& algorithm =
            shape.isByNccl ? m_nccl.Choose(plan.communicators.front(), topology, shape)
                           : *m_algorithm;
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
            plan.attributes.timeout = NCCL_TIMEOUT;
            plan.attributes.retryCount = NCCL_RETRIES;
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
        if (m_algorithm->needsPowerOfTwo && !IsPowerOfTwo(ranks))
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

    /// Without ranks; sizes of a matrix only. The algorithm can be NcclKeys::AUTO.
    CollectiveShape m_shape;
    const CollectiveAlgorithm* m_algorithm{nullptr}; ///< With AUTO one that NCCL has.
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
