// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_CACHEGRIND_H
#define RDMA_CACHEGRIND_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// What a program did on the processor that Cachegrind simulates.
struct SimulatedCounts
{
    uint64_t instructions{0};
    uint64_t l1Misses{0}; ///< Of data.
    uint64_t l2Misses{0}; ///< Of data that miss in L1 as well.
    uint64_t mispredictions{0};
};

/// A program's counts and what it wrote to standard output.
struct SimulatedRun
{
    SimulatedCounts counts;
    std::string output;
};

/**
 * @param text of an output file of Cachegrind, with caches and branches simulated
 * @throws std::runtime_error if the counts are not in it
 */
SimulatedCounts ParseCachegrind(const std::string& text);

/**
 * Runs a program under Cachegrind (Debian package valgrind), with the caches of one core: 32 KiB of
 * L1, 1 MiB of L2.  Other programs, the machine's own caches and the environment do not matter: the
 * same program counts the same to a few instructions.
 *
 * @param arguments the program first
 * @throws std::runtime_error if valgrind is absent or the program fails
 */
SimulatedRun RunUnderCachegrind(const std::vector<std::string>& arguments);

} // namespace ns3::rdma

#endif // RDMA_CACHEGRIND_H
