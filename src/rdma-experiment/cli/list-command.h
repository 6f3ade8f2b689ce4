// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_LIST_COMMAND_H
#define RDMA_LIST_COMMAND_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// What the user gave to "rocelab list".
struct ListRequest
{
    std::string topic;                  ///< Empty: all that need no NIC.
    std::string nic;                    ///< Preset, for topics that are about one.
    std::optional<uint32_t> bytes;      ///< Payload of the packet that "pipeline" is about; 64.
    std::optional<uint32_t> queuePairs; ///< That "memory" is about; as published if unset.
    std::string services;               ///< In slots of the NIC that "resources" is about.
    std::optional<uint32_t> tlbEntries; ///< That "resources" is about; as published if unset.
    std::optional<uint32_t> busBytes;   ///< Likewise.
    bool hasJson{false};                ///< Instead of a table, for topics that are about a NIC.
};

/// What "rocelab list" can list.
const std::vector<std::string>& GetListTopics();

/// Prints one topic, or all if it is empty. @throws InputError
void ListCommand(const ListRequest& request);

} // namespace ns3::rdma

#endif // RDMA_LIST_COMMAND_H
