// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FABRIC_CORE_H
#define RDMA_FABRIC_CORE_H

#include "ns3/data-rate.h"
#include "ns3/destination-hints.h"
#include "ns3/drop-reason.h"
#include "ns3/endpoint-map.h"
#include "ns3/fabric-engine.h"
#include "ns3/frame-outbox.h"
#include "ns3/path-finder.h"

#include <algorithm>
#include <map>
#include <memory>
#include <vector>

namespace ns3::rdma
{

class FabricPort;

/// State that all ports of a fabric share. Outlives them.
struct FabricCore
{
    FabricCore() = default;
    FabricCore(const FabricCore&) = delete;
    FabricCore& operator=(const FabricCore&) = delete;

    ~FabricCore()
    {
        if (engine)
        {
            engine->ForgetArgumentMemory();
        }
    }

    /// @return the bytes of a frame on the wire, padding and overhead included.
    uint32_t CountOnWire(uint32_t frameBytes) const
    {
        return std::max(frameBytes, minimumBytes) + overheadBytes;
    }

    std::shared_ptr<FabricEngine> engine;
    FramePool pool;
    DestinationHints destinations;
    DropCounters drops;
    EndpointMap endpoints;     ///< Servers, NICs and ports of the endpoint ids.
    uint64_t packetHops{0};    ///< Frames that crossed a link, MAC control excluded.
    uint64_t ecnMarks{0};      ///< Frames marked with CE.
    uint64_t trims{0};         ///< Frames whose payload was removed.
    uint64_t lastHopTrims{0};  ///< Of these, by the switch in front of the receiver.
    uint64_t trimmedDrops{0};  ///< Trimmed frames that a switch dropped.
    uint64_t losslessDrops{0}; ///< Frames of PFC priorities dropped for lack of buffer.
    uint64_t pfcPauses{0};     ///< Pause frames sent, resumes excluded.
    uint64_t pauseStorms{0};   ///< Detected by a PfcWatchdog.
    uint64_t pauseStormsEnded{0};
    uint64_t linkWaits{0};      ///< Times that a LinkPolicy held back a class of a port.
    uint64_t linkReplays{0};    ///< Frames that a LinkPolicy sent again.
    uint32_t overheadBytes{24}; ///< Per frame on the wire: preamble 8, FCS 4, inter-packet gap 12.
    uint32_t minimumBytes{60};  ///< A shorter frame is padded to this, FCS excluded (IEEE 802.3).
    std::vector<FabricPort*> switchPorts;      ///< Of all switches.
    bool areHopsRecorded{false};               ///< See FabricPort::RecordHops().
    double oversubscription{1};                ///< TopologyGraph::FindOversubscription().
    std::map<uint32_t, DataRate> nominalRates; ///< Of ports with a reduced rate, by target.
    std::vector<uint32_t> deadEndpoints;       ///< Whose links are down, in no order.
    PathFinder* paths{nullptr};                ///< Null: paths are unknown.
    FrameOutbox* outbox{nullptr}; ///< For ports whose other end another process simulates.
};

} // namespace ns3::rdma

#endif // RDMA_FABRIC_CORE_H
