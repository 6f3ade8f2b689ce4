// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/scenario-file.h"

#include <filesystem>

namespace ns3::rdma
{

std::string
ResolvePath(const Scenario& scenario, const std::string& path)
{
    return (std::filesystem::path(scenario.baseDirectory) / path).lexically_normal().string();
}

std::string
FindFile(const Scenario& scenario, const std::string& path, const std::string& jsonPath)
{
    const std::string resolved = ResolvePath(scenario, path);
    std::error_code ignored;
    if (!std::filesystem::exists(resolved, ignored))
    {
        throw InputError(scenario.file + ": " + jsonPath +
                         ": expected a file beside the scenario file or an absolute path, got \"" +
                         path + "\", and there is no " + resolved);
    }
    return resolved;
}

} // namespace ns3::rdma
