// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RENEWAL_KEYS_H
#define RDMA_RENEWAL_KEYS_H

#include "ns3/keys.h"

#include <cstdint>
#include <optional>

namespace ns3::rdma
{

/// Declares "renewal": the application makes queue pairs again that have failed. @param time in
/// ticks
void VisitRenewal(Keys& keys, std::optional<int64_t>& time);

} // namespace ns3::rdma

#endif // RDMA_RENEWAL_KEYS_H
