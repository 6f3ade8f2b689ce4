// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SIMULATION_RUN_H
#define RDMA_SIMULATION_RUN_H

#include "ns3/fabric.h"
#include "ns3/flow-log.h"
#include "ns3/rdma-nic.h"
#include "ns3/run-progress.h"
#include "ns3/run-report.h"
#include "ns3/scenario.h"

#include <functional>
#include <vector>

namespace ns3::rdma
{

class FlowDriver;

/// A server whose NIC is not that of the others.
struct ServerNic
{
    uint32_t node;
    const NicSpec* nic;
};

/**
 * @ingroup rdma-scenario
 * @brief One scenario with one NIC design, from its description to its report.
 *
 * Sets ns-3's attribute defaults (those of the fabric, then NicSpec::attributes), builds fabric and
 * NICs on FabricSimulatorImpl, runs the workload, checks the invariants and takes everything down
 * again.  One run at a time in a process, since ns-3's simulator is one.
 */
class SimulationRun
{
  public:
    /// @param scenario and @param nic outlive the run
    /// @param others likewise; the fabric's own attributes come from nic
    SimulationRun(const Scenario& scenario, const NicSpec& nic, std::vector<ServerNic> others = {});
    ~SimulationRun();

    /**
     * @brief Runs to the end. Once.
     * @param log gets each flow as it ends
     * @param onProgress asked about every 50 ms of wall time; false stops the run
     */
    RunReport Run(FlowLog& log, const std::function<bool(const RunProgress&)>& onProgress);

    /// @return the network, for taps before Run().
    Fabric& GetFabric();

  private:
    void SetAttributes(const NicSpec& nic) const;
    const NicSpec& GetNic(uint32_t server) const;
    void BuildFabric();
    void BuildNics();
    void ScheduleLinkEvents();
    void ChangeLinks(const LinkEvent& event);
    Tick GetEndTime() const;
    RunReport Report(const FlowDriver& driver, bool isStopped) const;
    std::vector<HostRecord> ReportHosts(Tick duration) const;
    /// After a complete run: no frame and no buffered byte may be left.
    void CheckAllIsGone(RunReport& report) const;
    /// Whether no flow can be faster than its ideal.
    bool IsIdealFctABound() const;

    const Scenario& m_scenario;
    const NicSpec& m_nic;
    std::vector<ServerNic> m_others;
    bool m_isPfcEnabled;
    Ptr<Fabric> m_fabric;
    std::vector<Ptr<RdmaNic>> m_nics; ///< By node id; null for switches.
};

} // namespace ns3::rdma

#endif // RDMA_SIMULATION_RUN_H
