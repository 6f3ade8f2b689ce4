// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_KEY_LIST_H
#define RDMA_KEY_LIST_H

#include "ns3/keys.h"

#include <string>
#include <vector>

namespace ns3::rdma
{

/// A key as tables, completion and the schema show it.
struct KeyInfo
{
    std::string name;
    KeySpec spec;                 ///< With the values of an object that has its defaults.
    std::string otherwise;        ///< The default; empty: none.
    std::vector<KeyInfo> members; ///< Of an object, or of an element of a list; of a map, its one.
};

/// @param visit of an object with default values @return its keys in their order
std::vector<KeyInfo> ListKeys(const KeyVisit& visit);

/// @return "name", "type", "default", "meaning", bounds, "choices" and "keys" of each.
nlohmann::ordered_json DescribeKeys(const std::vector<KeyInfo>& keys);

} // namespace ns3::rdma

#endif // RDMA_KEY_LIST_H
