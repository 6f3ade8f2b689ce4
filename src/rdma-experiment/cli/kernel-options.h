// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_KERNEL_OPTIONS_H
#define RDMA_KERNEL_OPTIONS_H

#include "ns3/data-rate.h"
#include "ns3/object.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rdma
{

// Options that "rocelab tcp" and "rocelab udp" have in common. All throw an InputError that begins
// with the command.

/// @param text "512" or "64KiB"; empty: usual @param limit as the message says it
/// @return bytes of a message, 1 to most
uint64_t ReadMessageBytes(const std::string& command,
                          const std::string& text,
                          uint64_t usual,
                          uint64_t most,
                          const std::string& limit);

DataRate ReadLinkRate(const std::string& command, const std::string& text);

/// Sets attributes. @param settings NAME=VALUE, with or without the name of the type
/// @param objects that have them; the first one's type is meant where none is named
void ApplySettings(const std::string& command,
                   const std::vector<std::string>& settings,
                   const std::vector<Ptr<Object>>& objects);

} // namespace ns3::rdma

#endif // RDMA_KERNEL_OPTIONS_H
