// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/barrier-graph.h"
#include "ns3/collective-keys.h"
#include "ns3/collective-traffic.h"
#include "ns3/input-error.h"
#include "ns3/listed-graph.h"
#include "ns3/quantity.h"
#include "ns3/rank-placement.h"
#include "ns3/scenario-file.h"
#include "ns3/sequence-report.h"
#include "ns3/traffic-kind.h"
#include "ns3/work-time.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>
#include <memory>
#include <numeric>
#include <set>
#include <utility>

namespace ns3::rdma
{

namespace
{

constexpr uint64_t MAX_BYTES{uint64_t{1} << 31}; ///< Longest message of InfiniBand.
constexpr uint32_t MAX_STEPS{1'000'000};         ///< Rows of sequence.csv.
constexpr uint32_t MAX_PHASES{1000};
constexpr uint32_t MAX_RANKS{1 << 20};
constexpr double MAX_FACTOR{1e6};
constexpr double MAX_PS{1e18}; ///< 1,000,000 s: no sum of times overflows.
constexpr std::size_t MAX_NAME{64};
constexpr uint64_t RANDOM_STREAM{0x7365717500000000ULL}; ///< Away from those of other parts.

/// A message of a phase of flows.
struct PhaseFlow
{
    uint32_t src{0}; ///< Rank.
    uint32_t dst{0}; ///< Rank.
    uint64_t bytes{0};
};

/// One of collective, flows and work.
struct Phase
{
    std::string name; ///< Empty: that of its kind.
    std::string form; ///< The key that is there.
    std::optional<CollectiveKeys> collective;
    std::vector<PhaseFlow> flows;
    std::optional<WorkTime> work;
    bool hasBarrier{true};
};

/// A rank that computes for a longer or shorter time than others.
struct Straggler
{
    uint32_t rank{0};
    double factor{1};
    int64_t addedPs{0};
};

std::string
ReadName(const JsonValue& value)
{
    std::string name = value.GetString();
    const bool isWord = !name.empty() && name.size() <= MAX_NAME &&
                        std::all_of(name.begin(), name.end(), [](char one) {
                            return std::isalnum(static_cast<unsigned char>(one)) || one == '-' ||
                                   one == '_' || one == '.';
                        });
    if (!isWord)
    {
        value.Fail("a name of up to 64 letters, digits and -_.");
    }
    return name;
}

void
VisitFlow(Keys& keys, PhaseFlow& flow)
{
    keys.Count("src", flow.src, "rank that sends").AtMost(MAX_RANKS - 1).Required();
    keys.Count("dst", flow.dst, "rank that receives").AtMost(MAX_RANKS - 1).Required();
    keys.Bytes("bytes", flow.bytes, "size of the message")
        .Between(uint64_t{0}, MAX_BYTES)
        .Required();
    keys.Check(flow.src != flow.dst, "dst", "another rank than src");
}

void
VisitPhase(Keys& keys, Phase& phase)
{
    const auto visitCollective = [](Keys& one, CollectiveKeys& collective) {
        collective.VisitOperation(one, false);
        collective.VisitShape(one, false, 1);
        collective.VisitRounds(one);
    };
    const auto visitWork = [](Keys& one, WorkTime& work) { work.Visit(one); };
    keys.Text("name", phase.name, ReadName, "name in results").Otherwise("that of its kind");
    keys.Form(phase.form, {"collective", "flows", "compute"});
    keys.Object("collective", phase.collective, visitCollective, "an operation of all ranks");
    keys.List("flows", phase.flows, VisitFlow, "messages that begin together")
        .AtLeast(1)
        .OmitIf(phase.flows.empty());
    keys.Object("compute", phase.work, visitWork, "time without messages").Short("time");
    keys.Flag("barrier", phase.hasBarrier, "whether all ranks end it before any goes on");
}

void
VisitStraggler(Keys& keys, Straggler& straggler)
{
    keys.Count("rank", straggler.rank, "rank that computes for a longer time")
        .AtMost(MAX_RANKS - 1)
        .Required();
    keys.Number("factor", straggler.factor, "its times over those of other ranks")
        .Between(0.0, MAX_FACTOR);
    keys.Time("added", straggler.addedPs, "added to each of its times");
}

/// The times that ranks compute, each from a stream of its own for each phase.
class SequenceWork
{
  public:
    /// @param ofStage times by stage; unset: no rank computes before it
    /// @param stragglers by rank, of a number of ranks
    SequenceWork(std::vector<std::optional<WorkTime>> ofStage,
                 std::vector<Straggler> stragglers,
                 uint64_t seed)
        : m_ofStage(std::move(ofStage)),
          m_stragglers(std::move(stragglers)),
          m_streams(m_ofStage.size())
    {
        for (uint64_t stage = 0; stage < m_ofStage.size(); ++stage)
        {
            for (uint64_t rank = 0; m_ofStage[stage] && rank < m_stragglers.size(); ++rank)
            {
                m_streams[stage].emplace_back(seed, RANDOM_STREAM + stage * MAX_RANKS + rank);
            }
        }
    }

    Tick operator()(uint32_t stage, uint32_t rank)
    {
        if (!m_ofStage[stage])
        {
            return 0;
        }
        const Straggler& one = m_stragglers[rank];
        const Tick time = m_ofStage[stage]->Draw(m_streams[stage][rank]);
        const Tick own =
            one.factor == 1
                ? time
                : static_cast<Tick>(std::llround(one.factor * static_cast<double>(time)));
        return own + one.addedPs;
    }

  private:
    std::vector<std::optional<WorkTime>> m_ofStage;
    std::vector<Straggler> m_stragglers;              ///< By rank.
    std::vector<std::vector<RandomStream>> m_streams; ///< By stage and rank.
};

} // namespace

/// Workload type "sequence".
class SequenceKind : public TrafficKind
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::SequenceKind")
                                .SetParent<TrafficKind>()
                                .SetGroupName("RdmaExperiment")
                                .AddConstructor<SequenceKind>();
        return tid;
    }

    KindInfo GetInfo() const override
    {
        return {"sequence", "ranks repeat phases: collectives, flows and times of computing"};
    }

    void Visit(Keys& keys) override
    {
        keys.List("phases", m_phases, VisitPhase, "what the ranks do, one after the other")
            .AtLeast(1)
            .Required();
        keys.Group("group", m_group, "group of servers, each with one rank")
            .Otherwise("all servers");
        keys.Count("iterations", m_iterations, "how often the ranks repeat all phases")
            .Between(1U, MAX_STEPS);
        keys.Count("warmup", m_warmup, "first iterations, which are left out of the means")
            .AtMost(MAX_STEPS - 1);
        keys.Check(m_warmup < m_iterations,
                   "warmup",
                   "a whole number from 0 to " + std::to_string(m_iterations - 1));
        keys.List("stragglers", m_stragglers, VisitStraggler, "ranks with other times of computing")
            .OmitIf(m_stragglers.empty())
            .Otherwise("none");
        keys.Time("processing",
                  m_processing,
                  "time from the arrival of a message until it is processed");
    }

    void Resolve(const JsonValue&, const Scenario&) override
    {
        for (Phase& phase : m_phases)
        {
            if (phase.collective)
            {
                phase.collective->Resolve();
            }
        }
    }

    std::optional<Time> GetDuration() const override
    {
        return std::nullopt; // It ends with its last iteration.
    }

    std::vector<std::pair<uint32_t, uint32_t>> GetPeers(const Scenario& scenario) const override
    {
        return FindRankPeers(scenario, m_group);
    }

    std::unique_ptr<FlowSource> Make(const Scenario& scenario,
                                     const TopologyGraph& topology) const override
    {
        AtPlace(scenario.file, GetPath(), [&] {
            MakeSequence(scenario, topology);
            return 0;
        });
        return nullptr;
    }

    bool ListMessages(const Scenario& scenario,
                      const TopologyGraph& topology,
                      const TrafficVisitor& visit) const override
    {
        rdma::ListMessages(MakeSequence(scenario, topology).plan, visit);
        return true;
    }

    std::unique_ptr<RunTraffic> MakeTraffic(const Scenario& scenario,
                                            const TrafficContext& context) const override
    {
        return MakeTrafficAtPlace(scenario, [&] {
            Sequence made = MakeSequence(scenario, context.fabric->GetGraph());
            const auto report = [phases = std::move(made.phases)](const CollectivePlan& plan,
                                                                  CollectiveReport result,
                                                                  bool isPartial) {
                return MakeSequencePart(plan, phases, std::move(result), isPartial);
            };
            return std::make_unique<CollectiveTraffic>(std::move(made.plan), context, report);
        });
    }

  private:
    /// The phases as stages of a plan.
    struct Sequence
    {
        CollectivePlan plan;
        std::vector<SequencePhase> phases;
    };

    /// @return as ".phases[2]".
    static std::string GetPhasePath(std::size_t number)
    {
        return ".phases[" + std::to_string(number) + "]";
    }

    /// @throws InputError ".key: expected ..., got ..." that continues the workload's path
    Sequence MakeSequence(const Scenario& scenario, const TopologyGraph& topology) const
    {
        Sequence made;
        CollectivePlan& plan = made.plan;
        plan.operation = "sequence";
        plan.iterations = m_iterations;
        plan.warmup = m_warmup;
        plan.processing = m_processing;
        plan.communicators = RankPlacement().Place(m_group.empty() ? topology.GetServers()
                                                                   : scenario.groups.at(m_group),
                                                   GetSeed(scenario));
        plan.start = GetPlace().start;
        plan.end = GetPlace().end;
        const auto ranks = static_cast<uint32_t>(plan.communicators.front().size());
        Check(ranks);
        plan.steps.clear();
        std::vector<std::optional<WorkTime>> work;
        for (std::size_t number = 0; number < m_phases.size(); ++number)
        {
            made.phases.push_back(AddPhase(number, ranks, plan));
            work.resize(plan.stages.size());
            work[plan.steps[made.phases.back().step]] = m_phases[number].work;
        }
        CollectiveKeys::CheckMessages(plan.stages);
        CollectiveKeys::CheckTimes(plan, plan.bytes);
        plan.work = SequenceWork(std::move(work), MakeStragglers(ranks), GetSeed(scenario));
        return made;
    }

    /// @return the phase, whose stages are added to the plan.
    SequencePhase AddPhase(std::size_t number, uint32_t ranks, CollectivePlan& plan) const
    {
        const Phase& phase = m_phases[number];
        SequencePhase made{phase.name, phase.form, AddStep(plan), std::nullopt};
        std::vector<CollectiveStage> stages(1);
        if (phase.collective)
        {
            stages = MakeCollective(number, ranks);
        }
        else if (!phase.flows.empty())
        {
            stages.front().push_back(MakeGroup(MakeFlows(number, ranks), ranks));
        }
        if (made.name.empty())
        {
            made.name = phase.collective ? phase.collective->GetOperation() : phase.form;
        }
        std::move(stages.begin(), stages.end(), std::back_inserter(plan.stages));
        if (phase.hasBarrier)
        {
            made.barrier = AddStep(plan);
            plan.stages.push_back({MakeGroup(std::make_shared<BarrierGraph>(ranks), ranks)});
        }
        return made;
    }

    /// Begins a step with the next stage. @return its number
    static uint32_t AddStep(CollectivePlan& plan)
    {
        plan.steps.push_back(static_cast<uint32_t>(plan.stages.size()));
        return static_cast<uint32_t>(plan.steps.size() - 1);
    }

    static CollectiveGroup MakeGroup(std::shared_ptr<const OperationGraph> graph, uint32_t ranks)
    {
        CollectiveGroup group{std::move(graph), std::vector<uint32_t>(ranks)};
        std::iota(group.members.begin(), group.members.end(), 0);
        return group;
    }

    std::shared_ptr<const OperationGraph> MakeFlows(std::size_t number, uint32_t ranks) const
    {
        std::vector<ListedMessage> messages;
        for (const PhaseFlow& flow : m_phases[number].flows)
        {
            if (std::max(flow.src, flow.dst) >= ranks)
            {
                CollectiveKeys::FailAt("phases[" + std::to_string(number) + "].flows[" +
                                           std::to_string(messages.size()) + "]",
                                       "ranks below " + std::to_string(ranks),
                                       std::to_string(std::max(flow.src, flow.dst)));
            }
            messages.push_back({flow.src, flow.dst, flow.bytes, {}});
        }
        return std::make_shared<ListedGraph>(ranks, std::move(messages));
    }

    std::vector<CollectiveStage> MakeCollective(std::size_t number, uint32_t ranks) const
    {
        const CollectiveKeys& keys = *m_phases[number].collective;
        try
        {
            return MakeStages(keys.GetAlgorithm(), keys.MakeShape(ranks));
        }
        catch (const InputError& error)
        {
            throw InputError(GetPhasePath(number) + ".collective" + error.what());
        }
    }

    void Check(uint32_t ranks) const
    {
        if (ranks < 2)
        {
            CollectiveKeys::FailAt("group", "at least 2 servers", std::to_string(ranks));
        }
        if (m_phases.size() > MAX_PHASES)
        {
            CollectiveKeys::FailAt("phases",
                                   "at most " + std::to_string(MAX_PHASES),
                                   std::to_string(m_phases.size()));
        }
        const uint64_t steps = uint64_t{m_iterations} * m_phases.size();
        if (steps > MAX_STEPS)
        {
            CollectiveKeys::FailAt("iterations",
                                   "at most " + std::to_string(MAX_STEPS) +
                                       " phases in all iterations",
                                   std::to_string(steps));
        }
        CheckTimes(MakeStragglers(ranks));
    }

    /// All draws at their longest have a sum that simulated time has room for.
    void CheckTimes(const std::vector<Straggler>& stragglers) const
    {
        double factor = 1;
        double added = 0;
        for (const Straggler& one : stragglers)
        {
            factor = std::max(factor, one.factor);
            added = std::max(added, static_cast<double>(one.addedPs));
        }
        double sum = 0;
        for (const Phase& phase : m_phases)
        {
            sum += phase.work ? factor * static_cast<double>(phase.work->GetMost()) + added : 0;
        }
        if (m_iterations * sum > MAX_PS)
        {
            CollectiveKeys::FailAt(
                "phases",
                "times of computing of at most 1000000 s in all iterations (a draw is at most "
                "1000 means)",
                "more");
        }
    }

    /// @return by rank.
    std::vector<Straggler> MakeStragglers(uint32_t ranks) const
    {
        const bool hasWork = std::any_of(m_phases.begin(), m_phases.end(), [](const Phase& one) {
            return one.work.has_value();
        });
        if (!m_stragglers.empty() && !hasWork)
        {
            CollectiveKeys::FailAt("stragglers", "none without a phase \"compute\"", "some");
        }
        std::vector<Straggler> byRank(ranks);
        std::set<uint32_t> known;
        for (std::size_t number = 0; number < m_stragglers.size(); ++number)
        {
            const Straggler& one = m_stragglers[number];
            const std::string key = "stragglers[" + std::to_string(number) + "].rank";
            if (one.rank >= ranks)
            {
                CollectiveKeys::FailAt(key,
                                       "a rank below " + std::to_string(ranks),
                                       std::to_string(one.rank));
            }
            if (!known.insert(one.rank).second)
            {
                CollectiveKeys::FailAt(key, "each rank once", std::to_string(one.rank) + " again");
            }
            byRank[one.rank] = one;
        }
        return byRank;
    }

    std::vector<Phase> m_phases;
    std::string m_group; ///< Empty: all servers.
    uint32_t m_iterations{1};
    uint32_t m_warmup{0};
    std::vector<Straggler> m_stragglers;
    Time m_processing;
};

NS_OBJECT_ENSURE_REGISTERED(SequenceKind);

} // namespace ns3::rdma
