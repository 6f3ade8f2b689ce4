// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/queue-pair-room.h"

#include "ns3/input-error.h"
#include "ns3/rdma-nic.h"
#include "ns3/run-design.h"

namespace ns3::rdma
{

namespace
{
void
CheckDesign(const std::string& subject,
            const Scenario& scenario,
            const DesignSpec& spec,
            uint32_t queuePairs)
{
    const uint32_t most = RdmaNic::GetQueuePairLimit(MakeNicDesign(scenario, spec)).most;
    if (queuePairs > most)
    {
        throw InputError(subject + ": expected at most " + std::to_string(most) + ", which " +
                         spec.preset + " has room for, got " + std::to_string(queuePairs));
    }
}
} // namespace

void
CheckQueuePairRoom(const std::string& program,
                   const std::string& option,
                   const Scenario& scenario,
                   uint32_t queuePairs)
{
    const std::string subject = program + ": " + option;
    const NicSpec& nic = scenario.nics.front();
    CheckDesign(subject, scenario, nic, queuePairs);
    for (const auto& [name, spec] : nic.groups)
    {
        CheckDesign(subject, scenario, spec, queuePairs);
    }
}

} // namespace ns3::rdma
