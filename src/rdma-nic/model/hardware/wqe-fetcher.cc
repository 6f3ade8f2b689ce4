// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/wqe-fetcher.h"

#include "ns3/type-attributes.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(WqeFetcher);

namespace
{
constexpr uint32_t CONTROL_BYTES{28}; ///< Of a pushed work request, without payload (mlx5: control
                                      ///< segment 16 and inline header 4, rounded; our estimate).
} // namespace

TypeId
WqeFetcher::GetTypeId()
{
    static TypeId tid =
        TypeAttributes::Of<WqeFetcher, Object>("ns3::rdma::WqeFetcher", "RdmaNic")
            .Add("WqesPerFetch",
                 Member(&WqeFetcher::m_wqesPerFetch, 8, 1, 4096),
                 "Work requests per fetch at most (8: n of SRNIC section 4.3.1)")
            .Add("WqesPerTurn",
                 Member(&WqeFetcher::m_wqesPerTurn, 8, 1, 4096),
                 "Work requests that a queue pair's turn may use (8: SRNIC section 4.3.1, all that "
                 "one fetch brings)")
            .Add("WqeBytes",
                 Member(&WqeFetcher::m_wqeBytes, 64, 16, 1024),
                 "Size of a work request, bytes (64: SRNIC section 3.2.1)")
            .Add("BurstBytes",
                 Member(&WqeFetcher::m_burstBytes, 16384, 1),
                 "Payload per turn of a queue pair at most, bytes (16 KiB: burst_size of SRNIC "
                 "section 4.3.1); one packet may always go")
            .Add("PacedBurstBytes",
                 Member(&WqeFetcher::m_pacedBurstBytes, 0),
                 "Payload of a turn that a queue pair may send before its rate is evaluated, "
                 "bytes, at most BurstBytes; 0: one packet (a few packets: NVIDIA 5T Technology "
                 "User Manual, Packet Pacing, which prints no number)")
            .Add("KeepsWqes",
                 Member(&WqeFetcher::m_keepsWqes, false),
                 "Whether unused work requests stay on the chip; else they are dropped and fetched "
                 "again (false: SRNIC section 4.3.1)")
            .Add("PushedBytes",
                 Member(&WqeFetcher::m_pushedBytes, 0, 0, 4096),
                 "A work request up to this size comes with the doorbell if the queue is empty; 0: "
                 "never (SRNIC fetches all of them, section 4.3.1)")
            .Add("PushesOnlyInline",
                 Member(&WqeFetcher::m_pushesOnlyInline, false),
                 "Whether only work requests with inline data are pushed (true: the mlx5 provider "
                 "of rdma-core)")
            .Add("TakesInline",
                 Member(&WqeFetcher::m_takesInline, true),
                 "Whether inline data are in the work request; else they are read like others "
                 "(false: BALBOA, whose commands have addresses only)")
            .Add("QueuesPushed",
                 Member(&WqeFetcher::m_queuesPushed, false),
                 "Whether pushed work requests wait on the chip for their turn; else one that "
                 "finds others before it is fetched like them (true: BALBOA's command queues, "
                 "section 4.1)")
            .Add("Decision",
                 Member(&WqeFetcher::m_decision, NanoSeconds(0), Time(0), MilliSeconds(1)),
                 "Time of scheduler and engine per fetch, and per turn that begins a message; "
                 "turns of one queue pair do not overlap")
            .Add("MaxFetches",
                 Member(&WqeFetcher::m_maxFetches, 16, 1, 4096),
                 "Turns of different queue pairs in progress at a time (16: our estimate, which "
                 "limits a NIC whose turns have to read contexts, docs/models/nic-hardware.md)");
    return tid;
}

void
WqeFetcher::Start(PcieLink& pcie)
{
    m_pcie = &pcie;
}

Tick
WqeFetcher::Read(Tick now, Tick earliest, uint32_t requests)
{
    const uint32_t count = std::min(requests, m_wqesPerFetch);
    ++m_stats.fetches;
    m_stats.fetched += count;
    return m_pcie->Read(now, earliest, DmaKind::WQE, 0, count * m_wqeBytes);
}

Tick
WqeFetcher::Fetch(Tick now, Tick earliest, uint32_t requests)
{
    return Decide(Read(now, earliest, requests), true);
}

Tick
WqeFetcher::Prefetch(Tick now, uint32_t requests)
{
    return Read(now, now, requests);
}

Tick
WqeFetcher::GetIdleTurn() const
{
    if (m_keepsWqes)
    {
        return m_decision;
    }
    const Ptr<PcieLink> pcie = m_pcie->MakeIdle();
    return m_decision + pcie->Read(0, 0, DmaKind::WQE, 0, m_wqesPerFetch * m_wqeBytes);
}

uint32_t
WqeFetcher::Push(bool isInline, uint32_t inlineBytes)
{
    const uint32_t bytes =
        std::max(m_wqeBytes, m_takesInline ? CONTROL_BYTES + inlineBytes : CONTROL_BYTES);
    if (bytes > m_pushedBytes || (m_pushesOnlyInline && !isInline))
    {
        return 0;
    }
    ++m_stats.pushed;
    return bytes;
}

} // namespace ns3::rdma
