// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SERIES_SAMPLER_H
#define RDMA_SERIES_SAMPLER_H

#include "ns3/buffer-series.h"
#include "ns3/flow-series.h"
#include "ns3/port-series.h"

#include <filesystem>
#include <functional>
#include <optional>

namespace ns3::rdma
{

/**
 * @ingroup rdma-series
 * @brief Looks at ports, buffers and queue pairs of a run at equal intervals of simulated time.
 *
 * Schedules nothing: the event loop calls Sample() when all before GetNextTime() have run,
 * so that a run has the same events with it and without.  Each rank looks at its own nodes; the
 * first one writes what all have seen.
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

    /// @return before which time all events must have run for the next Sample().
    Tick GetNextTime() const
    {
        return m_next;
    }

    /// @return whether Sample() looks at flows.
    bool HasFlows() const
    {
        return m_flows.has_value();
    }

    /// @param flows of this rank's senders, in any order
    void Sample(const std::vector<FlowUnderWay>& flows);

    /// Says whether the network was idle in the interval that the last sample ends, the same on all
    /// ranks: of a time without traffic only the first and the last sample stay, so that it does
    /// not crowd out what was before.
    void EndSample(bool wasIdle);

    /// Nothing happens before a time: leaves out the samples before it that EndSample() would
    /// merge, but the last one.
    void SkipIdle(Tick until);

    /// Appends what this rank has seen, for the first one.
    void Pack(ByteBuffer& buffer) const;
    void Unpack(ByteReader& reader);

    /// Writes the requested files. @param folder made if it is not there
    /// @throws std::runtime_error if one cannot be written
    void Write(const std::filesystem::path& folder) const;

  private:
    /// Samples of an idle time that stay: its first, and its last, which grows.
    static constexpr uint32_t IDLE_KEPT{2};

    Tick m_interval;
    Tick m_next;
    uint32_t m_idle{0}; ///< Samples in a row before which nothing happened.
    std::optional<PortSeries> m_ports;
    std::optional<BufferSeries> m_buffers;
    std::optional<FlowSeries> m_flows;
};

} // namespace ns3::rdma

#endif // RDMA_SERIES_SAMPLER_H
