// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/collective-keys.h"
#include "ns3/collective-traffic.h"
#include "ns3/input-error.h"
#include "ns3/moe-report.h"
#include "ns3/rank-keys.h"
#include "ns3/scenario-file.h"
#include "ns3/traffic-kind.h"

#include <algorithm>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

namespace ns3::rdma
{

namespace
{

constexpr uint32_t MAX_ITERATIONS{1'000'000};
constexpr uint32_t MAX_TOKENS{1 << 16};
constexpr uint32_t MAX_HIDDEN{1 << 20};
constexpr uint32_t MAX_PER_RANK{1024};    ///< Experts or queue pairs.
constexpr uint32_t MAX_ELEMENT{8};        ///< Bytes.
constexpr uint32_t DEFAULT_HIDDEN{7168};  ///< Of DeepSeek-V3, as in DeepEP's README.
constexpr uint64_t MAX_CHOICES{1 << 23};  ///< All of a layer are in memory.
constexpr uint64_t MAX_BYTES{1ULL << 31}; ///< Longest message of InfiniBand.
constexpr uint64_t MAX_MATRIX_TOKENS{1 << 26};
constexpr uint64_t MAX_PER_QUEUE_PAIR{1 << 19}; ///< Half of what its queues take.
constexpr double MAX_EXPONENT{10};
constexpr double MAX_PS{1e18}; ///< 1,000,000 s: no sum of times overflows.

/// How a layer's experts are chosen.
enum class Routing : uint8_t
{
    EQUAL,
    ZIPF,
    MATRIX,
    FILE,
};

constexpr std::array<std::pair<const char*, Routing>, 4> ROUTINGS{{{"equal", Routing::EQUAL},
                                                                   {"zipf", Routing::ZIPF},
                                                                   {"matrix", Routing::MATRIX},
                                                                   {"file", Routing::FILE}}};

/// Who posts the messages of a rank.
enum class Poster : uint8_t
{
    HOST,
    PROXY,
    GPU,
};

constexpr std::array<std::pair<const char*, Poster>, 3> POSTERS{
    {{"host", Poster::HOST}, {"proxy", Poster::PROXY}, {"gpu", Poster::GPU}}};

/// What one message carries.
enum class Messages : uint8_t
{
    TOKEN,
    RANK_PAIR,
};

constexpr std::array<std::pair<const char*, Messages>, 2> MESSAGES{
    {{"token", Messages::TOKEN}, {"rank-pair", Messages::RANK_PAIR}}};

/// The way of a token to the rank of an expert.
enum class Stages : uint8_t
{
    DIRECT,
    RAIL,
};

constexpr std::array<std::pair<const char*, Stages>, 2> STAGES{
    {{"direct", Stages::DIRECT}, {"rail", Stages::RAIL}}};

using MakeExchange = TokenExchange (*)(const ExpertLayer& layer,
                                       const ExpertRouting::Choices& choices,
                                       const TokenSizes& sizes);

/// By Stages and Messages.
constexpr std::array<std::array<MakeExchange, MESSAGES.size()>, STAGES.size()> EXCHANGES{
    {{&TokenExchange::MakePerToken, &TokenExchange::MakePerPair},
     {&TokenExchange::MakeRailPerToken, &TokenExchange::MakeRailPerPair}}};

} // namespace

/// Workload type "moe".
class MoeKind : public TrafficKind
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::MoeKind")
                                .SetParent<TrafficKind>()
                                .SetGroupName("RdmaExperiment")
                                .AddConstructor<MoeKind>();
        return tid;
    }

    KindInfo GetInfo() const override
    {
        return {"moe",
                "a mixture of experts: ranks dispatch tokens to experts and combine results"};
    }

    void Visit(Keys& keys) override
    {
        VisitLayer(keys);
        VisitRouting(keys);
        VisitMessages(keys);
        VisitIterations(keys);
    }

    std::optional<Time> GetDuration() const override
    {
        return std::nullopt; // It ends with its last iteration.
    }

    std::vector<std::pair<uint32_t, uint32_t>> GetPeers(const Scenario& scenario) const override
    {
        return FindRankPeers(scenario, m_ranks.GetGroup());
    }

    std::unique_ptr<FlowSource> Make(const Scenario& scenario,
                                     const TopologyGraph& topology) const override
    {
        MakeAtPlace(scenario, topology);
        return nullptr;
    }

    bool ListMessages(const Scenario& scenario,
                      const TopologyGraph& topology,
                      const TrafficVisitor& visit) const override
    {
        rdma::ListMessages(MakeAtPlace(scenario, topology).plan, visit);
        return true;
    }

    std::unique_ptr<RunTraffic> MakeTraffic(const Scenario& scenario,
                                            const TrafficContext& context) const override
    {
        Repetition made = MakeAtPlace(scenario, context.fabric->GetGraph());
        const uint64_t tokens = uint64_t{made.ranks} * m_layer.tokens;
        const auto report =
            [phases = std::move(made.phases),
             exchange = std::move(made.exchange),
             tokens](const CollectivePlan& plan, CollectiveReport result, bool isPartial) {
                return MakeMoePart(plan, phases, exchange, tokens, std::move(result), isPartial);
            };
        return MakeTrafficAtPlace(scenario, [&] {
            return std::make_unique<CollectiveTraffic>(std::move(made.plan), context, report);
        });
    }

  private:
    /// A layer as steps of a plan.
    struct Repetition
    {
        uint32_t ranks;
        TokenExchange exchange;
        CollectivePlan plan;
        std::vector<SequencePhase> phases;
    };

    void VisitLayer(Keys& keys)
    {
        m_ranks.VisitGroup(keys);
        m_ranks.VisitPerServer(keys);
        m_ranks.VisitLocal(keys);
        keys.Count("tokens", m_layer.tokens, "tokens of each rank in a layer")
            .Between(1U, MAX_TOKENS)
            .Required();
        keys.Count("hidden", m_hidden, "elements of a token").Between(1U, MAX_HIDDEN);
        keys.Count("topK", m_layer.topK, "experts of a token").Between(1U, MAX_PER_RANK);
        keys.Count("expertsPerRank", m_layer.expertsPerRank, "experts on each rank")
            .Between(1U, MAX_PER_RANK);
        keys.Count("dispatchElementBytes", m_dispatchElement, "of dispatch; FP8: 1")
            .Between(1U, MAX_ELEMENT);
        keys.Count("combineElementBytes", m_combineElement, "of combine; BF16: 2")
            .Between(1U, MAX_ELEMENT);
    }

    void VisitRouting(Keys& keys)
    {
        keys.Choice("routing", m_routing, ROUTINGS, "how the experts of a token are chosen");
        const std::string got = ROUTINGS[static_cast<std::size_t>(m_routing)].first;
        keys.Number("zipf", m_zipf, "expert e has a popularity of 1 / (e + 1)^zipf")
            .Between(0.0, MAX_EXPONENT)
            .RequiredIf(m_routing == Routing::ZIPF)
            .OnlyIf(m_routing == Routing::ZIPF, "routing \"zipf\" with it", got);
        keys.Other("matrix",
                   {[this](const JsonValue& value, const KeySpec&) { ReadMatrix(value); },
                    [this](const KeySpec&) { return WriteMatrix(); }},
                   "tokens for the experts of each rank, a list for each rank of tokens")
            .RequiredIf(m_routing == Routing::MATRIX)
            .OnlyIf(m_routing == Routing::MATRIX, "routing \"matrix\" with it", got)
            .Shape(R"({"type": "array", "items": {"type": "array",
                       "items": {"type": "integer", "minimum": 0}}})");
        keys.File("file",
                  m_file,
                  "recorded routing: lines \"rank expert expert ...\", one per token")
            .RequiredIf(m_routing == Routing::FILE)
            .OnlyIf(m_routing == Routing::FILE, "routing \"file\" with it", got);
    }

    void VisitMessages(Keys& keys)
    {
        keys.Choice("stages",
                    m_stages,
                    STAGES,
                    "to the ranks of the experts, or to their servers and from there on by local");
        keys.Check(m_stages == Stages::DIRECT || m_ranks.GetPerServer() > 1,
                   "stages",
                   "\"direct\" unless ranksPerServer is above 1");
        keys.Choice("messages",
                    m_messages,
                    MESSAGES,
                    "one message per token and expert, or per pair of ranks");
        const bool isPerToken = m_messages == Messages::TOKEN;
        keys.Count("queuePairs",
                   m_queuePairs,
                   isPerToken ? m_layer.expertsPerRank : 1,
                   "queue pairs of two ranks")
            .Between(1U, MAX_PER_RANK)
            .Otherwise("expertsPerRank; 1 for messages per pair of ranks");
        keys.Choice("postedBy",
                    m_poster,
                    POSTERS,
                    "who posts: cores of the host, a proxy thread per rank, a GPU block per queue "
                    "pair");
        const std::string poster = POSTERS[static_cast<std::size_t>(m_poster)].first;
        keys.Time("postTime", m_postTime, "time of a proxy thread or block for each message")
            .RequiredIf(m_poster != Poster::HOST)
            .OnlyIf(m_poster != Poster::HOST, "postedBy \"proxy\" or \"gpu\" with it", poster);
    }

    void VisitIterations(Keys& keys)
    {
        keys.Count("iterations", m_iterations, "layers, one after the other")
            .Between(1U, MAX_ITERATIONS);
        keys.Count("warmup", m_warmup, "first iterations, which are left out of the means")
            .AtMost(MAX_ITERATIONS - 1);
        keys.Check(m_warmup < m_iterations,
                   "warmup",
                   "a whole number from 0 to " + std::to_string(m_iterations - 1));
        keys.Time("expertTime", m_expertTime, "time of a rank between dispatch and combine");
        keys.Time("tokenTime", m_tokenTime, "added to it for each token of the rank's experts");
        keys.Time("compute", m_compute, "time of each rank between two layers");
        keys.Time("processing",
                  m_processing,
                  "time from the arrival of a message until it is processed");
    }

    void ReadMatrix(const JsonValue& matrix)
    {
        const std::vector<JsonValue> rows = matrix.GetElements();
        for (const JsonValue& row : rows)
        {
            const std::vector<JsonValue> cells = row.GetElements();
            if (cells.size() != rows.size())
            {
                row.Fail(std::to_string(rows.size()) + " numbers, one for each row",
                         std::to_string(cells.size()));
            }
            for (const JsonValue& cell : cells)
            {
                m_matrix.push_back(cell.GetWhole(0, MAX_MATRIX_TOKENS));
            }
        }
        m_matrixRanks = static_cast<uint32_t>(rows.size());
    }

    /// @return null: there is none.
    nlohmann::ordered_json WriteMatrix() const
    {
        nlohmann::ordered_json rows;
        for (uint32_t row = 0; row < m_matrixRanks; ++row)
        {
            const auto begin = m_matrix.begin() + uint64_t{row} * m_matrixRanks;
            rows.push_back(std::vector<uint64_t>(begin, begin + m_matrixRanks));
        }
        return rows;
    }

    Repetition MakeAtPlace(const Scenario& scenario, const TopologyGraph& topology) const
    {
        ExpertLayer layer = m_layer;
        layer.ranksPerServer = m_ranks.GetPerServer();
        layer.ranks = static_cast<uint32_t>(m_ranks.GetServers(scenario, topology).size()) *
                      layer.ranksPerServer;
        AtPlace(scenario.file, GetPath(), [&] {
            Check(layer);
            return 0;
        });
        // A file has places of its own.
        const ExpertRouting::Choices choices = MakeChoices(layer, scenario);
        return AtPlace(scenario.file, GetPath(), [&] {
            return MakeRepetition(layer,
                                  choices,
                                  m_ranks.Place(scenario, topology, GetSeed(scenario)));
        });
    }

    /// @throws InputError ".key: expected ..., got ..." that continues the workload's path
    void Check(const ExpertLayer& layer) const
    {
        const std::string ranks = std::to_string(layer.ranks);
        if (layer.ranks < 2)
        {
            CollectiveKeys::FailAt("group", "at least 2 servers", ranks);
        }
        if (layer.topK > layer.GetExperts())
        {
            CollectiveKeys::FailAt("topK",
                                   "at most " + std::to_string(layer.GetExperts()) +
                                       ", the number of experts",
                                   std::to_string(layer.topK));
        }
        const uint64_t choices = uint64_t{layer.ranks} * layer.tokens * layer.topK;
        if (choices > MAX_CHOICES)
        {
            CollectiveKeys::FailAt("tokens",
                                   "at most " + std::to_string(MAX_CHOICES) +
                                       " choices of experts in a layer",
                                   std::to_string(choices));
        }
        if (m_routing == Routing::MATRIX)
        {
            CheckMatrix(layer);
        }
    }

    void CheckMatrix(const ExpertLayer& layer) const
    {
        if (m_matrixRanks != layer.ranks)
        {
            CollectiveKeys::FailAt("matrix",
                                   std::to_string(layer.ranks) + " rows, one for each rank",
                                   std::to_string(m_matrixRanks));
        }
        const uint64_t most = uint64_t{layer.tokens} * layer.topK;
        for (uint32_t row = 0; row < layer.ranks; ++row)
        {
            const auto begin = m_matrix.begin() + uint64_t{row} * layer.ranks;
            const uint64_t sum = std::accumulate(begin, begin + layer.ranks, uint64_t{0});
            if (sum > most)
            {
                CollectiveKeys::FailAt("matrix[" + std::to_string(row) + "]",
                                       "a sum of at most tokens * topK, " + std::to_string(most),
                                       std::to_string(sum));
            }
        }
    }

    ExpertRouting::Choices MakeChoices(const ExpertLayer& layer, const Scenario& scenario) const
    {
        switch (m_routing)
        {
        case Routing::ZIPF:
            return ExpertRouting::MakeZipf(layer, m_zipf, GetSeed(scenario));
        case Routing::MATRIX:
            return ExpertRouting::MakeFromMatrix(layer, m_matrix);
        case Routing::FILE:
            return ExpertRouting::Read(layer, FindFile(scenario, m_file, GetPath() + ".file"));
        default:
            return ExpertRouting::MakeEqual(layer);
        }
    }

    Repetition MakeRepetition(const ExpertLayer& layer,
                              const ExpertRouting::Choices& choices,
                              std::vector<std::vector<RankPlace>> places) const
    {
        const TokenSizes sizes{uint64_t{m_hidden} * m_dispatchElement,
                               uint64_t{m_hidden} * m_combineElement,
                               m_queuePairs};
        const MakeExchange make =
            EXCHANGES[static_cast<std::size_t>(m_stages)][static_cast<std::size_t>(m_messages)];
        Repetition made{layer.ranks, make(layer, choices, sizes), {}, {}};
        const uint64_t longest = CheckSizes(made.exchange);
        CollectivePlan& plan = made.plan;
        plan.operation = "moe";
        plan.iterations = m_iterations;
        plan.warmup = m_warmup;
        plan.processing = m_processing;
        if (m_poster != Poster::HOST)
        {
            plan.posting = PostingThreads{m_poster == Poster::GPU, m_postTime.GetPicoSeconds()};
        }
        plan.compute = m_compute;
        plan.local = m_ranks.GetLocal();
        plan.communicators = std::move(places);
        plan.start = GetPlace().start;
        plan.end = GetPlace().end;
        plan.receives = UINT32_MAX; // DeepEP's WRITEs need no receive requests.
        plan.steps.clear();
        AddPhase(made, "dispatch", {MakeGroup(made.exchange.GetDispatch())});
        if (!m_expertTime.IsZero() || !m_tokenTime.IsZero())
        {
            AddPhase(made, "experts", {});
            plan.work = MakeWork(made.exchange.GetWork());
        }
        CollectiveGroup combine = MakeGroup(made.exchange.GetCombine());
        combine.sharesWith = 0;
        AddPhase(made, "combine", {std::move(combine)});
        CollectiveKeys::CheckMessages(plan.stages);
        CollectiveKeys::CheckTimes(plan, longest);
        return made;
    }

    /// The longest message has room in a work request, and all messages in a queue pair.
    /// @return bytes of the longest message
    uint64_t CheckSizes(const TokenExchange& exchange) const
    {
        uint64_t longest = 0;
        for (const auto& graph : {exchange.GetDispatch(), exchange.GetCombine()})
        {
            for (uint64_t id = 0; id < graph->GetCount(); ++id)
            {
                longest = std::max(longest, graph->Get(id).bytes);
                if (longest > MAX_BYTES)
                {
                    CollectiveKeys::FailAt("messages",
                                           "messages of at most 2 GiB",
                                           std::to_string(longest) + " bytes");
                }
            }
            for (const RankConnection& one : graph->MakeConnections())
            {
                const uint32_t perServer = m_ranks.GetPerServer();
                const bool isLocal = one.src / perServer == one.dst / perServer;
                if (!isLocal && one.messages > MAX_PER_QUEUE_PAIR)
                {
                    CollectiveKeys::FailAt("queuePairs",
                                           "at most " + std::to_string(MAX_PER_QUEUE_PAIR) +
                                               " messages of a queue pair in dispatch or combine",
                                           std::to_string(one.messages));
                }
            }
        }
        return longest;
    }

    static void AddPhase(Repetition& made, const char* name, CollectiveStage stage)
    {
        const auto step = static_cast<uint32_t>(made.plan.steps.size());
        made.plan.steps.push_back(static_cast<uint32_t>(made.plan.stages.size()));
        made.phases.push_back({name, stage.empty() ? "compute" : "collective", step, std::nullopt});
        made.plan.stages.push_back(std::move(stage));
    }

    static CollectiveGroup MakeGroup(std::shared_ptr<const OperationGraph> graph)
    {
        CollectiveGroup group{std::move(graph), {}};
        group.members.resize(group.graph->GetRanks());
        std::iota(group.members.begin(), group.members.end(), 0);
        return group;
    }

    /// @param work by rank: choices of its experts @return times of the experts, in stage 1
    std::function<Tick(uint32_t stage, uint32_t rank)> MakeWork(
        const std::vector<uint64_t>& work) const
    {
        std::vector<Tick> times;
        for (const uint64_t choices : work)
        {
            const double time =
                static_cast<double>(m_expertTime.GetPicoSeconds()) +
                static_cast<double>(m_tokenTime.GetPicoSeconds()) * static_cast<double>(choices);
            if (m_iterations * time > MAX_PS)
            {
                CollectiveKeys::FailAt("tokenTime",
                                       "times of experts of at most 1000000 s in all iterations",
                                       "more");
            }
            times.push_back(static_cast<Tick>(time));
        }
        return [times](uint32_t stage, uint32_t rank) { return stage == 1 ? times[rank] : 0; };
    }

    ExpertLayer m_layer; ///< Without the number of ranks.
    RankKeys m_ranks;
    uint32_t m_hidden{DEFAULT_HIDDEN};
    uint32_t m_dispatchElement{1};
    uint32_t m_combineElement{2};
    Routing m_routing{Routing::EQUAL};
    double m_zipf{0};
    std::vector<uint64_t> m_matrix; ///< Row by row.
    uint32_t m_matrixRanks{0};
    std::string m_file;
    Stages m_stages{Stages::DIRECT};
    Messages m_messages{Messages::TOKEN};
    uint32_t m_queuePairs{1};
    Poster m_poster{Poster::HOST};
    Time m_postTime;
    uint32_t m_iterations{1};
    uint32_t m_warmup{0};
    Time m_expertTime;
    Time m_tokenTime;
    Time m_compute;
    Time m_processing;
};

NS_OBJECT_ENSURE_REGISTERED(MoeKind);

} // namespace ns3::rdma
