// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/gpu-check.h"

#include "ns3/gpu-bytes.h"
#include "ns3/input-error.h"
#include "ns3/run-design.h"

namespace ns3::rdma
{

void
CheckGpus(const Scenario& scenario,
          const std::set<uint32_t>& servers,
          const std::string& path,
          uint64_t bytes)
{
    for (const NicSpec& nic : scenario.nics)
    {
        std::set<const DesignSpec*> known; // Looked up, not iterated.
        for (const uint32_t server : servers)
        {
            const DesignSpec* const spec = FindDesign(scenario, nic, server);
            if (!spec || !known.insert(spec).second)
            {
                continue;
            }
            const uint64_t there = GetGpuBytes(MakeNicDesign(scenario, *spec));
            const std::string place =
                " in \"" + nic.name + "\" at server " + std::to_string(server);
            if (there == 0)
            {
                throw InputError(scenario.file + ": " + path +
                                 ".memory: expected \"host\", or receivers with a GPU "
                                 "(\"hardware\" on, ns3::rdma::GpuPath::BarBytes above 0), got "
                                 "none" +
                                 place);
            }
            if (there < bytes)
            {
                throw InputError(scenario.file + ": " + path + ".gpuMemory: expected at most the " +
                                 std::to_string(there) + " bytes of ns3::rdma::GpuPath::BarBytes" +
                                 place + ", got " + std::to_string(bytes));
            }
        }
    }
}

} // namespace ns3::rdma
