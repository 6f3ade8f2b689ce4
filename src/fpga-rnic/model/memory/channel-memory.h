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
 * @brief Memory on the card, DRAM or HBM, with real bytes and addresses interleaved over channels.
 *
 * Each channel transfers its bursts one after the other, in the order of the calls, at its own
 * bandwidth.  An access completes one latency after the end of its last burst.
 *
 * Not modelled: banks, rows and refresh (they are included in the latency and in the usable
 * bandwidth); the difference between reads and writes.
 */
class ChannelMemory : public Object
{
  public:
    static TypeId GetTypeId();
    ChannelMemory();

    /// @param bytes at least 1
    /// @return whether the whole range is on the card.
    bool Contains(uint64_t address, uint64_t bytes) const;

    /// Occupies the channels.
    /// @param now not before that of an earlier call
    /// @param earliest start of the access, not before now
    /// @param bytes at least 1, all on the card
    /// @return when all bytes are read or written
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

    SerializationRate m_rate; ///< Set from m_channelRate by the first access.
    std::vector<Tick> m_free; ///< When each channel is idle; empty before the first access.
    Ptr<HostMemory> m_bytes;
    ChannelMemoryStats m_stats;
};

} // namespace ns3::rdma

#endif // FPGA_CHANNEL_MEMORY_H
