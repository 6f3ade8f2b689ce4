// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_GUARD_RUN_H
#define RDMA_GUARD_RUN_H

#include <cstdint>
#include <string>

namespace ns3::rdma
{

/// Work that the model does beyond its own, to show that the guard notices: see BusyDctcp.
struct ExtraWork
{
    uint32_t rounds{0}; ///< Of computing, per acknowledgment.
    uint32_t lines{0};  ///< Read from memory, per acknowledgment.
};

/// One short run that the guard measures or counts.
struct GuardRun
{
    bool isModel{true}; ///< The full model; else the bare loop.
    uint32_t servers{0};
    std::string duration; ///< Simulated time as scenarios write it.
    ExtraWork extraWork;  ///< Of the model.
};

/// What it did.
struct GuardRunResult
{
    uint64_t packetHops{0};
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
