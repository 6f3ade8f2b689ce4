// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PORT_SERIES_H
#define RDMA_PORT_SERIES_H

#include "ns3/fabric.h"
#include "ns3/series-request.h"
#include "ns3/series-table.h"
#include "ns3/series-text.h"

#include <array>
#include <filesystem>
#include <functional>

namespace ns3::rdma
{

/**
 * @ingroup rdma-series
 * @brief Queue lengths and traffic of ports over time: series/queue.csv and series/port.csv.
 */
class PortSeries
{
  public:
    /// @param request and @param fabric outlive this
    /// @param isHere whether this rank simulates a node or an endpoint
    /// @param begin start of the first interval
    PortSeries(const SeriesRequest& request,
               Fabric& fabric,
               const std::function<bool(uint32_t node)>& isHere,
               Tick begin);

    /// Adds a sample. All events before `at` have run.
    void Sample(Tick at);

    /// The newest sample replaces the previous one.
    void MergeNewest();

    void Pack(ByteBuffer& buffer) const;
    void Unpack(ByteReader& reader);

    /// @param folder must exist @throws std::runtime_error
    void Write(const std::filesystem::path& folder) const;

  private:
    struct QueueRow
    {
        uint32_t port; ///< Place in SeriesRequest::ports.
        uint32_t bytes;
        uint32_t maxBytes; ///< Since the previous row.

        uint32_t GetKey() const
        {
            return port;
        }

        void Absorb(const QueueRow& earlier)
        {
            maxBytes = std::max(maxBytes, earlier.maxBytes);
        }
    };

    /// Counts since the start of the run.
    struct TrafficRow
    {
        uint32_t port;
        uint64_t sentBytes;
        uint64_t marks;
        uint64_t drops;
        uint64_t pausesSent;
        Tick pausedTime;

        uint32_t GetKey() const
        {
            return port;
        }

        void Absorb(const TrafficRow&)
        {
        }
    };

    /// A port of a node of this rank.
    struct Followed
    {
        uint32_t place;
        FabricPort* port;
    };

    FabricPort& GetPort(std::size_t place) const;
    uint32_t GetEnd(std::size_t place) const; ///< @return node or endpoint id.
    /// Adds node, port and the node at the other end.
    void AddPort(std::size_t place, SeriesText& text) const;
    void NumberPorts();
    void WriteQueues(const std::filesystem::path& folder) const;
    void WriteTraffic(const std::filesystem::path& folder) const;

    const SeriesRequest& m_request;
    Fabric& m_fabric;
    Tick m_begin;
    std::vector<uint32_t> m_numbers; ///< Of m_request's ports: their places in DeviceLists.
    std::vector<Followed> m_followed;
    SeriesTable<QueueRow> m_queues;
    SeriesTable<TrafficRow> m_traffic;
};

} // namespace ns3::rdma

#endif // RDMA_PORT_SERIES_H
