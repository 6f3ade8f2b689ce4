// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RUN_TIMELINE_H
#define RDMA_RUN_TIMELINE_H

#include "ns3/fabric.h"
#include "ns3/run-report.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rdma
{

class RdmaNic;

/**
 * @ingroup rdma-timeline
 * @brief The events of a run as Chrome trace-event JSON, for Perfetto and chrome://tracing.
 *
 * A server or switch is a process in the trace.  Flows are slices of their sender, from start to
 * completion; pauses by PFC are slices of the paused port; drops, retransmissions, timeouts, NAKs
 * and CNPs are instants.  It connects to trace sources: a timeline does not change results, and
 * runs without one spend no time on it.
 *
 * Format: "Trace Event Format" (Google, document of the Chromium project): ph "b" and "e" for
 * slices that may overlap, "i" for instants, "M" for names, ts in microseconds.
 *
 * Not shown: single packets; times within a NIC.
 */
class RunTimeline
{
  public:
    /// Most events, besides flows, that are kept: the first ones; further ones are counted. Each
    /// takes about 120 bytes of the file.
    static constexpr uint64_t MAX_EVENTS{2'000'000};

    /// The same for a run that is stopped: they are written in a fraction of a second.
    static constexpr uint64_t MAX_LATE_EVENTS{200'000};

    /// @param fabric outlives this and has its NICs
    /// @param isHere whether this rank simulates a node
    /// @param workloads names of a list of workloads; none: there is no list
    RunTimeline(Fabric& fabric,
                const std::function<bool(uint32_t node)>& isHere,
                std::vector<std::string> workloads = {});

    /// Adds a flow that has ended, or that is active at the end of the run. On the first rank.
    void AddFlow(const FlowRecord& record);

    /// Appends the events of this rank, for the first rank.
    void Pack(ByteBuffer& buffer) const;
    void Unpack(ByteReader& reader);

    /// @param path of the file @param end of the run, and of open slices
    /// @param maxEvents beside flows, up to MAX_EVENTS
    /// @throws std::runtime_error if it cannot be written
    void Write(const std::filesystem::path& path, Tick end, uint64_t maxEvents = MAX_EVENTS);

  private:
    enum class Kind : uint8_t
    {
        PAUSE,
        RESUME,
        DROP,
        RETRANSMIT,
        TIMEOUT,
        NAK,
        CNP,
    };

    /// Plain data, so that ranks can send it.
    struct Event
    {
        Tick at;
        uint32_t node;
        Kind kind;
        uint8_t detail;  ///< PAUSE, RESUME: priority. DROP: reason.
        uint16_t unused; ///< Zero.
        uint32_t where;  ///< PAUSE, RESUME, DROP: number of the port. Others: queue pair.
        uint32_t number; ///< PSN, if there is one.
    };

    void WatchPort(uint32_t node, uint32_t number, FabricPort& port);
    void WatchNic(uint32_t node, RdmaNic& nic);
    void Add(uint32_t node, Kind kind, uint8_t detail, uint32_t where, uint32_t number);
    void Sort(uint64_t maxEvents);
    void WriteFlows(Tick end, std::ostream& out) const;
    void WriteNames(std::ostream& out) const;
    std::string FormatFlow(const FlowRecord& flow, Tick end) const;
    static void WriteInstant(const Event& event, std::ostream& out);
    void WritePauses(Tick end, std::ostream& out) const;

    Fabric& m_fabric;
    std::vector<std::string> m_workloads;
    /// Text of completed flows, in the order in which they ended: much of the file is ready when
    /// the run ends.
    std::string m_flowText;
    /// Flows that did not complete, and their positions in the text.
    std::vector<std::pair<std::size_t, FlowRecord>> m_flowsWithoutEnd;
    std::vector<Event> m_events;
    uint64_t m_leftOut{0}; ///< Events beyond the limit.
};

} // namespace ns3::rdma

#endif // RDMA_RUN_TIMELINE_H
