// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_RATE_MAP_KEYS_H
#define RDMA_RATE_MAP_KEYS_H

#include "ns3/ecn-marker.h"
#include "ns3/json-value.h"
#include "ns3/keys.h"

#include <functional>
#include <map>

namespace ns3::rdma
{

/// Calls read(rate in bit/s, value) for each member of an object whose keys are link rates.
/// @throws InputError
void ForEachRate(const JsonValue& value,
                 const std::function<void(uint64_t, const JsonValue&)>& read);

/// Declares "ecn": marking thresholds by link rate.
/// @param isOff no rate marks
/// @param otherwise the default
void VisitEcn(Keys& keys, bool& isOff, std::map<uint64_t, EcnProfile>& ecn, const char* otherwise);

/// SONiC's dynamic_th is at most 2^7; a larger one leaves the whole memory to one queue. With 1 TiB
/// of free memory a threshold is below 2^61.
constexpr double MAX_ALPHA{1 << 20};

/// Declares "bufferAlpha" and "headroom", by link rate.
/// @return the second one
Key VisitBufferShares(Keys& keys,
                      std::map<uint64_t, double>& alpha,
                      std::map<uint64_t, uint64_t>& headroomBytes);

} // namespace ns3::rdma

#endif // RDMA_RATE_MAP_KEYS_H
