// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ingress-meter.h"

#include "ns3/bounded-checker.h"
#include "ns3/uinteger.h"
#include "ns3/verbs-error.h"
#include "ns3/wide-integer.h"

#include <algorithm>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(IngressMeter);

namespace
{
constexpr uint64_t SMALLEST_CAPACITY{16384}; ///< A frame of any MTU that Ethernet has.
constexpr uint64_t LEAST_DRAIN{1'000'000};   ///< Bit/s.
} // namespace

TypeId
IngressMeter::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::IngressMeter")
            .SetParent<Object>()
            .SetGroupName("RdmaNic")
            .AddConstructor<IngressMeter>()
            .AddAttribute("Rate",
                          "At which it is drained, Ethernet header to FCS (96.6 Gb/s: "
                          "measured on ConnectX-5, simllm 2026)",
                          DataRateValue(DataRate("96600Mbps")),
                          MakeDataRateAccessor(&IngressMeter::m_rate),
                          MakeRateChecker(LEAST_DRAIN))
            .AddAttribute("Capacity",
                          "Bytes of frames that it holds, 16384 or more; 0: there is no meter "
                          "(262016: measured on ConnectX-5, simllm 2026)",
                          UintegerValue(0),
                          MakeUintegerAccessor(&IngressMeter::m_capacityBytes),
                          MakeUintegerChecker<uint64_t>(0, uint64_t{1} << 40))
            .AddAttribute("CongestedBytes",
                          "While so much is in it, packets count as marked; 0: never",
                          UintegerValue(0),
                          MakeUintegerAccessor(&IngressMeter::m_congestedBytes),
                          MakeUintegerChecker<uint64_t>(0, uint64_t{1} << 40));
    return tid;
}

std::string
IngressMeter::FindFault() const
{
    if (m_capacityBytes > 0 && m_capacityBytes < SMALLEST_CAPACITY)
    {
        return "ns3::rdma::IngressMeter::Capacity: expected 0 or at least " +
               std::to_string(SMALLEST_CAPACITY) + ", got " + std::to_string(m_capacityBytes);
    }
    if (m_congestedBytes > m_capacityBytes)
    {
        return "ns3::rdma::IngressMeter::CongestedBytes: expected at most the Capacity, " +
               std::to_string(m_capacityBytes) + ", got " + std::to_string(m_congestedBytes);
    }
    return {};
}

void
IngressMeter::Start()
{
    if (const std::string fault = FindFault(); !fault.empty())
    {
        throw VerbsError(fault);
    }
    m_drain = SerializationRate(m_rate);
    m_capacityTime = m_drain.GetDuration(m_capacityBytes);
    m_congestedTime = m_congestedBytes == 0 ? TICK_NEVER : m_drain.GetDuration(m_congestedBytes);
}

bool
IngressMeter::Admit(Tick now, uint32_t frameBytes)
{
    ++m_stats.frames;
    // Draining begins with the first bit: a frame that meets none before it adds nothing.
    const Tick own = m_drain.GetDuration(frameBytes);
    const Tick emptyAt = std::max(m_emptyAt + own, now);
    if (emptyAt - now > m_capacityTime)
    {
        ++m_stats.discards;
        return false;
    }
    m_emptyAt = emptyAt;
    m_stats.congested += IsCongested(now);
    m_peakTime = std::max(m_peakTime, m_emptyAt - now);
    return true;
}

uint64_t
IngressMeter::GetBytes(Tick time) const
{
    // Rounded: a duration is a whole number of picoseconds, cut.
    const auto bits = static_cast<Uint128>(time) * m_rate.GetBitRate();
    return static_cast<uint64_t>((bits + BIT_PS_PER_BYTE / 2) / BIT_PS_PER_BYTE);
}

} // namespace ns3::rdma
