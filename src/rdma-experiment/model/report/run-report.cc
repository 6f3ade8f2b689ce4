// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/run-report.h"

namespace ns3::rdma
{

const char*
GetFlowStatusName(FlowStatus status)
{
    constexpr const char* NAMES[]{"completed", "failed", "stalled", "unfinished"};
    return NAMES[static_cast<size_t>(status)];
}

const std::vector<RunCounter>&
GetRunCounters()
{
    static const std::vector<RunCounter> counters{
        {"fabric_drops", &RunReport::fabricDrops},
        {"nic_discards", &RunReport::nicDiscards},
        {"trims", &RunReport::trims},
        {"last_hop_trims", &RunReport::lastHopTrims},
        {"trimmed_drops", &RunReport::trimmedDrops},
        {"ecn_marks", &RunReport::ecnMarks},
        {"pfc_pauses", &RunReport::pfcPauses},
        {"cnps", &RunReport::cnps},
        {"retransmitted", &RunReport::retransmitted},
        {"timeouts", &RunReport::timeouts},
        {"resending_timeouts", &RunReport::resendingTimeouts},
        {"packet_hops", &RunReport::packetHops},
        {"events", &RunReport::events}};
    return counters;
}

} // namespace ns3::rdma
