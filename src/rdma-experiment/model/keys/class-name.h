// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_CLASS_NAME_H
#define RDMA_CLASS_NAME_H

#include "ns3/json-value.h"

#include <string>

namespace ns3::rdma
{

/// For messages about unknown types.
inline const std::string PLUGIN_HINT{"; types of a plug-in need --plugin FILE"};

/**
 * Reads the name of a type that can be made and is derived from base.
 * @throws InputError naming the nearest types
 */
std::string ReadTypeName(const JsonValue& value, const std::string& base);

} // namespace ns3::rdma

#endif // RDMA_CLASS_NAME_H
