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
 * Registers former names that scenarios and programs of users may contain. Each use of one is an
 * error that states the new name.  Modules register their names when they are loaded.
 * @param names pairs of former and present name: full names of attributes, names of types, or keys
 * of scenarios
 * @return true, so that a constant can be initialized with it
 */
bool RegisterRenamed(const std::vector<std::pair<std::string, std::string>>& names);

/// @return the present name; nullopt if the given name was not registered as former.
std::optional<std::string> FindNewName(const std::string& former);

} // namespace ns3::rdma

#endif // RDMA_RENAMED_NAMES_H
