// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_NCCL_CHANNELS_H
#define RDMA_NCCL_CHANNELS_H

#include <cstdint>
#include <optional>

namespace ns3::rdma
{

/// Rings that NCCL's topology search finds.
struct NcclRings
{
    uint32_t channels; ///< At least 1.
    double speedGBps;  ///< Of each, a class of speeds, in 10^9 bytes per second.
};

/// Channels of point-to-point operations, both powers of two.
struct NcclPeerChannels
{
    uint32_t all{1};
    uint32_t perPeer{1}; ///< Over which a message to one peer is spread at most.
};

/// What a user sets of NcclPeerChannels.
struct NcclPeerSettings
{
    std::optional<uint32_t> perPeer;  ///< NCCL_NCHANNELS_PER_NET_PEER, at least 1.
    std::optional<uint32_t> maxPeers; ///< NCCL_P2P_MAX_PEERS, at least 1; unset: all ranks.
};

/**
 * @return the rings of a communicator with one Hopper GPU per server.
 *
 * The search takes the class of speeds that gives the largest sum, then doubles fast rings.  The
 * GPU's path to a NIC is taken to be as fast as the NIC.  At 400 Gb/s: 2 rings of 24 GB/s.
 *
 * Source: NCCL 2.30 (commit 5067397), src/graph/search.cc, ncclTopoCompute().
 *
 * @param linkGBps rate of a NIC, above 0.12 @param nics of a rank, at least 1
 */
NcclRings FindNcclRings(double linkGBps, uint32_t nics = 1);

/// @return the channels that NCCL makes of its rings (NCCL 2.30, src/graph/connect.cc).
uint32_t CountNcclChannels(const NcclRings& rings);

/**
 * @return the channels of send and receive operations between servers.
 *
 * A peer has a channel per NIC, and one for each 14 GB/s of the NICs.  This number is halved until
 * the peers, 8 to a channel, have room in all channels; a set number is not halved.
 *
 * Source: NCCL 2.30 (commit 5067397), src/graph/paths.cc, ncclTopoComputeP2pChannels(); the same
 * in 2.29.2 but for NCCL_P2P_MAX_PEERS.
 *
 * @param linkGBps rate of a NIC @param nics of a rank @param ranks of the communicator
 */
NcclPeerChannels FindNcclPeerChannels(double linkGBps,
                                      uint32_t nics,
                                      uint32_t ranks,
                                      const NcclPeerSettings& settings = {});

/**
 * @return channels over which a message is spread: as many as leave at least half a chunk for each.
 *
 * Source: NCCL 2.30 (commit 5067397), src/enqueue.cc, addP2pToPlan().
 *
 * @param chunk NCCL_P2P_NET_CHUNKSIZE
 */
uint32_t CountNcclParts(uint64_t bytes, uint32_t perPeer, uint64_t chunk);

/// @return bytes of the pieces of a message: a chunk; half of it below 8 chunks, a quarter below
/// one (same source).
uint64_t GetNcclPieceBytes(uint64_t bytes, uint64_t chunk);

} // namespace ns3::rdma

#endif // RDMA_NCCL_CHANNELS_H
