// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_GUARD_MEASUREMENT_H
#define RDMA_GUARD_MEASUREMENT_H

#include "guard-run.h"
#include "speed-guard.h"

#include <functional>

namespace ns3::rdma
{

/**
 * Measures the full model and the bare loop in turn, both at 1024 servers, each run in a process of
 * its own.
 *
 * @param isQuick one short pair at 64 servers: for tests
 * @param isEnough of the pairs so far; asked from the third one on, and 8 are made at most
 */
GuardRates MeasureGuardRates(bool isQuick,
                             const ExtraWork& extraWork,
                             const std::function<bool(const GuardRates&)>& isEnough);

/// @return when, where and with which compiler the caller runs.
SpeedGuard::Origin GetOrigin();

} // namespace ns3::rdma

#endif // RDMA_GUARD_MEASUREMENT_H
