// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_MACHINE_KEYS_H
#define RDMA_MACHINE_KEYS_H

#include "ns3/json-value.h"

#include <map>
#include <string>

namespace ns3::rdma
{

/// Of the files with machines that the program is shipped with.
inline constexpr const char* MACHINE_EXTENSION{".machine"};

/**
 * Reads a machine: the server that a NIC is in, as a JSON file with "source", where the values come
 * from, and "attributes" of PcieLink, HostCpu and GpuPath by full name.
 *
 * @param value the name of a shipped machine, or a path: absolute, or relative to the folder of the
 * file that the value is in
 * @return the attributes @throws InputError with the value's place, or that of a fault in the file
 */
std::map<std::string, std::string> ReadMachine(const JsonValue& value);

} // namespace ns3::rdma

#endif // RDMA_MACHINE_KEYS_H
