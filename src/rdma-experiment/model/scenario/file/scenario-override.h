// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_SCENARIO_OVERRIDE_H
#define RDMA_SCENARIO_OVERRIDE_H

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ns3::rdma
{

/**
 * Changes one value of a scenario document.
 *
 * @param document changed in place; objects on the way that are missing are made
 * @param assignment "PATH=VALUE": the path as in error messages, with or without "$.", such as
 *        workload.load=0.5, workloads[1].size=1MB, nics[0]=irn or fabric.ecn["2.5Gbps"]=off; a
 * value that is no JSON is a string
 * @throws InputError
 */
void ApplyOverride(nlohmann::json& document, const std::string& assignment);

} // namespace ns3::rdma

#endif // RDMA_SCENARIO_OVERRIDE_H
