// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_RUN_REPORT_H
#define RDMA_RUN_REPORT_H

#include "ns3/flow-record.h"
#include "ns3/pause-cycle.h"
#include "ns3/precision-watch.h"
#include "ns3/ptr.h"
#include "ns3/result-part.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rdma
{

class RdmaNic;
struct FabricCore;

/// Counts of one of the processes that simulate a run together.
struct RankReport
{
    uint64_t events{0};
    uint64_t windows{0};       ///< Stretches of simulated time between two exchanges.
    uint64_t sentBytes{0};     ///< To the other ranks.
    double computeSeconds{0};  ///< Events of the windows.
    double waitSeconds{0};     ///< Between windows, until the other ranks' messages are there.
    double exchangeSeconds{0}; ///< Between windows, to make, copy and read messages.
    uint64_t peakRssBytes{0};
};

/// Counts of a traffic class.
struct ClassTotals
{
    uint64_t sentBytes{0}; ///< At the wire of every port that a frame passes.
    uint64_t marks{0};
    uint64_t fabricDrops{0}; ///< At switches and on links.
    uint64_t nicDiscards{0}; ///< At servers.
    uint64_t pausedPs{0};    ///< Of all ports.
};

/// The results of a run besides its flow records.
struct RunReport
{
    uint64_t flowsStarted{0};
    std::vector<uint64_t> flowsStartedByWorkload; ///< In the order of the scenario.
    bool isPartial{false};                        ///< Stopped on request before its end.

    std::map<std::string, uint64_t> drops; ///< Frames dropped anywhere, by reason name.
    /// Sums over all ports, by class, if the fabric has classes that differ; else empty.
    std::vector<ClassTotals> classes;
    uint64_t fabricDrops{0};  ///< Of these, at switches and on links.
    uint64_t nicDiscards{0};  ///< Of these, at servers.
    uint64_t trims{0};        ///< Frames whose payload a switch removed.
    uint64_t lastHopTrims{0}; ///< Of these, by the switch in front of the receiver.
    uint64_t trimmedDrops{0}; ///< Trimmed frames that a switch dropped.
    uint64_t ecnMarks{0};
    uint64_t pfcPauses{0};        ///< Pause frames (not resumes).
    uint64_t pauseStorms{0};      ///< Detected by a PFC watchdog.
    uint64_t pauseStormsEnded{0}; ///< Of these, ended.
    uint64_t linkWaits{0};        ///< Classes held back by the policies of links.
    uint64_t linkReplays{0};      ///< Frames that links sent again.
    uint64_t cnps{0};
    uint64_t retransmitted{0};     ///< Over all flows.
    uint64_t timeouts{0};          ///< Over all flows.
    uint64_t resendingTimeouts{0}; ///< Of these, expiries after which packets were sent again.
    uint64_t packetHops{0};        ///< Link traversals of data and acknowledgment packets.
    uint64_t events{0};
    int64_t simulatedPs{0};

    std::vector<ResultPart> parts; ///< Of the workload, then of the hardware, if it takes time.
    std::vector<std::string>
        violations; ///< Broken invariants, one line each; empty in a sound run.
    /// What the scenario asks for and what had no effect, one line each.
    std::vector<std::string> notes;

    /// Ports that wait for each other at the end (FindPauseCycle()); empty: none.
    std::vector<PausedPort> pauseCycle;

    std::vector<RankReport> ranks; ///< In order.

    std::optional<PrecisionReport> precision; ///< Set if the run had a target precision.
    /// Before this time all payload was sent as a fluid, not as packets; 0: there was no fluid.
    int64_t fluidUntilPs{0};

    double wallSeconds{0};    ///< Filled in by the caller of SimulationRun::Run().
    uint64_t peakRssBytes{0}; ///< As wallSeconds.
};

/// The objects that the counters of a rank are read from.
struct CounterSource
{
    const FabricCore& fabric;
    const std::vector<Ptr<RdmaNic>>& nics; ///< By endpoint id, at each of a NIC; null for switches.
    FlowTotals flows;
    uint64_t events; ///< Of this rank alone.
};

/// A counter of summary.json. The counter of a run is the sum over its ranks.
struct RunCounter : ResultColumn
{
    uint64_t RunReport::*value;
    uint64_t (*read)(const CounterSource& source); ///< @return the counter of a rank.
    bool isRare{false};                            ///< It is written only if it is not 0.
};

/// @return the counters in the order of summary.json.
const std::vector<RunCounter>& GetRunCounters();

} // namespace ns3::rdma

#endif // RDMA_RUN_REPORT_H
