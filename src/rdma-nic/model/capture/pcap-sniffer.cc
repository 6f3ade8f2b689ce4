// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/pcap-sniffer.h"

#include "ns3/packet-cargo.h"

#include <algorithm>
#include <array>
#include <boost/endian/conversion.hpp>
#include <utility>

namespace ns3::rdma
{

namespace
{
using boost::endian::store_big_u16;

constexpr std::size_t MAC_BYTES{6};
constexpr std::size_t ETHERNET_BYTES{14};
constexpr std::size_t PFC_BYTES{60};
/// IPv4 header and longest TCP header.
constexpr std::size_t OTHER_HEADER_BYTES{ETHERNET_BYTES + 20 + 60};
constexpr uint16_t MAC_CONTROL_TYPE{0x8808};
constexpr uint16_t PFC_OPERATION{0x0101};

/// @return a PFC frame: operation, a bit per priority that the frame is for, pause per priority.
std::vector<uint8_t>
MakePfcBytes(const Frame& frame, uint16_t sourcePort)
{
    constexpr std::array<uint8_t, MAC_BYTES> TO{0x01, 0x80, 0xc2, 0x00, 0x00, 0x01};
    constexpr std::array<uint8_t, 2> FROM{0x02, 0x01};
    std::vector<uint8_t> bytes(PFC_BYTES, 0);
    std::copy(TO.begin(), TO.end(), bytes.begin());
    std::copy(FROM.begin(), FROM.end(), bytes.begin() + MAC_BYTES);
    store_big_u16(&bytes[2 * MAC_BYTES - 2], sourcePort);
    store_big_u16(&bytes[2 * MAC_BYTES], MAC_CONTROL_TYPE);
    store_big_u16(&bytes[ETHERNET_BYTES], PFC_OPERATION);
    store_big_u16(&bytes[ETHERNET_BYTES + 2], static_cast<uint16_t>(1U << frame.priority));
    store_big_u16(&bytes[ETHERNET_BYTES + 4 + 2 * frame.priority], frame.payloadBytes);
    return bytes;
}

std::vector<uint8_t>
MakeBytes(const PacketCargo& cargo)
{
    std::vector<uint8_t> bytes(ETHERNET_BYTES + cargo.packet->GetSize());
    cargo.destination.CopyTo(&bytes[0]);
    cargo.source.CopyTo(&bytes[MAC_BYTES]);
    store_big_u16(&bytes[2 * MAC_BYTES], cargo.protocol);
    cargo.packet->CopyData(bytes.data() + ETHERNET_BYTES, cargo.packet->GetSize());
    return bytes;
}

template <typename Value>
bool
HasOneOf(const std::set<Value>& wanted, Value a, Value b)
{
    return wanted.empty() || wanted.count(a) > 0 || wanted.count(b) > 0;
}
} // namespace

bool
PcapFilter::Matches(const Frame& frame) const
{
    const bool isRoce = RoceCodec::CanEncode(frame);
    const bool isControl = (frame.flags & frame_flag::MAC_CONTROL) != 0;
    if ((isControl && !hosts.empty()) || (!isRoce && !(queuePairs.empty() && opcodes.empty())))
    {
        return false;
    }
    return HasOneOf(hosts, frame.src, frame.dst) &&
           (!isRoce || (HasOneOf(queuePairs, frame.srcQp, frame.dstQp) &&
                        HasOneOf(opcodes, frame.opcode, frame.opcode)));
}

PcapSniffer::PcapSniffer(FabricCore& core,
                         FabricPort& port,
                         RoceCodec codec,
                         const std::string& path,
                         PcapFilter filter)
    : m_core(core),
      m_port(port),
      m_codec(std::move(codec)),
      m_filter(std::move(filter)),
      m_writer(path)
{
    m_port.GetTraces().transmit.ConnectWithoutContext(MakeCallback(&PcapSniffer::OnTransmit, this));
    m_port.GetArrivalTraces().receive.ConnectWithoutContext(
        MakeCallback(&PcapSniffer::OnReceive, this));
}

PcapSniffer::~PcapSniffer()
{
    Detach();
}

void
PcapSniffer::Close()
{
    Detach();
    m_writer.Close();
}

void
PcapSniffer::OnTransmit(const Frame& frame)
{
    if (m_filter.hasSent)
    {
        Record(frame, m_port.GetNumber());
    }
}

void
PcapSniffer::OnReceive(const Frame& frame)
{
    if (m_filter.hasReceived)
    {
        Record(frame, m_port.GetPeer()->GetNumber());
    }
}

void
PcapSniffer::Record(const Frame& frame, uint16_t sourcePort)
{
    if (!m_filter.Matches(frame))
    {
        return;
    }
    const FrameDetail* const detail = m_core.pool.FindDetail(frame);
    std::vector<uint8_t> bytes;
    std::size_t headers = PFC_BYTES;
    if (RoceCodec::CanEncode(frame))
    {
        bytes = m_codec.EncodeBytes(frame, detail);
        headers = m_codec.GetPayloadOffset(frame);
    }
    else if (frame.flags & frame_flag::MAC_CONTROL)
    {
        bytes = MakePfcBytes(frame, sourcePort);
    }
    else if (const auto* cargo = detail ? dynamic_cast<const PacketCargo*>(detail->cargo) : nullptr)
    {
        bytes = MakeBytes(*cargo);
        headers = OTHER_HEADER_BYTES;
    }
    else
    {
        return; // A frame of an unknown protocol has no bytes.
    }
    const Tick now = m_core.engine->Now();
    m_writer.Write(now - now % m_filter.stampPeriod,
                   bytes,
                   m_filter.hasPayload ? bytes.size() : headers);
}

void
PcapSniffer::Detach()
{
    if (m_isAttached)
    {
        m_isAttached = false;
        m_port.GetTraces().transmit.DisconnectWithoutContext(
            MakeCallback(&PcapSniffer::OnTransmit, this));
        m_port.GetArrivalTraces().receive.DisconnectWithoutContext(
            MakeCallback(&PcapSniffer::OnReceive, this));
    }
}

} // namespace ns3::rdma
