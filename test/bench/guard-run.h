// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_GUARD_RUN_H
#define RDMA_GUARD_RUN_H

#include <cstdint>
#include <string>

namespace ns3::rdma
{

/// Needless work of the model; with it the guard must fail: see BusyCongestion.
struct ExtraWork
{
    uint32_t rounds{0};     ///< Of computing, per acknowledgment.
    uint32_t lines{0};      ///< Read from memory, per acknowledgment.
    uint32_t flowRounds{0}; ///< Of computing, per flow.

    bool IsNone() const
    {
        return rounds == 0 && lines == 0 && flowRounds == 0;
    }
};

/// What a run of the guard simulates.
struct GuardTraffic
{
    std::string nic{"srnic"}; ///< Preset; the fabric has PFC.
    bool isHardwareTimed{false};
    double load{0.7};
    bool hasOnePacketFlows{false}; ///< And runs to the last flow; else Cache_Follower.
};

/// One short run that the guard measures or counts.
struct GuardRun
{
    bool isModel{true}; ///< The full model; else the bare loop, at a load of 0.7.
    uint32_t servers{0};
    std::string duration; ///< Simulated time, or time of arrivals, as scenarios write it.
    ExtraWork extraWork;  ///< Of the model.
    GuardTraffic traffic; ///< Of the model.
};

/// What it did.
struct GuardRunResult
{
    uint64_t packetHops{0};
    uint64_t flows{0};
    double seconds{0}; ///< Of processor time, without the start.
};

/**
 * Runs it in this process.
 *
 * @throws InputError if there is no such fat-tree
 * @throws std::runtime_error if invariants are broken
 */
GuardRunResult RunOnce(const GuardRun& run);

} // namespace ns3::rdma

#endif // RDMA_GUARD_RUN_H
