// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kv-access.h"

namespace ns3::rdma
{

std::string
ToString(KvStatus status)
{
    switch (status)
    {
    case KvStatus::OK:
        return "ok";
    case KvStatus::NOT_FOUND:
        return "not found";
    case KvStatus::NO_MEMORY:
        return "no memory";
    case KvStatus::KEY_EMPTY:
        return "key empty";
    case KvStatus::KEY_TOO_LONG:
        return "key too long";
    case KvStatus::VALUE_TOO_LONG:
        return "value too long";
    case KvStatus::NO_FUNCTION:
        return "no function";
    case KvStatus::BAD_OPERAND:
        return "bad operand";
    case KvStatus::MALFORMED:
        return "malformed";
    case KvStatus::COUNT:
        break;
    }
    return "unknown status";
}

} // namespace ns3::rdma
