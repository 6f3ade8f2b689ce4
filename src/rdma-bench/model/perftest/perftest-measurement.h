// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PERFTEST_MEASUREMENT_H
#define RDMA_PERFTEST_MEASUREMENT_H

#include "ns3/context-cache.h"
#include "ns3/host-cpu.h"
#include "ns3/ingress-meter.h"
#include "ns3/pcie-link.h"

#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/// What one end of a test has counted; of the hardware, zero if that takes no time.
struct EndCounters
{
    uint64_t dataFrames{0};    ///< Sent with payload, retransmissions included.
    uint64_t dataBytes{0};     ///< Of these, from the destination MAC address to the FCS.
    uint64_t retransmitted{0}; ///< Frames with payload that were sent before.
    CpuStats cpu;
    PcieStats pcie;
    CacheStats contexts;
    CacheStats translations;
    CacheStats receiveWqes;
    IngressStats ingress; ///< Its peak is of the whole test.
};

/// @return what was counted between two readings.
EndCounters operator-(const EndCounters& later, const EndCounters& earlier);

/**
 * @ingroup rdma-perftest
 * @brief What was counted at both ends during a share of a test.
 */
struct PerftestMeasurement
{
    Tick begin{0};
    Tick end{0};
    uint64_t goodBytes{0};            ///< Payload of messages, each byte once, of both directions.
    std::vector<uint64_t> queuePairs; ///< Of these, by queue pair; empty: unknown.
    bool isHardwareTimed{false};
    bool hasIngressMeters{false};
    EndCounters client;
    EndCounters server;

    /// @return Gb/s of so many bytes in the time measured.
    double GetGbps(uint64_t bytes) const;

    /// @return data frames of both ends, Gb/s, as counters of ports show them: neither preamble nor
    /// inter-packet gap.
    double GetWireGbps() const;

    /**
     * @return PCIe throughput of an end less what data frames carry over the network (SRNIC
     * section 2.2, footnote 2), Gb/s: both directions of the link with the overhead of its packets.
     */
    double GetExtraPcieGbps(const EndCounters& end) const;
};

} // namespace ns3::rdma

#endif // RDMA_PERFTEST_MEASUREMENT_H
