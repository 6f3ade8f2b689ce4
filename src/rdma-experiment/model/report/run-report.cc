// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/run-report.h"

#include "ns3/drop-place.h"
#include "ns3/fabric-core.h"
#include "ns3/rdma-nic.h"

namespace ns3::rdma
{

namespace
{
using Source = CounterSource;

uint64_t
SumDrops(const Source& source, bool isOfFabric)
{
    uint64_t sum = 0;
    for (std::size_t reason = 0; reason < DROP_REASONS; ++reason)
    {
        const auto one = static_cast<DropReason>(reason);
        sum += IsFabricDrop(one) == isOfFabric ? source.fabric.drops.Get(one) : 0;
    }
    return sum;
}

uint64_t
SumCnps(const Source& source)
{
    uint64_t sum = 0;
    for (std::size_t endpoint = 0; endpoint < source.nics.size(); ++endpoint)
    {
        const auto& nic = source.nics[endpoint];
        sum += nic && nic->GetEndpoint() == endpoint ? nic->GetStats().cnpsSent : 0;
    }
    return sum;
}
} // namespace

const std::vector<RunCounter>&
GetRunCounters()
{
    static const std::vector<RunCounter> counters{
        {{"fabric_drops", "frames", "frames that a switch or a link dropped"},
         &RunReport::fabricDrops,
         [](const Source& source) { return SumDrops(source, true); }},
        {{"nic_discards", "frames", "frames that were dropped at a server"},
         &RunReport::nicDiscards,
         [](const Source& source) { return SumDrops(source, false); }},
        {{"trims", "frames", "packets whose payload a switch removed"},
         &RunReport::trims,
         [](const Source& source) { return source.fabric.trims; }},
        {{"last_hop_trims", "frames", "trims at the last switch before the receiver"},
         &RunReport::lastHopTrims,
         [](const Source& source) { return source.fabric.lastHopTrims; }},
        {{"trimmed_drops",
          "frames",
          "trimmed packets that a switch dropped later; also in `drops`, as `buffer-full`"},
         &RunReport::trimmedDrops,
         [](const Source& source) { return source.fabric.trimmedDrops; }},
        {{"ecn_marks", "frames", "packets that a switch marked"},
         &RunReport::ecnMarks,
         [](const Source& source) { return source.fabric.ecnMarks; }},
        {{"pfc_pauses", "frames", "pause frames, without resumes"},
         &RunReport::pfcPauses,
         [](const Source& source) { return source.fabric.pfcPauses; }},
        {{"pause_storms",
          "",
          "queues that a PFC watchdog found paused for too long; only if there are any"},
         &RunReport::pauseStorms,
         [](const Source& source) { return source.fabric.pauseStorms; },
         true},
        {{"pause_storms_ended", "", "of these, the storms that ended in the run"},
         &RunReport::pauseStormsEnded,
         [](const Source& source) { return source.fabric.pauseStormsEnded; },
         true},
        {{"link_waits",
          "",
          "times that a class of a port had to wait for credit of its link, or for room in the "
          "replay buffer; only if there are any"},
         &RunReport::linkWaits,
         [](const Source& source) { return source.fabric.linkWaits; },
         true},
        {{"link_replays", "frames", "frames that a link sent again; only if there are any"},
         &RunReport::linkReplays,
         [](const Source& source) { return source.fabric.linkReplays; },
         true},
        {{"cnps", "frames", "congestion notification packets"}, &RunReport::cnps, SumCnps},
        {{"retransmitted", "packets", "packets sent again, over all flows"},
         &RunReport::retransmitted,
         [](const Source& source) { return source.flows.retransmitted; }},
        {{"timeouts", "", "expiries of the retransmission timer, over all flows"},
         &RunReport::timeouts,
         [](const Source& source) { return source.flows.timeouts; }},
        {{"resending_timeouts",
          "",
          "expiries after which packets were sent again. After the others a probe or credit was "
          "awaited, or the queue pair has failed"},
         &RunReport::resendingTimeouts,
         [](const Source& source) { return source.flows.timeouts - source.flows.idleTimeouts; }},
        {{"packet_hops", "", "link traversals of data and acknowledgment packets"},
         &RunReport::packetHops,
         [](const Source& source) { return source.fabric.packetHops; }},
        {{"events", "", "executed events, the same on any number of ranks"},
         &RunReport::events,
         [](const Source& source) { return source.events; }}};
    return counters;
}

} // namespace ns3::rdma
