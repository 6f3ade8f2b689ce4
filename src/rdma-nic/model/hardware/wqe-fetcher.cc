// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/wqe-fetcher.h"

#include "ns3/boolean.h"
#include "ns3/uinteger.h"

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
        TypeId("ns3::rdma::WqeFetcher")
            .SetParent<Object>()
            .SetGroupName("RdmaNic")
            .AddConstructor<WqeFetcher>()
            .AddAttribute("WqesPerFetch",
                          "Work requests per fetch at most (8: n of SRNIC section 4.3.1)",
                          UintegerValue(8),
                          MakeUintegerAccessor(&WqeFetcher::m_wqesPerFetch),
                          MakeUintegerChecker<uint32_t>(1, 4096))
            .AddAttribute("WqesPerTurn",
                          "Work requests that a queue pair's turn may use (8: SRNIC section 4.3.1, "
                          "all that one fetch brings)",
                          UintegerValue(8),
                          MakeUintegerAccessor(&WqeFetcher::m_wqesPerTurn),
                          MakeUintegerChecker<uint32_t>(1, 4096))
            .AddAttribute("WqeBytes",
                          "Size of a work request, bytes (64: SRNIC section 3.2.1)",
                          UintegerValue(64),
                          MakeUintegerAccessor(&WqeFetcher::m_wqeBytes),
                          MakeUintegerChecker<uint32_t>(16, 1024))
            .AddAttribute("BurstBytes",
                          "Payload per turn of a queue pair at most, bytes (16 KiB: burst_size of "
                          "SRNIC section 4.3.1); one packet may always go",
                          UintegerValue(16384),
                          MakeUintegerAccessor(&WqeFetcher::m_burstBytes),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("PacedBurstBytes",
                          "Payload of a turn that a queue pair may send before its rate is "
                          "evaluated, bytes, at most BurstBytes; 0: one packet (a few packets: "
                          "NVIDIA 5T Technology "
                          "User Manual, Packet Pacing, which prints no number)",
                          UintegerValue(0),
                          MakeUintegerAccessor(&WqeFetcher::m_pacedBurstBytes),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute(
                "KeepsWqes",
                "Whether unused work requests stay on the chip; else they are dropped and "
                "fetched again (false: SRNIC section 4.3.1)",
                BooleanValue(false),
                MakeBooleanAccessor(&WqeFetcher::m_keepsWqes),
                MakeBooleanChecker())
            .AddAttribute("PushedBytes",
                          "A work request up to this size comes with the doorbell if the queue is "
                          "empty; 0: never (SRNIC fetches all of them, section 4.3.1)",
                          UintegerValue(0),
                          MakeUintegerAccessor(&WqeFetcher::m_pushedBytes),
                          MakeUintegerChecker<uint32_t>(0, 4096))
            .AddAttribute("PushesOnlyInline",
                          "Whether only work requests with inline data are pushed (true: the mlx5 "
                          "provider of rdma-core)",
                          BooleanValue(false),
                          MakeBooleanAccessor(&WqeFetcher::m_pushesOnlyInline),
                          MakeBooleanChecker())
            .AddAttribute("TakesInline",
                          "Whether inline data are in the work request; else they are read like "
                          "others (false: BALBOA, whose commands have addresses only)",
                          BooleanValue(true),
                          MakeBooleanAccessor(&WqeFetcher::m_takesInline),
                          MakeBooleanChecker())
            .AddAttribute("QueuesPushed",
                          "Whether pushed work requests wait on the chip for their turn; else one "
                          "that finds others before it is fetched like them (true: BALBOA's "
                          "command queues, section 4.1)",
                          BooleanValue(false),
                          MakeBooleanAccessor(&WqeFetcher::m_queuesPushed),
                          MakeBooleanChecker())
            .AddAttribute("Decision",
                          "Time of scheduler and engine per fetch, and per turn that begins a "
                          "message; turns of one queue pair do not overlap",
                          TimeValue(NanoSeconds(0)),
                          MakeTimeAccessor(&WqeFetcher::m_decision),
                          MakeTimeChecker(Time(0), MilliSeconds(1)))
            .AddAttribute("MaxFetches",
                          "Turns of different queue pairs under way at once (16: our estimate, "
                          "more than the bandwidth-delay product of PCIe needs)",
                          UintegerValue(16),
                          MakeUintegerAccessor(&WqeFetcher::m_maxFetches),
                          MakeUintegerChecker<uint32_t>(1, 4096));
    return tid;
}

void
WqeFetcher::Start(PcieLink& pcie)
{
    m_pcie = &pcie;
    m_decisionTicks = ToTick(m_decision);
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
        return m_decisionTicks;
    }
    const Ptr<PcieLink> pcie = m_pcie->MakeIdle();
    return m_decisionTicks + pcie->Read(0, 0, DmaKind::WQE, 0, m_wqesPerFetch * m_wqeBytes);
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
