// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/collective-keys.h"
#include "ns3/collective-traffic.h"
#include "ns3/input-error.h"
#include "ns3/nccl-keys.h"
#include "ns3/nccl-protocol.h"
#include "ns3/quantity.h"
#include "ns3/rank-keys.h"
#include "ns3/renewal-keys.h"
#include "ns3/scenario-file.h"
#include "ns3/traffic-kind.h"

#include <algorithm>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

namespace ns3::rdma
{

namespace
{

constexpr uint32_t MAX_ITERATIONS{1'000'000};

/// @return as "4.29 s".
std::string
DescribeSeconds(int64_t ns)
{
    constexpr double NS_PER_SECOND{1e9};
    std::ostringstream text;
    text << std::setprecision(3) << static_cast<double>(ns) / NS_PER_SECOND << " s";
    return text.str();
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
        m_keys.VisitOperation(keys, true);
        m_nccl.Visit(keys, m_keys.GetAlgorithm(), m_keys.IsAuto());
        VisitRanks(keys);
        VisitIterations(keys);
        m_keys.VisitShape(keys, m_nccl.IsByNccl(), m_ranks.GetPerServer());
        m_keys.VisitRounds(keys);
    }

    void Resolve(const JsonValue&, const Scenario&) override
    {
        m_keys.Resolve();
        m_nccl.Resolve(m_keys.IsAuto());
    }

    std::optional<Time> GetDuration() const override
    {
        return std::nullopt; // It ends with its last iteration.
    }

    std::vector<std::pair<uint32_t, uint32_t>> GetPeers(const Scenario& scenario) const override
    {
        return FindRankPeers(scenario, m_ranks.GetGroup());
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
    void VisitRanks(Keys& keys)
    {
        m_ranks.VisitGroup(keys);
        m_ranks.VisitCommunicators(keys);
        m_ranks.VisitPerServer(keys);
        keys.Check(!m_nccl.IsChosen(m_keys.IsAuto()) || m_ranks.GetPerServer() == 1,
                   "ranksPerServer",
                   "1 where NCCL chooses the algorithm or the protocol");
        m_ranks.VisitLocal(keys);
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
        VisitRenewal(keys, m_renewal);
    }

    /// @throws InputError ".key: expected ..., got ..." that continues the workload's path
    CollectivePlan MakePlan(const Scenario& scenario, const TopologyGraph& topology) const
    {
        CollectivePlan plan;
        plan.operation = m_keys.GetOperation();
        plan.bytes = m_keys.GetBytes();
        plan.iterations = m_iterations;
        plan.warmup = m_warmup;
        plan.processing = m_processing;
        plan.compute = m_compute;
        plan.renewal = m_renewal;
        plan.local = m_ranks.GetLocal();
        plan.communicators = m_ranks.Place(scenario, topology, GetSeed(scenario));
        plan.start = GetPlace().start;
        plan.end = GetPlace().end;
        const auto ranks = static_cast<uint32_t>(plan.communicators.front().size());
        if (ranks < 2)
        {
            CollectiveKeys::FailAt("communicators",
                                   "at least 2 ranks in each",
                                   std::to_string(ranks));
        }
        CollectiveShape shape = m_keys.MakeShape(ranks);
        shape.isByNccl = m_nccl.IsByNccl();
        const CollectiveAlgorithm& algorithm =
            shape.isByNccl ? m_nccl.Choose(plan.communicators.front(), topology, shape)
                           : m_keys.GetAlgorithm();
        plan.busFactor = GetBusFactor(shape.operation, shape.ranks);
        plan.algorithm = algorithm.name;
        plan.stages = MakeStages(algorithm, shape);
        if (shape.isByNccl)
        {
            plan.protocol = GetNcclProtocolNames()[static_cast<std::size_t>(shape.protocol)];
            plan.attributes.timeout = m_nccl.GetTimeout();
            plan.attributes.retryCount = m_nccl.GetRetries();
        }
        CollectiveKeys::CheckMessages(plan.stages);
        CollectiveKeys::CheckTimes(plan, plan.bytes);
        return plan;
    }

    CollectiveKeys m_keys;
    NcclKeys m_nccl;
    RankKeys m_ranks;
    uint32_t m_iterations{1};
    uint32_t m_warmup{0};
    Time m_processing;
    Time m_compute;
    std::optional<Tick> m_renewal;
};

NS_OBJECT_ENSURE_REGISTERED(CollectiveKind);

} // namespace ns3::rdma
