// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/channel-memory.h"

#include "ns3/assert.h"
#include "ns3/type-attributes.h"

#include <algorithm>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(ChannelMemory);

TypeId
ChannelMemory::GetTypeId()
{
    static TypeId tid =
        TypeAttributes::Of<ChannelMemory, Object>("ns3::rdma::ChannelMemory", "FpgaRnic")
            .Add(
                "Channels",
                Member(&ChannelMemory::m_channels, 2, 1, 64),
                "Memory channels that work in parallel (2: fpgasystems/davos, DDR of StRoM's card)")
            .Add("Interleave",
                 Member(&ChannelMemory::m_interleave, 1024, 64, 1 << 30),
                 "Bytes on one channel before the next one (1024: the DDR stripe of "
                 "fpgasystems/Coyote)")
            .Add("Capacity",
                 Member(&ChannelMemory::m_capacity, uint64_t{16} << 30, 64),
                 "Bytes of all channels (16 GiB: two modules of 8 GiB, our estimate)")
            .Add("ChannelRate",
                 Member(&ChannelMemory::m_channelRate, DataRate(102'400'000'000)),
                 "Usable rate of one channel (12.8 GB/s: KV-Direct section 2.4)")
            .Add("Latency",
                 Member(&ChannelMemory::m_latency, NanoSeconds(200), Time(0), MilliSeconds(1)),
                 "Latency of an access without the transfer time of its bytes (200 ns: our "
                 "estimate for DDR behind a controller of an FPGA)");
    return tid;
}

ChannelMemory::ChannelMemory()
    : m_bytes(Create<HostMemory>())
{
}

bool
ChannelMemory::Contains(uint64_t address, uint64_t bytes) const
{
    return address < m_capacity && bytes <= m_capacity - address;
}

Tick
ChannelMemory::Access(Tick now, Tick earliest, uint64_t address, uint32_t bytes)
{
    NS_ASSERT_MSG(bytes > 0 && Contains(address, bytes), "not on the card");
    if (m_free.empty())
    {
        m_free.assign(m_channels, 0);
        m_rate = SerializationRate(m_channelRate);
    }
    Tick done = std::max(now, earliest);
    const Tick start = done;
    while (bytes > 0)
    {
        const auto part =
            static_cast<uint32_t>(std::min<uint64_t>(bytes, m_interleave - address % m_interleave));
        Tick& free = m_free[address / m_interleave % m_channels];
        m_stats.waits += free > start;
        free = std::max(free, start) + m_rate.GetDuration(part);
        done = std::max(done, free);
        ++m_stats.accesses;
        m_stats.bytes += part;
        address += part;
        bytes -= part;
    }
    return done + ToTick(m_latency);
}

} // namespace ns3::rdma
