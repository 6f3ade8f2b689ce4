// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SCENARIO_FILE_H
#define RDMA_SCENARIO_FILE_H

#include "ns3/input-error.h"
#include "ns3/scenario.h"

#include <string>

namespace ns3::rdma
{

/// A path of the scenario for the operating system: relative paths start at the base.
std::string ResolvePath(const Scenario& scenario, const std::string& path);

/// The path to open. @throws InputError naming the JSON path if there is no file to read.
std::string FindFile(const Scenario& scenario,
                     const std::string& path,
                     const std::string& jsonPath);

/// Calls make(), and adds to an InputError of it where it comes from. @param file of the JSON text;
/// @param place as "$.workload: "
template <typename Make>
auto
AtPlace(const std::string& file, const std::string& place, const Make& make)
{
    try
    {
        return make();
    }
    catch (const InputError& error)
    {
        throw InputError(file + ": " + place + error.what());
    }
}

} // namespace ns3::rdma

#endif // RDMA_SCENARIO_FILE_H
