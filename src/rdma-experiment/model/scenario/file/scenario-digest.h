// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_SCENARIO_DIGEST_H
#define RDMA_SCENARIO_DIGEST_H

#include "ns3/scenario.h"

#include <map>
#include <string>

namespace ns3::rdma
{

/// What tells two scenarios apart that may differ in their NICs: runs are comparable if their
/// hashes are the same.
struct ScenarioDigest
{
    std::string hash; ///< Of the resolved scenario without its NICs, the files below included.
    std::map<std::string, std::string> files;   ///< Path, as the scenario has it, to content hash.
    std::map<std::string, std::string> shipped; ///< Name of a shipped file to its content hash.
};

/// @throws InputError if a file that the scenario names has become unreadable
ScenarioDigest MakeDigest(const Scenario& scenario);

} // namespace ns3::rdma

#endif // RDMA_SCENARIO_DIGEST_H
