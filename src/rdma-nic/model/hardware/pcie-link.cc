// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/pcie-link.h"

#include "ns3/assert.h"
#include "ns3/type-attributes.h"
#include "ns3/verbs-error.h"
#include "ns3/wide-integer.h"

#include <algorithm>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(PcieLink);

namespace
{
constexpr uint32_t PAGE_BYTES{4096}; ///< No TLP crosses such a boundary (PCIe Base, 2.2.7).
constexpr uint64_t PS_PER_SECOND{1'000'000'000'000};

constexpr std::size_t
At(DmaKind kind)
{
    return static_cast<std::size_t>(kind);
}

bool
IsPowerOfTwo(uint32_t value)
{
    return (value & (value - 1)) == 0;
}

/// @return bytes of the first TLP of a transfer.
inline uint32_t
GetTlpBytes(uint64_t address, uint32_t bytes, uint32_t limit)
{
    const auto inPage = static_cast<uint32_t>(PAGE_BYTES - address % PAGE_BYTES);
    return std::min(std::min(bytes, limit), inPage);
}

/// @return bits per second of one lane, after line coding.
double
GetLaneRate(uint32_t generation)
{
    constexpr double CODING_8B10B{8.0 / 10};
    constexpr double CODING_128B130B{128.0 / 130};
    constexpr std::array<double, 5> RATES{2.5e9 * CODING_8B10B,
                                          5e9 * CODING_8B10B,
                                          8e9 * CODING_128B130B,
                                          16e9 * CODING_128B130B,
                                          32e9 * CODING_128B130B};
    return RATES[generation - 1];
}
} // namespace

const char*
GetDmaKindName(DmaKind kind)
{
    constexpr std::array<const char*, DMA_KINDS> NAMES{"payload",
                                                       "wqe",
                                                       "context",
                                                       "translation",
                                                       "completion",
                                                       "software",
                                                       "doorbell",
                                                       "kernel"};
    return NAMES[At(kind)];
}

TypeId
PcieLink::GetTypeId()
{
    static TypeId tid =
        TypeAttributes::Of<PcieLink, Object>("ns3::rdma::PcieLink", "RdmaNic")
            .Add("Generation",
                 Member(&PcieLink::m_generation, 3, 1, 5),
                 "PCIe generation, 1 to 5: 2.5, 5, 8, 16, 32 GT/s per lane (3: SRNIC section 5)")
            .Add("Lanes",
                 Member(&PcieLink::m_lanes, 16, 1, 16),
                 "Number of lanes: 1, 2, 4, 8 or 16 (16: SRNIC section 5)")
            .Add("MaxPayload",
                 Member(&PcieLink::m_maxPayload, 256, 128, 4096),
                 "Bytes of data in a write TLP at most, 128 to 4096, a power of two (256: "
                 "KV-Direct section 6.1, what its root complex supports)")
            .Add("MaxReadRequest",
                 Member(&PcieLink::m_maxReadRequest, 512, 128, 4096),
                 "Bytes that one read TLP asks for at most, 128 to 4096, a power of two (512: PCIe "
                 "Base Specification, default of Max_Read_Request_Size)")
            .Add("CompletionBytes",
                 Member(&PcieLink::m_completionBytes, 256, 64, 4096),
                 "Bytes of data in a completion TLP at most, 64 to 4096, a power of two (256: as "
                 "MaxPayload, Intel AN 855 section 1.1.3; 64 for a host that answers by its read "
                 "completion boundary)")
            .Add("TlpOverhead",
                 Member(&PcieLink::m_tlpOverhead, 26, 0, 128),
                 "Header, framing and padding of a TLP, bytes (26: KV-Direct section 2.4)")
            .Add("DllpBytes",
                 Member(&PcieLink::m_dllpBytes, 0, 0, 64),
                 "Bytes in the other direction for each TLP: its acknowledgment and credit update "
                 "(0: not counted; 16: one DLLP of 8 bytes for each, PCIe Base Specification 3.0, "
                 "sections 3.4.1 and 4.2.2)")
            .Add("ReadLatency",
                 Member(&PcieLink::m_readLatency, NanoSeconds(500), Time(0), MilliSeconds(1)),
                 "Time from the departure of a read request at the NIC to the first byte of data, "
                 "without serialization (500 ns: round trip of PCIe itself, KV-Direct section 2.4; "
                 "with an FPGA 800 ns there, 1.1 us on average with SRNIC, section 6.2, 1.5 us "
                 "with StRoM, section 6.2)")
            .Add("ReadJitter",
                 Member(&PcieLink::m_readJitter, NanoSeconds(0), Time(0), MilliSeconds(1)),
                 "Random part of the latency of each read TLP, uniform between 0 and this (0: data "
                 "in the host's cache; 500 ns has the mean of 250 ns that reads of memory add in "
                 "KV-Direct, section 2.4; uniform: our choice, bounded, where the paper states a "
                 "mean only)")
            .Add("WriteLatency",
                 Member(&PcieLink::m_writeLatency, NanoSeconds(250), Time(0), MilliSeconds(1)),
                 "Time from the departure of a write at the NIC until it is visible to the host "
                 "(250 ns: half of KV-Direct's round trip, our estimate)")
            .Add("StoreLatency",
                 Member(&PcieLink::m_storeLatency, NanoSeconds(250), Time(0), MilliSeconds(1)),
                 "Time from a store of the host until the NIC has it, without serialization (250 "
                 "ns: half of KV-Direct's round trip, our estimate)")
            .Add("Switches",
                 Member(&PcieLink::m_switches, 0, 0, 16),
                 "PCIe switches between the NIC and the host's processor (0: none)")
            .Add("SwitchLatency",
                 Member(&PcieLink::m_switchLatency, NanoSeconds(115), Time(0), MilliSeconds(1)),
                 "Time that a TLP takes through a switch (115 ns: Broadcom PEX89048, as HighPoint "
                 "states for its Rocket 1600)")
            .Add("SocketHops",
                 Member(&PcieLink::m_socketHops, 0, 0, 16),
                 "Links between processors that lie between the NIC and the memory and cores that "
                 "it works with (0: the NIC's own NUMA node)")
            .Add("SocketLatency",
                 Member(&PcieLink::m_socketLatency, NanoSeconds(24), Time(0), MilliSeconds(1)),
                 "Time of such a link in one direction (24 ns: half of what an access of a "
                 "core takes longer in the memory of the other socket, 129.3 and 82.2 ns, "
                 "KV-Direct Table 4)")
            .Add("Tags",
                 Member(&PcieLink::m_tags, 64, 1, 1024),
                 "Read TLPs that the NIC can distinguish (64: KV-Direct section 2.4)")
            .Add("PostedCredits",
                 Member(&PcieLink::m_postedCredits, 88, 1, 65536),
                 "Header credits of the host for writes: write TLPs on their way at most (88: "
                 "KV-Direct section 2.4)")
            .Add("NonPostedCredits",
                 Member(&PcieLink::m_nonPostedCredits, 84, 1, 65536),
                 "Header credits of the host for reads: limits outstanding read TLPs as Tags does "
                 "(84: KV-Direct section 2.4)")
            .Add("RequestRate",
                 Member(&PcieLink::m_requestRate, 0, 0, 1'000'000'000'000),
                 "Read and write TLPs together that the NIC's DMA engine issues, per second (0: no "
                 "limit; the preset kv-direct has one, inferred from KV-Direct sections 2.4 and "
                 "3.3.4 and Table 3)")
            .Add("BeatBytes",
                 Member(&PcieLink::m_beatBytes, 0, 0, 4096),
                 "Width of the bus from the DMA engine to the PCIe block, bytes; 0: as fast as the "
                 "link (the preset strom100g has 64: fpgasystems/davos, 512 bits)")
            .Add("Beat",
                 Member(&PcieLink::m_beat, NanoSeconds(4), PicoSeconds(1), MicroSeconds(1)),
                 "Cycle of that bus (4 ns: 250 MHz, StRoM section 4.2)")
            .Add("DescriptorBytes",
                 Member(&PcieLink::m_descriptorBytes, 16, 0, 4096),
                 "Bytes before the data of each TLP on that bus (16: AMD PG213, requester request "
                 "descriptor)");
    return tid;
}

std::string
PcieLink::FindFault() const
{
    if (!IsPowerOfTwo(m_lanes))
    {
        return "PCIe has 1, 2, 4, 8 or 16 lanes, not " + std::to_string(m_lanes);
    }
    if (!IsPowerOfTwo(m_maxPayload) || !IsPowerOfTwo(m_maxReadRequest) ||
        !IsPowerOfTwo(m_completionBytes))
    {
        return "MaxPayload, MaxReadRequest and CompletionBytes are powers of two, not " +
               std::to_string(m_maxPayload) + ", " + std::to_string(m_maxReadRequest) + " and " +
               std::to_string(m_completionBytes);
    }
    return "";
}

Ptr<PcieLink>
PcieLink::MakeIdle() const
{
    const Ptr<PcieLink> idle = CopyObject(Ptr<const PcieLink>(this));
    idle->Start(RandomStream(0, 0));
    return idle;
}

void
PcieLink::Start(RandomStream stream)
{
    if (const std::string fault = FindFault(); !fault.empty())
    {
        throw VerbsError(fault);
    }
    m_turnFree = 0;
    m_upFree = 0;
    m_downFree = 0;
    m_lastPayload = 0;
    m_lastWrite = 0;
    m_backlogBytes = 0;
    m_backlogTime = 0;
    m_stats = {};
    m_rate = SerializationRate(GetRate());
    const Tick away = m_switches * m_switchLatency + m_socketHops * m_socketLatency;
    m_readTime = m_readLatency + 2 * away;
    m_writeTime = m_writeLatency + away;
    m_storeTime = m_storeLatency + away;
    m_requestTicks = m_rate.GetDuration(m_tlpOverhead);
    m_requestUpTicks = GetUpTicks(0);
    m_dllpTicks = m_rate.GetDuration(m_dllpBytes);
    m_writeTicks = GetUpTicks(m_maxPayload);
    m_readShift = static_cast<uint32_t>(__builtin_ctz(m_maxReadRequest));
    m_payloadShift = static_cast<uint32_t>(__builtin_ctz(m_maxPayload));
    m_completionShift = static_cast<uint32_t>(__builtin_ctz(m_completionBytes));
    m_readLoad = GetReadLoad(m_maxReadRequest);
    m_turnTicks = m_requestRate == 0
                      ? 0
                      : static_cast<Tick>((PS_PER_SECOND + m_requestRate / 2) / m_requestRate);
    m_tagRing.Reset(std::min(m_tags, m_nonPostedCredits));
    m_creditRing.Reset(m_postedCredits);
    m_random = stream;
}

DataRate
PcieLink::GetRate() const
{
    return DataRate(static_cast<uint64_t>(GetLaneRate(m_generation) * m_lanes));
}

PcieLink::ReadLoad
PcieLink::GetReadLoad(uint32_t bytes) const
{
    const uint32_t completions = (bytes + m_completionBytes - 1) >> m_completionShift;
    const uint32_t downBytes = bytes + completions * m_tlpOverhead;
    const Tick duration = m_rate.GetDuration(downBytes);
    return {downBytes,
            duration,
            duration + m_dllpTicks,
            m_requestUpTicks + completions * (m_dllpTicks / 2)};
}

Tick
PcieLink::GetUpTicks(uint32_t dataBytes) const
{
    const Tick onLink = m_rate.GetDuration(dataBytes + m_tlpOverhead);
    if (m_beatBytes == 0)
    {
        return onLink;
    }
    const uint32_t beats = (m_descriptorBytes + dataBytes + m_beatBytes - 1) / m_beatBytes;
    return std::max(onLink, beats * m_beat);
}

inline Tick
PcieLink::DrawJitter()
{
    // A fraction of 32 random bits: no floating point, and no overflow below 4 ms.
    return m_readJitter == 0
               ? 0
               : static_cast<Tick>((static_cast<uint64_t>(m_readJitter) * m_random.Next32()) >> 32);
}

inline Tick
PcieLink::TakeTurn(Tick now, Tick earliest)
{
    return m_turnTicks == 0 ? now : TakeLimitedTurn(now, earliest);
}

Tick
PcieLink::TakeLimitedTurn(Tick now, Tick earliest)
{
    const Tick turn = std::max(m_turnFree, now);
    m_turnFree = turn + m_turnTicks;
    m_stats.rateStalls += turn > earliest ? 1 : 0;
    return turn;
}

inline uint32_t
PcieLink::ReadUndelayed(Tick now, uint32_t tlps, Tick& last)
{
    const Tick duration = m_readLoad.duration;
    const Tick earliest = now + m_requestTicks + m_readTime + duration;
    Tick downFree = std::max(m_downFree, now);
    uint32_t read = 0;
    while (read < tlps && m_tagRing.GetOldest() <= now)
    {
        downFree += m_readLoad.downTicks;
        const Tick arrival = std::max(downFree, earliest + DrawJitter());
        m_tagRing.Take() = arrival;
        last = std::max(arrival, last + duration);
        ++read;
    }
    m_downFree = downFree;
    m_upFree = std::max(m_upFree, now) + read * m_readLoad.upTicks;
    return read;
}

Tick
PcieLink::ReadTlp(Tick now, Tick earliest, const ReadLoad& load, Tick last)
{
    const Tick turn = TakeTurn(now, earliest);
    Tick& tagFree = m_tagRing.Take();
    m_stats.tagStalls += tagFree > std::max(earliest, turn) ? 1 : 0;
    const Tick taken = std::max(turn, tagFree); // The tag is held from this time on.
    const Tick start = std::max(earliest, taken);
    m_upFree = std::max(m_upFree, now) + load.upTicks;
    m_downFree = std::max(m_downFree, now) + load.downTicks;
    const Tick latency = m_requestTicks + m_readTime + DrawJitter();
    const Tick arrival = std::max(m_downFree, start + latency + load.duration);
    tagFree = taken + (arrival - start);
    return std::max(arrival, last + load.duration);
}

Tick
PcieLink::Read(Tick now, Tick earliest, DmaKind kind, uint64_t address, uint32_t bytes)
{
    NS_ASSERT_MSG(bytes > 0 && earliest >= now, "a read of nothing, or of the past");
    ++m_stats.reads;
    Tick last = kind == DmaKind::PAYLOAD ? m_lastPayload : 0;
    uint32_t requests = 0;
    uint64_t downBytes = 0;
    if (earliest == now && m_turnTicks == 0 && (address & (m_maxReadRequest - 1)) == 0)
    {
        requests = ReadUndelayed(now, bytes >> m_readShift, last);
        downBytes = uint64_t{requests} * m_readLoad.bytes;
        address += uint64_t{requests} << m_readShift;
        bytes -= requests << m_readShift;
    }
    while (bytes > 0)
    {
        const uint32_t part = GetTlpBytes(address, bytes, m_maxReadRequest);
        const ReadLoad load = GetReadLoad(part);
        last = ReadTlp(now, earliest, load, last);
        ++requests;
        downBytes += load.bytes;
        address += part;
        bytes -= part;
    }
    m_stats.upBytes[At(kind)] += uint64_t{requests} * m_tlpOverhead;
    m_stats.downBytes[At(kind)] += downBytes;
    if (kind == DmaKind::PAYLOAD)
    {
        m_lastPayload = last;
    }
    return last;
}

inline uint32_t
PcieLink::WriteUndelayed(Tick now, uint32_t tlps)
{
    const Tick start = std::max(m_upFree, now);
    Tick upFree = start;
    uint32_t written = 0;
    while (written < tlps && m_creditRing.GetOldest() <= upFree)
    {
        upFree += m_writeTicks;
        m_creditRing.Take() = upFree + m_writeTime;
        ++written;
    }
    if (written > 0)
    {
        m_downFree = std::max(m_downFree, now) + written * m_dllpTicks;
        m_upFree = upFree;
        m_lastLeft = upFree;
        m_lastWrite = std::max(upFree + m_writeTime, m_lastWrite + (upFree - start));
    }
    return written;
}

void
PcieLink::WriteTlp(Tick now, Tick earliest, uint32_t bytes)
{
    const Tick duration = bytes == m_maxPayload ? m_writeTicks : GetUpTicks(bytes);
    m_upFree = std::max(m_upFree, now) + duration;
    m_downFree = std::max(m_downFree, now) + m_dllpTicks;
    Tick& creditFree = m_creditRing.Take();
    const Tick afterCredit = creditFree + duration;
    const Tick afterTurn = TakeTurn(now, earliest) + duration;
    m_stats.creditStalls +=
        afterCredit > std::max({m_upFree, afterTurn, earliest + duration}) ? 1 : 0;
    // As if it could start at once.
    const Tick left = std::max({m_upFree, afterCredit, afterTurn});
    creditFree = left + m_writeTime;
    m_lastLeft = left;
    const Tick seen = std::max(left, earliest + duration) + m_writeTime;
    m_lastWrite = std::max(seen, m_lastWrite + duration);
}

Tick
PcieLink::Write(Tick now, Tick earliest, DmaKind kind, uint64_t address, uint32_t bytes)
{
    NS_ASSERT_MSG(bytes > 0 && earliest >= now, "a write of nothing, or of the past");
    ++m_stats.writes;
    const bool isPayload = kind == DmaKind::PAYLOAD;
    const uint64_t backlog = isPayload ? GetWriteBacklog(now) + bytes : 0;
    m_stats.upBytes[At(kind)] += bytes;
    uint32_t tlps = 0;
    if (earliest == now && m_turnTicks == 0 && (address & (m_maxPayload - 1)) == 0)
    {
        tlps = WriteUndelayed(now, bytes >> m_payloadShift);
        address += uint64_t{tlps} << m_payloadShift;
        bytes -= tlps << m_payloadShift;
    }
    while (bytes > 0)
    {
        const uint32_t part = GetTlpBytes(address, bytes, m_maxPayload);
        WriteTlp(now, earliest, part);
        ++tlps;
        address += part;
        bytes -= part;
    }
    m_stats.upBytes[At(kind)] += uint64_t{tlps} * m_tlpOverhead;
    if (isPayload)
    {
        m_backlogBytes = backlog;
        m_backlogTime = now;
        m_backlogEnd = m_lastLeft;
    }
    return m_lastWrite;
}

Tick
PcieLink::Store(Tick now, uint32_t bytes)
{
    ++m_stats.doorbells;
    const uint32_t downBytes = bytes + m_tlpOverhead;
    const Tick duration = m_rate.GetDuration(downBytes);
    m_downFree = std::max(m_downFree, now) + duration;
    m_upFree = std::max(m_upFree, now) + m_dllpTicks;
    m_stats.downBytes[At(DmaKind::DOORBELL)] += downBytes;
    return now + m_storeTime + duration;
}

uint64_t
PcieLink::GetWriteBacklog(Tick now) const
{
    if (now >= m_backlogEnd)
    {
        return 0;
    }
    const auto left = static_cast<Uint128>(m_backlogEnd - now) * m_backlogBytes;
    return static_cast<uint64_t>(left / static_cast<uint64_t>(m_backlogEnd - m_backlogTime));
}

} // namespace ns3::rdma
