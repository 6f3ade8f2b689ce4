// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_KEY_TABLE_H
#define RDMA_KEY_TABLE_H

#include "ns3/key-list.h"

#include <ostream>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// Prints a line per key: name, type, meaning and default; keys of an object below it.
void PrintKeys(std::ostream& out,
               const std::vector<KeyInfo>& keys,
               const std::string& indent = "  ");

} // namespace ns3::rdma

#endif // RDMA_KEY_TABLE_H
