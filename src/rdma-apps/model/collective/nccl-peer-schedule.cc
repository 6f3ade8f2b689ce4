// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/nccl-peer-schedule.h"

#include <algorithm>
#include <cstddef>

namespace ns3::rdma
{

namespace
{

constexpr uint32_t ROUNDS_OF_BATCH{8};  ///< NCCL_MAX_DEV_WORK_P2P_PER_BATCH.
constexpr uint32_t WARPS{20};           ///< NCCL_MAX_NTHREADS / 32.
constexpr uint32_t FEW_WARPS{4};        ///< Of a round: no warp more to send than to receive.
constexpr uint32_t WARPS_WITH_EXTRA{3}; ///< NCCL_SIMPLE_EXTRA_GROUP_IF_NTHREADS_GE / 32.
constexpr uint32_t BUFFERS{16};         ///< NCCL_SHARED_STEPS.
constexpr uint32_t MOST_SLOTS{8};       ///< NCCL_STEPS.

/// Rounds at work in a batch of a channel.
struct Batch
{
    uint32_t group{0};           ///< Of 8 rounds.
    uint32_t rounds{0};          ///< The own part counts.
    std::vector<uint32_t> lanes; ///< By number.
};

/// @param channels a power of two
uint32_t
ReverseBits(uint32_t number, uint32_t channels)
{
    uint32_t reversed = 0;
    for (uint32_t bit = 1; bit < channels; bit *= 2)
    {
        reversed = 2 * reversed + (number & bit ? 1 : 0);
    }
    return reversed;
}

} // namespace

NcclPeerSchedule::NcclPeerSchedule(uint32_t channels, uint32_t parts, uint32_t rounds, bool hasOwn)
    : m_parts(parts)
{
    std::vector<std::vector<Batch>> batches(channels);
    for (uint32_t round = hasOwn ? 0 : 1; round <= rounds; ++round)
    {
        for (uint32_t part = 0; part < parts; ++part)
        {
            const uint32_t channel = (ReverseBits(round, channels) + part) % channels;
            std::vector<Batch>& list = batches[channel];
            const uint32_t group = round / ROUNDS_OF_BATCH;
            if (list.empty() || list.back().group != group || list.back().rounds == ROUNDS_OF_BATCH)
            {
                list.push_back({group, 0, {}});
            }
            ++list.back().rounds;
            if (round > 0)
            {
                list.back().lanes.push_back(static_cast<uint32_t>(m_lanes.size()));
                const auto batch = static_cast<uint32_t>(list.size() - 1);
                m_lanes.push_back({round, part, channel, batch, 0, 0, 0, {}, {}});
            }
        }
    }
    for (const std::vector<Batch>& list : batches)
    {
        for (std::size_t number = 0; number < list.size(); ++number)
        {
            const Batch& batch = list[number];
            const uint32_t warps = WARPS / batch.rounds;
            const uint32_t receive = warps <= FEW_WARPS ? warps / 2 : (warps - 1) / 2;
            const uint32_t send = warps <= FEW_WARPS ? receive : receive + 1;
            const auto lanes = static_cast<uint32_t>(batch.lanes.size());
            for (const uint32_t lane : batch.lanes)
            {
                NcclLane& one = m_lanes[lane];
                one.slots = std::min(MOST_SLOTS, BUFFERS / lanes);
                one.sendWarps = send >= WARPS_WITH_EXTRA ? send - 1 : send;
                one.receiveWarps = receive;
                one.before = number > 0 ? list[number - 1].lanes : std::vector<uint32_t>{};
                one.after =
                    number + 1 < list.size() ? list[number + 1].lanes : std::vector<uint32_t>{};
            }
        }
    }
}

} // namespace ns3::rdma
