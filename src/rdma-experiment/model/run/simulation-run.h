// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SIMULATION_RUN_H
#define RDMA_SIMULATION_RUN_H

#include "ns3/fabric-partition.h"
#include "ns3/fabric.h"
#include "ns3/flow-log.h"
#include "ns3/kernel-deployment.h"
#include "ns3/link-changes.h"
#include "ns3/partial-report.h"
#include "ns3/pause-storm.h"
#include "ns3/rank-group.h"
#include "ns3/rdma-nic.h"
#include "ns3/run-input.h"
#include "ns3/run-progress.h"
#include "ns3/run-report.h"
#include "ns3/scenario.h"
#include "ns3/series-sampler.h"
#include "ns3/watched-client.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::rdma
{

class FlowObserver;
class FlowServices;
class FlowTraffic;
class RunDriver;
class WindowLoop;
struct FlowTrafficConfig;
struct FlowWorkloadSpec;
struct TrafficContext;

/**
 * @ingroup rdma-scenario
 * @brief One scenario with one entry of its NICs, from its description to its report.
 *
 * Builds fabric and NICs on FabricSimulatorImpl, runs the workload, checks the invariants and takes
 * everything down again.  One run at a time in a process, since ns-3's simulator is one.
 *
 * Several ranks build the same and simulate a part of the nodes each (FabricPartition); the report
 * and the flow records end up at the first.
 */
class SimulationRun
{
  public:
    /// @param scenario and @param nic outlive the run
    /// @param ranks that run it together; all make the same calls
    /// @throws InputError if it cannot be divided among so many ranks
    SimulationRun(const Scenario& scenario,
                  const NicSpec& nic,
                  RankGroup& ranks = RankGroup::GetSolo());

    /// The same, with the topology and the flows that are made already.
    SimulationRun(PreparedScenario& prepared,
                  const NicSpec& nic,
                  RankGroup& ranks = RankGroup::GetSolo());
    ~SimulationRun();

    /// Progress is to have a RunView. Before Run(), on all ranks.
    /// @param period after which the view is made anew; zero: for each call of onProgress
    void Watch(std::chrono::milliseconds period = WatchedClient::PERIOD)
    {
        m_watchPeriod = period;
    }

    /// Rows of requests are written while it runs. Before Run(), on all ranks. @param folder made
    /// by the first rank
    void StreamTo(const std::filesystem::path& folder)
    {
        m_folder = folder;
    }

    /**
     * @brief Runs to the end. Once.
     * @param log gets each flow as it ends, on the first rank
     * @param onProgress called about every 50 ms of wall time; false stops the run
     * @return on other ranks than the first: nothing but whether it was stopped
     */
    RunReport Run(FlowLog& log, const std::function<bool(const RunProgress&)>& onProgress);

    /// Writes the time series of the scenario, if it has any, of all ranks together. After
    /// Run(), on all ranks. @param folder made by the first rank
    /// @throws std::runtime_error if a file cannot be written
    void WriteSeries(const std::filesystem::path& folder);

    /// @return the network, for taps before Run().
    Fabric& GetFabric()
    {
        return *m_fabric;
    }

    /// @return the kernels of its NICs.
    const KernelDeployment& GetKernels() const
    {
        return m_kernels;
    }

    /// Before Run(). @param observer outlives the run
    void SetFlowObserver(FlowObserver& observer)
    {
        m_observer = &observer;
    }

    /// @return whether this rank simulates a node or an endpoint.
    bool IsHere(uint32_t id) const;

  private:
    /// A design of some of the servers.
    struct RunDesign
    {
        const DesignSpec* spec;
        std::shared_ptr<const NicDesign> design;
        Tick baseRtt;       ///< Of the fabric, with the headers of the design.
        Ptr<RdmaNic> alike; ///< The latest NIC of the design: they share its prototypes.
    };

    void Build();
    void TakeDown();
    void BuildFabric();
    void MakeDesigns();
    RunDesign& GetDesign(uint32_t server);
    void BuildNics();
    void BuildNic(uint32_t server, const std::vector<NicPort>& ports);
    void Divide();
    void PrepareSeries();
    /// If the fabric has classes that differ.
    bool HasClasses() const;
    void StartClassCounters();
    Tick GetEndTime() const;
    TrafficContext MakeTrafficContext(FlowServices& services, const std::function<void()>& poll);
    std::vector<FlowWorkloadSpec> MakeFlowWorkloads() const;
    /// @param madeQueuePairs by node: those of other traffic
    FlowTrafficConfig MakeFlowConfig(FlowSource& source,
                                     std::vector<uint32_t> madeQueuePairs) const;
    /// @throws InputError if kernels have slots that flows cannot pass
    void CheckSlots(const FlowServices& services) const;
    /// @throws InputError if the NICs have no room for the flows' queue pairs
    void RunLoop(RunDriver& driver, WindowLoop& loop) const;
    /// @param flows null: there are none
    RunReport Collect(const RunDriver& driver,
                      const FlowTraffic* flows,
                      const WindowLoop& loop) const;
    PartialReport Report(const RunDriver& driver, const FlowTraffic* flows) const;
    /// @return whether an endpoint is the first of its NIC, which counts each NIC once.
    bool IsFirstPort(uint32_t endpoint) const;
    std::vector<HostRecord> ReportHosts(Tick duration) const;
    /// @return the counts of this rank's ports; empty if all classes are alike.
    std::vector<ClassTotals> CountClasses() const;
    /// @return LossModel::FindUnused() of this rank's ports, as PartialReport::unusedLosses.
    std::map<uint32_t, std::string> FindUnusedLosses() const;
    /// @return RunReport::notes. @param report the other numbers
    std::vector<std::string> DescribeUnused(const std::vector<PartialReport>& parts,
                                            const RunReport& report) const;
    /// After a complete run: no frame and no buffered byte may be left.
    void CheckAllIsGone(PartialReport& report) const;
    /// Whether no flow can be faster than its ideal.
    bool IsIdealFctABound() const;

    std::unique_ptr<RunInput> m_ownInput; ///< Null: the caller's.
    RunInput& m_input;
    const Scenario& m_scenario;
    const NicSpec& m_nic;
    std::vector<RunDesign> m_designs;
    RankGroup& m_ranks;
    RankTraffic m_trafficBefore; ///< Of earlier runs.
    Ptr<Fabric> m_fabric;
    std::vector<Ptr<RdmaNic>> m_nics; ///< By endpoint id, at each of a NIC; null for switches.
    KernelDeployment m_kernels;
    std::optional<FabricPartition> m_partition;
    std::filesystem::path m_folder; ///< Of rows that are written during the run; empty: none are.
    std::optional<LinkChanges> m_linkChanges;
    std::vector<std::unique_ptr<PauseStorm>> m_pauseStorms;
    SeriesRequest m_seriesRequest;
    std::optional<SeriesSampler> m_series;                  ///< Unset: the scenario has none.
    std::optional<FrameOutbox> m_outbox;                    ///< Of several ranks.
    Tick m_lookahead{TICK_NEVER};                           ///< Of frames between ranks.
    FlowObserver* m_observer{nullptr};                      ///< Null: there is none.
    std::optional<std::chrono::milliseconds> m_watchPeriod; ///< Unset: not watched.
};

} // namespace ns3::rdma

#endif // RDMA_SIMULATION_RUN_H
