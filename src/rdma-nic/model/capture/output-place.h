// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_OUTPUT_PLACE_H
#define RDMA_OUTPUT_PLACE_H

#include <filesystem>

namespace ns3::rdma
{

/**
 * Follows a symbolic link, and the links that it points to, to the final path. The file system
 * resolves links in the folders above.
 *
 * @param path may not exist
 * @return the end, which may not exist; the link itself if the links form a loop
 */
std::filesystem::path FollowLinks(const std::filesystem::path& path);

/// @return whether a file may be written under another name and renamed to `path`: `path` does not
/// exist or is a regular file. A device, a pipe or a link would be replaced.
bool IsReplaceable(const std::filesystem::path& path);

} // namespace ns3::rdma

#endif // RDMA_OUTPUT_PLACE_H
