// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RUN_DRIVER_H
#define RDMA_RUN_DRIVER_H

#include "ns3/pause-cycle.h"
#include "ns3/run-decider.h"
#include "ns3/run-traffic.h"
#include "ns3/series-sampler.h"

#include <vector>

namespace ns3::rdma
{

/// Parameters of a RunDriver; all objects outlive the driver.
struct RunDriverConfig
{
    Fabric* fabric{nullptr};
    RankGroup* ranks{nullptr};
    std::vector<RunTraffic*> traffic; ///< In the order in which it starts.
    PrecisionWatch* precision{nullptr};
    SeriesSampler* series{nullptr}; ///< Null: none are written.
    Tick stallLimit{TICK_NEVER};    ///< The run stops after this time without progress.
    Tick endAt{TICK_NEVER};         ///< The run stops at this time, complete or not.
};

/**
 * @ingroup rdma-scenario
 * @brief Runs the traffic of all workloads, flows among it, from its start to its end.
 *
 * RunDecider decides when the run is over.
 */
class RunDriver : public WindowClient
{
  public:
    explicit RunDriver(const RunDriverConfig& config);

    /// Schedules the first events. Run a WindowLoop afterwards.
    void Start();

    /// Ends all traffic. After the WindowLoop.
    void Finish();

    /// @return whether all operations have started and ended.
    bool IsComplete() const;

    /// @return time of the end of the last operation on any rank, or of the end of the run.
    Tick GetEndTime() const
    {
        return m_endTime;
    }

    /// @return ports that wait for each other at the end of a run which no longer progresses;
    /// empty: none. The same on all ranks.
    const std::vector<PausedPort>& GetPauseCycle() const
    {
        return m_pauseCycle;
    }

    WindowState GetState(bool isDue) const override;
    void Pack(uint32_t rank, ByteBuffer& buffer) override;
    void Unpack(ByteReader& reader) override;
    void OnWindow(const WindowState& all, Tick end) override;
    Tick GetSampleTime() const override;
    void Sample() override;
    void SkipIdle(const WindowState& all) override;
    Tick GetDecisionTime() const override;
    bool Decide(const WindowState& all) override;

  private:
    /// Collective call. @return the ports that wait for each other; empty: none.
    std::vector<PausedPort> FindPausedPorts();
    void EndSample();
    bool HasMore(const WindowState& all) const;
    bool MayLeavePackets() const;

    RunDriverConfig m_config;
    RunDecider m_decider;
    Tick m_endTime{0};
    std::vector<PausedPort> m_pauseCycle;
    WindowState m_all;            ///< At the end of the last window.
    bool m_hasSampled{false};     ///< In the last window.
    bool m_isSamplingOver{false}; ///< All was done at the last sample.
    uint64_t m_hopsAtSample{0};   ///< Of all ranks.
};

} // namespace ns3::rdma

#endif // RDMA_RUN_DRIVER_H
