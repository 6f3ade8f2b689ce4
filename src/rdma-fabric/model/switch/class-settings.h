// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_CLASS_SETTINGS_H
#define RDMA_CLASS_SETTINGS_H

#include "ns3/egress-scheduler.h"
#include "ns3/marking-policy.h"

#include <array>
#include <map>
#include <optional>

namespace ns3::rdma
{

/// Settings of a traffic class at all ports of a fabric. A value that is not set is that of the
/// fabric, which holds for all classes.
struct ClassSettings
{
    std::optional<bool> isLossless;           ///< PFC, reserve and headroom.
    std::optional<uint64_t> reserveBytes;     ///< Of each ingress queue of a switch.
    bool isUnmarked{false};                   ///< No link rate that is not in ecn marks.
    std::map<uint64_t, EcnProfile> ecn;       ///< By link rate, bit/s.
    std::map<uint64_t, double> alpha;         ///< By link rate.
    std::map<uint64_t, uint64_t> headroom;    ///< Bytes, by link rate.
    std::optional<uint32_t> pool;             ///< In the pools of the fabric; unset: the rest.
    std::optional<uint64_t> egressLimitBytes; ///< Longest queue at an egress port.
    std::optional<double> egressAlpha;        ///< The same, relative to the pool's free memory.
    std::optional<MarkingPoint> markingPoint; ///< Of RedMarking.
    std::optional<TypeId> markingPolicy;

    /// @return whether the class has a MarkingPolicy of its own.
    bool HasMarking() const
    {
        return isUnmarked || !ecn.empty() || markingPoint || markingPolicy;
    }
};

using ClassTable = std::array<ClassSettings, PRIORITIES>;

} // namespace ns3::rdma

#endif // RDMA_CLASS_SETTINGS_H
