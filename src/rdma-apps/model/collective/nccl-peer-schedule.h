// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_NCCL_PEER_SCHEDULE_H
#define RDMA_NCCL_PEER_SCHEDULE_H

#include "ns3/nccl-channels.h"

#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/// A part of a round's message, with a queue pair of its own.
struct NcclLane
{
    uint32_t round;               ///< From 1; in round 0 a rank copies its own part.
    uint32_t part;                ///< Of the message.
    uint32_t channel;             ///< That carries it.
    uint32_t batch;               ///< Of the channel, from 0. One batch follows the other.
    uint32_t slots;               ///< Pieces in flight at most.
    uint32_t sendWarps;           ///< That copy from the user's buffer.
    uint32_t receiveWarps;        ///< That copy to the user's buffer.
    std::vector<uint32_t> before; ///< Lanes of the batch before, by number.
    std::vector<uint32_t> after;  ///< Lanes of the batch after.
};

/**
 * @ingroup rdma-collective
 * @brief The channels, batches and warps of a rank's point-to-point operations in NCCL 2.30.
 *
 * All ranks have one schedule.  Round r sends to one rank and receives from another; its parts are
 * on adjacent channels from the reversed bits of r on.  A channel is a thread block of 20 warps.
 * It works on batches of at most 8 rounds, all of one group of 8 rounds, one batch after the other.
 * The rounds of a batch share the warps: half of them send and half receive.  They share 16
 * buffers, too; a lane has 8 of them at most.
 *
 * Source: NCCL 2.30 (commit 5067397): src/include/channel.h (channels), src/enqueue.cc (batches),
 * src/device/sendrecv.h and prims_simple.h (warps), src/transport/net.cc (buffers); one rank per
 * server.
 *
 * Not modelled: warps that idle after their round; the copy of the own part, whose warps count.
 */
class NcclPeerSchedule
{
  public:
    /// Warps that copy where a round has the block for itself, to send and to receive alike.
    static constexpr uint32_t ALL_WARPS{9};

    /// @param channels of all operations, a power of two @param parts of a message, at most so many
    /// @param rounds behind round 0 @param hasOwn whether round 0 has work, as in an all-to-all
    NcclPeerSchedule(uint32_t channels, uint32_t parts, uint32_t rounds, bool hasOwn);

    uint32_t GetParts() const
    {
        return m_parts;
    }

    /// @return the lanes of a rank: (round - 1) * parts + part.
    const std::vector<NcclLane>& GetLanes() const
    {
        return m_lanes;
    }

  private:
    uint32_t m_parts;
    std::vector<NcclLane> m_lanes;
};

} // namespace ns3::rdma

#endif // RDMA_NCCL_PEER_SCHEDULE_H
