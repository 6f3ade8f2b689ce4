// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_NAME_SUGGESTION_H
#define RDMA_NAME_SUGGESTION_H

#include <string>
#include <string_view>
#include <vector>

namespace ns3::rdma
{

/// Fewest single-character insertions, deletions and replacements from one text to the other,
/// upper and lower case taken as equal.
size_t GetEditDistance(std::string_view a, std::string_view b);

/**
 * The names that a wrong name may stand for, nearest first, at most three; names further away than
 * the best one plus one are left out.
 */
std::vector<std::string> FindNearestNames(std::string_view wrong,
                                          const std::vector<std::string>& names);

/// "nearest: a, b or c" for a message, or "there are none".
std::string DescribeNearest(std::string_view wrong, const std::vector<std::string>& names);

/// "a, b or c"; empty for no names.
std::string JoinNames(const std::vector<std::string>& names);

} // namespace ns3::rdma

#endif // RDMA_NAME_SUGGESTION_H
