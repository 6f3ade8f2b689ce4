// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RENAMED_NAMES_H
#define RDMA_RENAMED_NAMES_H

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rdma
{

/**
 * Names that users' scenarios and programs may still have: each use is an error that states the new
 * name.  Modules register theirs when they are loaded.
 * @param names former and present name of an attribute, in full, of a type or of a scenario's key
 * @return true, so that a constant can be initialized with it
 */
bool RegisterRenamed(const std::vector<std::pair<std::string, std::string>>& names);

/// @return the present name; nullopt if it is no former one.
std::optional<std::string> FindNewName(const std::string& former);

} // namespace ns3::rdma

#endif // RDMA_RENAMED_NAMES_H
