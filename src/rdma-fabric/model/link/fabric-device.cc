// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/fabric-device.h"

#include "ns3/channel.h"
#include "ns3/fabric-address.h"
#include "ns3/lazy-trace-accessor.h"
#include "ns3/node.h"
#include "ns3/packet-cargo.h"
#include "ns3/type-attributes.h"

#include <utility>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(FabricDevice);

namespace
{
constexpr uint32_t ETHERNET_HEADER_BYTES{14}; ///< Without FCS, like Frame::wireBytes.

template <auto TRACE>
auto&
GetTrace(FabricDevice& device)
{
    return device.GetPort().GetTraces().*TRACE;
}

auto&
GetReceiveTrace(FabricDevice& device)
{
    return device.GetPort().GetArrivalTraces().receive;
}
} // namespace

TypeId
FabricDevice::GetTypeId()
{
    static TypeId tid =
        TypeAttributes(
            TypeId("ns3::rdma::FabricDevice")
                .SetParent<NetDevice>()
                .SetGroupName("RdmaFabric")
                .AddTraceSource("Transmit",
                                "A frame's first bit leaves",
                                MakeLazyTraceAccessor(&GetTrace<&PortTraces::transmit>),
                                "ns3::rdma::FabricPort::FrameCallback")
                .AddTraceSource("Receive",
                                "A frame's last bit has arrived, MAC control too, lost ones not",
                                MakeLazyTraceAccessor(&GetReceiveTrace),
                                "ns3::rdma::FabricPort::FrameCallback")
                .AddTraceSource("Drop",
                                "A frame is dropped at this port",
                                MakeLazyTraceAccessor(&GetTrace<&PortTraces::drop>),
                                "ns3::rdma::FabricPort::DropCallback")
                .AddTraceSource(
                    "Enqueue",
                    "A frame has to wait for its turn: the frame, bytes of its priority "
                    "that wait now",
                    MakeLazyTraceAccessor(&GetTrace<&PortTraces::enqueue>),
                    "ns3::rdma::FabricPort::QueueCallback")
                .AddTraceSource("Dequeue",
                                "A frame that waited leaves: the frame, bytes of its priority that "
                                "still wait",
                                MakeLazyTraceAccessor(&GetTrace<&PortTraces::dequeue>),
                                "ns3::rdma::FabricPort::QueueCallback")
                .AddTraceSource("Mark",
                                "The switch sets CE in a frame that leaves here",
                                MakeLazyTraceAccessor(&GetTrace<&PortTraces::mark>),
                                "ns3::rdma::FabricPort::FrameCallback")
                .AddTraceSource(
                    "Trim",
                    "The switch has removed the payload of a frame that will leave here",
                    MakeLazyTraceAccessor(&GetTrace<&PortTraces::trim>),
                    "ns3::rdma::FabricPort::FrameCallback")
                .AddTraceSource("Pause",
                                "The other end has paused a priority of this port (PFC)",
                                MakeLazyTraceAccessor(&GetTrace<&PortTraces::pause>),
                                "ns3::rdma::FabricPort::PriorityCallback")
                .AddTraceSource(
                    "Resume",
                    "A priority of this port may send again: resumed, or its pause is over",
                    MakeLazyTraceAccessor(&GetTrace<&PortTraces::resume>),
                    "ns3::rdma::FabricPort::PriorityCallback"))
            .Add("IpPriority",
                 Member(&FabricDevice::m_ipPriority, 0, 0, PRIORITIES - 1),
                 "Priority of packets of ns-3's IP stack (0: best effort, IEEE 802.1Q Annex I)")
            .Add("IpQueueBytes",
                 Member(&FabricDevice::m_ipQueueBytes, 1'514'000),
                 "Most bytes that may wait in that priority's queue, Ethernet headers included "
                 "(1000 full frames: Linux's txqueuelen of Ethernet devices)");
    return tid;
}

FabricDevice::FabricDevice(std::shared_ptr<FabricCore> core, uint32_t id, uint16_t number)
    : m_core(std::move(core)),
      m_port(*m_core, number),
      m_address(MakeMacAddress(id)),
      m_id(id)
{
    TakePortBack();
}

FabricDevice::FabricDevice(const FabricDevice& alike, uint32_t id, uint16_t number)
    : NetDevice(alike),
      m_core(alike.m_core),
      m_port(*m_core, number),
      m_address(MakeMacAddress(id)),
      m_id(id),
      m_ipQueueBytes(alike.m_ipQueueBytes),
      m_ipPriority(alike.m_ipPriority)
{
    TakePortBack();
}

FabricDevice::~FabricDevice() = default;

Ptr<FabricDevice>
FabricDevice::MakeAlike(uint32_t id, uint16_t number) const
{
    return Ptr<FabricDevice>(new FabricDevice(*this, id, number), false);
}

void
FabricDevice::DoDispose()
{
    m_port.SetLossModel(nullptr);
    m_receive.Nullify();
    m_promiscReceive.Nullify();
    m_node = nullptr;
    m_channel = nullptr;
    NetDevice::DoDispose();
}

FabricPort&
FabricDevice::GetPort()
{
    return m_port;
}

void
FabricDevice::TakePortBack()
{
    m_port.SetOwner(this);
}

void
FabricDevice::SetChannel(Ptr<Channel> channel)
{
    m_channel = channel;
}

void
FabricDevice::SetIfIndex(const uint32_t index)
{
    m_ifIndex = index;
}

uint32_t
FabricDevice::GetIfIndex() const
{
    return m_ifIndex;
}

Ptr<Channel>
FabricDevice::GetChannel() const
{
    return m_channel;
}

void
FabricDevice::SetAddress(Address address)
{
    m_address = Mac48Address::ConvertFrom(address);
}

Address
FabricDevice::GetAddress() const
{
    return m_address;
}

bool
FabricDevice::SetMtu(const uint16_t mtu)
{
    if (mtu > MAX_PAYLOAD)
    {
        return false;
    }
    m_mtu = mtu;
    return true;
}

uint16_t
FabricDevice::GetMtu() const
{
    return m_mtu;
}

bool
FabricDevice::IsLinkUp() const
{
    return m_port.GetPeer() && m_port.IsLinkUp();
}

void
FabricDevice::AddLinkChangeCallback(Callback<void> callback)
{
    if (!m_linkChange)
    {
        m_linkChange = std::make_unique<TracedCallback<>>();
    }
    m_linkChange->ConnectWithoutContext(callback);
}

void
FabricDevice::OnLinkChange()
{
    if (m_linkChange)
    {
        (*m_linkChange)();
    }
}

bool
FabricDevice::IsBroadcast() const
{
    return false;
}

Address
FabricDevice::GetBroadcast() const
{
    return Mac48Address::GetBroadcast();
}

bool
FabricDevice::IsMulticast() const
{
    return false;
}

Address
FabricDevice::GetMulticast(Ipv4Address group) const
{
    return Mac48Address::GetMulticast(group);
}

Address
FabricDevice::GetMulticast(Ipv6Address group) const
{
    return Mac48Address::GetMulticast(group);
}

bool
FabricDevice::IsBridge() const
{
    return false;
}

bool
FabricDevice::IsPointToPoint() const
{
    return true;
}

bool
FabricDevice::Send(Ptr<Packet> packet, const Address& destination, uint16_t protocol)
{
    const IpFacts facts = ReadIpFacts(*packet, protocol);
    const auto mac = Mac48Address::ConvertFrom(destination);
    // Without ARP, ns-3 passes the broadcast address for packets to one host, too.
    const bool isToOne = !mac.IsGroup() || (mac.IsBroadcast() && facts.isUnicast);
    if (packet->GetSize() > m_mtu || !isToOne)
    {
        return false;
    }
    const FrameIndex index = MakeFrame(packet->GetSize(), facts);
    const auto endpoint = mac.IsGroup() ? facts.destination : FindEndpoint(mac);
    if (!endpoint || *endpoint >= m_core->endpoints.GetIdCount())
    {
        Drop(index, DropReason::NO_ROUTE);
        return false;
    }
    Frame& frame = m_core->pool[index];
    frame.dst = *endpoint;
    if (!m_port.IsFree(m_ipPriority) &&
        m_port.GetQueueBytes(m_ipPriority) + frame.wireBytes > m_ipQueueBytes)
    {
        Drop(index, DropReason::IP_QUEUE_FULL);
        return false;
    }
    auto cargo = std::make_unique<PacketCargo>();
    cargo->packet = packet;
    cargo->protocol = protocol;
    cargo->source = m_address;
    cargo->destination = MakeMacAddress(*endpoint);
    m_core->pool.SetCargo(index, std::move(cargo));
    m_port.Enqueue(index);
    return true;
}

FrameIndex
FabricDevice::MakeFrame(uint32_t packetBytes, const IpFacts& facts)
{
    const FrameIndex index = m_core->pool.Allocate();
    Frame& frame = m_core->pool[index];
    frame = Frame{};
    frame.src = m_id;
    frame.entropy = facts.entropy;
    frame.wireBytes = ETHERNET_HEADER_BYTES + packetBytes;
    frame.priority = m_ipPriority;
    frame.flags = facts.isEcnCapable ? frame_flag::ECN_CAPABLE : 0;
    frame.sendTime = m_core->engine->Now();
    frame.opcode = OPAQUE_OPCODE;
    return index;
}

void
FabricDevice::Deliver(FrameIndex index)
{
    const Frame& frame = m_core->pool[index];
    const FrameDetail* detail = m_core->pool.FindDetail(frame);
    const auto* cargo = detail ? dynamic_cast<const PacketCargo*>(detail->cargo) : nullptr;
    if (!cargo)
    {
        Drop(index, DropReason::UNKNOWN_QP); // A RoCE frame for a server without a NIC.
        return;
    }
    const PacketCargo content = *cargo;
    const Ptr<Packet> packet = frame.flags & frame_flag::CE
                                   ? MarkCongestion(content.packet, content.protocol)
                                   : content.packet;
    m_core->pool.Free(index);
    if (!m_promiscReceive.IsNull())
    {
        m_promiscReceive(this,
                         packet,
                         content.protocol,
                         content.source,
                         content.destination,
                         PACKET_HOST);
    }
    if (!m_receive.IsNull())
    {
        m_receive(this, packet, content.protocol, content.source);
    }
}

void
FabricDevice::Receive(FrameIndex index)
{
    ++m_core->packetHops;
    Deliver(index);
}

void
FabricDevice::OnDequeue(FabricPort&, Frame&)
{
}

PulledFrame
FabricDevice::Pull(FabricPort&, uint32_t)
{
    return {};
}

void
FabricDevice::Drop(FrameIndex index, DropReason reason)
{
    m_port.CountDrop(m_core->pool[index], reason);
    m_core->pool.Free(index);
}

bool
FabricDevice::SendFrom(Ptr<Packet>, const Address&, const Address&, uint16_t)
{
    return false;
}

Ptr<Node>
FabricDevice::GetNode() const
{
    return m_node;
}

void
FabricDevice::SetNode(Ptr<Node> node)
{
    m_node = node;
}

bool
FabricDevice::NeedsArp() const
{
    return false;
}

void
FabricDevice::SetReceiveCallback(ReceiveCallback callback)
{
    m_receive = callback;
}

void
FabricDevice::SetPromiscReceiveCallback(PromiscReceiveCallback callback)
{
    m_promiscReceive = callback;
}

bool
FabricDevice::SupportsSendFrom() const
{
    return false;
}

} // namespace ns3::rdma
