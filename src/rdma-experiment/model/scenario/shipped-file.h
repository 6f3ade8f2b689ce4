// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SHIPPED_FILE_H
#define RDMA_SHIPPED_FILE_H

#include "ns3/scenario.h"

#include <string>
#include <vector>

namespace ns3::rdma
{

/// @param extension as ".cdf" @return the names, without extension, of the files of the folder
/// traces/ that the program is shipped with, sorted; none if there is no such folder.
std::vector<std::string> ListShippedFiles(const std::string& extension);

/// @return the path of such a file.
std::string GetShippedPath(const std::string& name, const std::string& extension);

/// @return whether a value can only be a name of ListShippedFiles(): it looks like no path, and
/// there is no such file.
bool IsShippedName(const Scenario& scenario, const std::string& value);

/// As FindFile(), of a path or, if there is no such file, of a name of ListShippedFiles().
std::string FindFileOrShipped(const Scenario& scenario,
                              const std::string& value,
                              const std::string& extension,
                              const std::string& jsonPath);

} // namespace ns3::rdma

#endif // RDMA_SHIPPED_FILE_H
