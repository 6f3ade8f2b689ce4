// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PORT_SERIES_H
#define RDMA_PORT_SERIES_H

#include "ns3/fabric.h"
#include "ns3/series-request.h"
#include "ns3/series.h"

#include <algorithm>
#include <functional>

namespace ns3::rdma
{

/// A port; the key is its place in SeriesRequest::ports.
struct PortRow : SeriesRow
{
    uint32_t node;
    uint32_t number; ///< Place in the DeviceList of the node.
    uint32_t peer;   ///< Node at the other end of its link.
};

/// A port that is sampled, and its row without counts.
struct SampledPort
{
    FabricPort* port;
    PortRow row;
};

/// Starts the counters of the requested ports. @param isHere whether this rank simulates a node or
/// an endpoint @param begin start of the first interval
/// @return the ports of this rank, in the order of the request
std::vector<SampledPort> FindSampledPorts(const SeriesRequest& request,
                                          Fabric& fabric,
                                          const std::function<bool(uint32_t node)>& isHere,
                                          Tick begin);

struct QueueRow : PortRow
{
    uint32_t bytes;
    uint32_t maxBytes; ///< Since the previous row.

    void Absorb(const QueueRow& earlier)
    {
        maxBytes = std::max(maxBytes, earlier.maxBytes);
    }
};

/// Counts since the start of the run.
struct TrafficRow : PortRow
{
    uint64_t bitRate;
    uint64_t sentBytes;
    uint64_t marks;
    uint64_t drops;
    uint64_t pausesSent;
    Tick pausedTime;
};

/// A class of a port. Counts since the start of the run.
struct ClassRow : PortRow
{
    uint32_t classNumber;
    uint32_t bytes; ///< Queued.
    uint64_t sentBytes;
    uint64_t marks;
    uint64_t drops;
    Tick pausedTime;
};

/**
 * @ingroup rdma-series
 * @brief Queue lengths of ports over time: series/queue.csv.
 */
class QueueSeries : public RowSeries<QueueRow>
{
  public:
    /// @param allPorts how many ports all ranks sample
    QueueSeries(std::vector<SampledPort> ports, std::size_t allPorts);

  private:
    std::vector<QueueRow> MakeRows(Tick at, const SeriesInput&) const override;

    std::vector<SampledPort> m_ports;
};

/**
 * @ingroup rdma-series
 * @brief Traffic of ports over time: series/port.csv.
 */
class PortSeries : public RowSeries<TrafficRow>
{
  public:
    /// @param allPorts how many ports all ranks sample
    PortSeries(std::vector<SampledPort> ports, std::size_t allPorts);

  private:
    std::vector<TrafficRow> MakeRows(Tick at, const SeriesInput&) const override;

    std::vector<SampledPort> m_ports;
};

/**
 * @ingroup rdma-series
 * @brief Classes of ports over time: series/class.csv.
 *
 * A class has a row from its first frame or pause on.
 */
class ClassSeries : public RowSeries<ClassRow>
{
  public:
    /// @param allPorts how many ports all ranks sample
    ClassSeries(std::vector<SampledPort> ports, std::size_t allPorts);

  private:
    std::vector<ClassRow> MakeRows(Tick at, const SeriesInput&) const override;

    std::vector<SampledPort> m_ports;
};

} // namespace ns3::rdma

#endif // RDMA_PORT_SERIES_H
