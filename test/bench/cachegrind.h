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

/// What Cachegrind simulates: fewer events take less time.
enum class CountedEvents
{
    ALL,
    INSTRUCTIONS, ///< The other counts are 0.
};

/// A program and its arguments, to be counted.
struct CountedProgram
{
    std::vector<std::string> arguments; ///< The program first.
    CountedEvents events{CountedEvents::ALL};
};

/// A program's counts and what it wrote to standard output.
struct SimulatedRun
{
    SimulatedCounts counts;
    std::string output;
};

/**
 * @param text of an output file of Cachegrind
 * @param events that were simulated
 * @throws std::runtime_error if the counts are not in it
 */
SimulatedCounts ParseCachegrind(const std::string& text, CountedEvents events);

/**
 * Runs a program under Cachegrind (Debian package valgrind), with the caches of one core: 32 KiB of
 * L1, 1 MiB of L2.  Other programs, the machine's own caches and the environment do not matter: the
 * same program counts the same to a few instructions.
 *
 * @throws std::runtime_error if valgrind is absent or the program fails
 */
SimulatedRun RunUnderCachegrind(const CountedProgram& program);

/**
 * Runs programs under Cachegrind, two at a time.  Put the longest first.
 *
 * @return their counts, in the order of the programs
 * @throws std::runtime_error if valgrind is absent or a program fails
 */
std::vector<SimulatedRun> RunAllUnderCachegrind(const std::vector<CountedProgram>& programs);

} // namespace ns3::rdma

#endif // RDMA_CACHEGRIND_H
