// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_BARE_LOOP_RUN_H
#define RDMA_BARE_LOOP_RUN_H

#include "bare-loop.h"

#include <cstdint>
#include <string>

namespace ns3::rdma
{

/// What one run of the bare loop took.
struct BareLoopMeasurement
{
    BareLoopResult result;
    double runSeconds{0}; ///< Processor time of BareLoop::Run().

    double GetHopRate() const
    {
        return static_cast<double>(result.packetHops) / runSeconds;
    }
};

/// @return the fat-tree that scenarios of that size have.
BareLoopShape MakeBareLoopShape(uint32_t servers);

/**
 * Runs the bare loop with the flows of the benchmark's scenarios: Cache_Follower at 0.7, seed 1.
 *
 * @param duration simulated time as scenarios write it
 * @throws InputError if there is no fat-tree of that size
 */
BareLoopMeasurement MeasureBareLoop(uint32_t servers,
                                    const std::string& duration,
                                    bool hasSwitchModel);

} // namespace ns3::rdma

#endif // RDMA_BARE_LOOP_RUN_H
