// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_CHECK_COMMAND_H
#define RDMA_CHECK_COMMAND_H

#include "ns3/scenario-reader.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// What the user gave to "rocelab check".
struct CheckCommandOptions
{
    uint32_t ranks{1};           ///< That the fabric has to be divisible among.
    bool hasCost{false};         ///< Print what the runs will cost, too.
    bool hasPoints{false};       ///< Of a sweep: see CheckPoints().
    std::vector<uint64_t> seeds; ///< Of the runs that are to be estimated; none: the scenario's.
};

/**
 * Reads points of a sweep from the standard input, one by one, and answers each with a line.
 *
 * The first line is the text of the scenario as a JSON string. Each line after it is a point,
 * {"sets": ["PATH=VALUE", ...], "ranks": 1}. An answer is what CheckCommand() prints with hasCost,
 * on one line, or {"error": "what it throws"}.
 *
 * @param scenario what messages call it
 * @throws InputError of a line that is none of these
 */
void CheckPoints(const std::string& scenario,
                 ScenarioChanges changes,
                 const CheckCommandOptions& options);

/**
 * Reads a scenario and prints it resolved, as JSON. With hasCost this is the member "scenario" of
 * an object; "files" has a hash of what is in each file that it names, and "costs" the estimated
 * cost of the run of each NIC with each seed.
 *
 * @throws InputError
 */
void CheckCommand(const std::string& scenario,
                  const ScenarioChanges& changes,
                  const CheckCommandOptions& options);

} // namespace ns3::rdma

#endif // RDMA_CHECK_COMMAND_H
