// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_CHANNEL_MEMORY_H
#define FPGA_CHANNEL_MEMORY_H

#include "ns3/data-rate.h"
#include "ns3/host-memory.h"
#include "ns3/object.h"
#include "ns3/tick.h"

#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/// Counts of a card's memory.
struct ChannelMemoryStats
{
    uint64_t accesses{0}; ///< Bursts on a channel.
    uint64_t bytes{0};
    uint64_t waits{0}; ///< Bursts that found their channel busy.
};

/**
 * @ingroup fpga-memory
 * @brief Memory on the card with real bytes, DRAM or HBM: channels between which addresses
 * alternate.
 *
 * A timeline: each channel carries its bursts one after the other, in the order of the calls, at
 * its own bandwidth; an access ends a latency after its last burst has been carried.
 *
 * Not modelled: banks, rows and refresh (they are in the latency and in the usable bandwidth), the
 * difference between reading and writing.
 */
class ChannelMemory : public Object
{
  public:
    static TypeId GetTypeId();
    ChannelMemory();

    /// @return whether all of it is on the card. @param bytes at least 1
    bool Contains(uint64_t address, uint64_t bytes) const;

    /// Takes the channels' time. @param now never before an earlier call's; @param earliest not
    /// before now; @param bytes at least 1, all of them on the card
    /// @return when all are read, or written
    Tick Access(Tick now, Tick earliest, uint64_t address, uint32_t bytes);

    HostMemory& GetBytes()
    {
        return *m_bytes;
    }

    const ChannelMemoryStats& GetStats() const
    {
        return m_stats;
    }

  private:
    uint32_t m_channels{0};
    uint32_t m_interleave{0};
    uint64_t m_capacity{0};
    DataRate m_channelRate;
    Time m_latency;

    SerializationRate m_rate; ///< Of m_channelRate, from the first access on.
    std::vector<Tick> m_free; ///< When each channel is; empty before the first access.
    Ptr<HostMemory> m_bytes;
    ChannelMemoryStats m_stats;
};

} // namespace ns3::rdma

#endif // FPGA_CHANNEL_MEMORY_H
