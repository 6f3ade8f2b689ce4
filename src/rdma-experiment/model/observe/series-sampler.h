// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SERIES_SAMPLER_H
#define RDMA_SERIES_SAMPLER_H

#include "ns3/fabric.h"
#include "ns3/series.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-series
 * @brief Samples ports, buffers and queue pairs of a run at equal intervals of simulated time.
 *
 * It schedules no events: the event loop calls Sample() when all events before GetNextTime() have
 * run, so that a run has the same events with and without sampling.  Each rank samples its own
 * nodes; the first rank writes the samples of all.
 */
class SeriesSampler
{
  public:
    /// @param request and @param fabric outlive this
    /// @param isHere whether this rank simulates a node
    /// @param begin of the run: the first sample is at the first multiple of the interval after it
    SeriesSampler(const SeriesRequest& request,
                  Fabric& fabric,
                  const std::function<bool(uint32_t node)>& isHere,
                  Tick begin);

    /// @return the time of the next Sample(): all earlier events must have run.
    Tick GetNextTime() const
    {
        return m_next;
    }

    /// @return whether Sample() uses flows.
    bool HasFlows() const
    {
        return m_hasFlows;
    }

    /// @return for how many workloads Sample() uses delivered bytes; 0: it does not.
    std::size_t GetGoodputWorkloads() const
    {
        return m_goodputWorkloads;
    }

    void Sample(const SeriesInput& input);

    /// Ends a sample. @param wasIdle whether the network was idle in the interval before it, the
    /// same on all ranks: of an idle time only the first and the last sample are kept, so that they
    /// do not displace earlier samples.
    void EndSample(bool wasIdle);

    /// No event occurs before `until`: skips the earlier samples that EndSample() would merge,
    /// except the last one.
    void SkipIdle(Tick until);

    /// All events up to `at` have run: the next sample is after it.
    void SkipTo(Tick at);

    /// Appends the samples of this rank, for the first rank.
    void Pack(ByteBuffer& buffer) const;
    void Unpack(ByteReader& reader);

    /// Writes the requested files. @param folder created if it does not exist
    /// @throws std::runtime_error if one cannot be written
    void Write(const std::filesystem::path& folder) const;

  private:
    /// Samples kept of an idle time: the first and the last one.
    static constexpr uint32_t IDLE_KEPT{2};

    Tick m_interval;
    Tick m_next;
    uint32_t m_idle{0}; ///< Consecutive samples after idle intervals.
    bool m_hasFlows;
    std::size_t m_goodputWorkloads{0};
    std::vector<std::unique_ptr<Series>> m_series; ///< The requested ones.
};

} // namespace ns3::rdma

#endif // RDMA_SERIES_SAMPLER_H
