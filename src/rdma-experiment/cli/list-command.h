// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_LIST_COMMAND_H
#define RDMA_LIST_COMMAND_H

#include <string>
#include <vector>

namespace ns3::rdma
{

/// What "rocelab list" can list.
const std::vector<std::string>& GetListTopics();

/// Prints one topic, or all if it is empty.
void ListCommand(const std::string& topic);

} // namespace ns3::rdma

#endif // RDMA_LIST_COMMAND_H
