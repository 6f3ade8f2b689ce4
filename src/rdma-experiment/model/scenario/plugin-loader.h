// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_PLUGIN_LOADER_H
#define RDMA_PLUGIN_LOADER_H

#include <string>
#include <vector>

namespace ns3::rdma
{

/**
 * Loads the shared libraries of --plugin for good; the types they register can be named from then
 * on.
 * @throws InputError if one cannot be loaded
 */
void LoadPlugins(const std::vector<std::string>& paths);

/// The same for one. @param place where it is named, for messages
void LoadPlugin(const std::string& path, const std::string& place);

} // namespace ns3::rdma

#endif // RDMA_PLUGIN_LOADER_H
