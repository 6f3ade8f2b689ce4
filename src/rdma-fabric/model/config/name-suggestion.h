// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_NAME_SUGGESTION_H
#define RDMA_NAME_SUGGESTION_H

#include <string>
#include <string_view>
#include <vector>

namespace ns3::rdma
{

/// @return the fewest single-character insertions, deletions and replacements that turn one text
/// into the other; case is ignored.
size_t GetEditDistance(std::string_view a, std::string_view b);

/**
 * @return at most three names that a wrong name may stand for, nearest first, by edit distance. If
 * no name is one edit away, names that it abbreviates ("cx6": "connectx6") exclude all others.
 */
std::vector<std::string> FindNearestNames(std::string_view wrong,
                                          const std::vector<std::string>& names);

/// @return "nearest: a, b or c" for a message, or "there are none".
std::string DescribeNearest(std::string_view wrong, const std::vector<std::string>& names);

/// @return "a, b or c"; empty if there are no names.
std::string JoinNames(const std::vector<std::string>& names);

} // namespace ns3::rdma

#endif // RDMA_NAME_SUGGESTION_H
