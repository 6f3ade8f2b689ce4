// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/traffic-sniffer.h"

#include "ns3/type-attributes.h"
#include "ns3/verbs-error.h"

#include <utility>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(TrafficSniffer);

namespace
{
constexpr Tick LONGEST_STAMP_PERIOD{1'000'000'000'000}; ///< A second.
} // namespace

TypeId
TrafficSniffer::GetTypeId()
{
    static TypeId tid =
        TypeAttributes::Of<TrafficSniffer, Object>("ns3::rdma::TrafficSniffer", "FpgaRnic")
            .Add("Sent",
                 Member(&TrafficSniffer::m_hasSent, true),
                 "Whether packets that leave are captured (true: BALBOA section 4.7)")
            .Add("Received",
                 Member(&TrafficSniffer::m_hasReceived, true),
                 "Whether packets that come in are captured (true: BALBOA section 4.7)")
            .Add(
                "Payload",
                Member(&TrafficSniffer::m_hasPayload, true),
                "Whether records hold payload; else they end behind the headers (true: our choice)")
            .Add("StampPeriod",
                 Member(&TrafficSniffer::m_stampPeriod, NanoSeconds(4), 1, LONGEST_STAMP_PERIOD),
                 "Period of the clock that counts the time stamps (4 ns: BALBOA section 4)");
    return tid;
}

TrafficSniffer::~TrafficSniffer() = default;

void
TrafficSniffer::DoDispose()
{
    m_capture.reset();
    Object::DoDispose();
}

void
TrafficSniffer::SetQueuePairs(std::set<uint32_t> numbers)
{
    m_queuePairs = std::move(numbers);
}

void
TrafficSniffer::SetOpcodes(std::set<uint8_t> opcodes)
{
    m_opcodes = std::move(opcodes);
}

void
TrafficSniffer::Start(RdmaNic& nic, const std::string& path)
{
    if (m_capture)
    {
        throw VerbsError("a traffic sniffer has one capture at a time");
    }
    PcapFilter filter;
    filter.queuePairs = m_queuePairs;
    filter.opcodes = m_opcodes;
    filter.hasSent = m_hasSent;
    filter.hasReceived = m_hasReceived;
    filter.hasPayload = m_hasPayload;
    filter.stampPeriod = ToTick(m_stampPeriod);
    m_capture.emplace(nic, path, filter);
}

void
TrafficSniffer::Stop()
{
    if (m_capture)
    {
        m_capture->Close();
        m_capture.reset();
    }
}

} // namespace ns3::rdma
