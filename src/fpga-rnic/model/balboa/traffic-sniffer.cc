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
    const auto filter = [](auto field, const auto& initial, auto... bounds) {
        return Part(&TrafficSniffer::m_filter, field, initial, bounds...);
    };
    static TypeId tid =
        TypeAttributes::Of<TrafficSniffer, Object>("ns3::rdma::TrafficSniffer", "FpgaRnic")
            .Add("Sent",
                 filter(&PcapFilter::hasSent, true),
                 "Whether packets that leave are captured (true: BALBOA section 4.7)")
            .Add("Received",
                 filter(&PcapFilter::hasReceived, true),
                 "Whether packets that come in are captured (true: BALBOA section 4.7)")
            .Add(
                "Payload",
                filter(&PcapFilter::hasPayload, true),
                "Whether records hold payload; else they end behind the headers (true: our choice)")
            .Add("StampPeriod",
                 filter(&PcapFilter::stampPeriod, NanoSeconds(4), 1, LONGEST_STAMP_PERIOD),
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
    m_filter.queuePairs = std::move(numbers);
}

void
TrafficSniffer::SetOpcodes(std::set<uint8_t> opcodes)
{
    m_filter.opcodes = std::move(opcodes);
}

void
TrafficSniffer::Start(RdmaNic& nic, const std::string& path)
{
    if (m_capture)
    {
        throw VerbsError("a traffic sniffer has one capture at a time");
    }
    m_capture.emplace(nic, path, m_filter);
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
