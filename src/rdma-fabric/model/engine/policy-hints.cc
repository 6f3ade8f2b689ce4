// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/policy-hints.h"

namespace ns3::rdma
{

bool
PolicyHints::NeedsOnSent() const
{
    return true;
}

bool
PolicyHints::NeedsOnAck() const
{
    return true;
}

std::optional<uint32_t>
PolicyHints::GetLikely() const
{
    return std::nullopt;
}

} // namespace ns3::rdma
