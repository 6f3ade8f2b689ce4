// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kernel-tcp.h"

#include "ns3/bounded-checker.h"
#include "ns3/kernel-tcp-run.h"
#include "ns3/type-attributes.h"
#include "ns3/verbs-error.h"

#include <algorithm>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(KernelTcp);

namespace
{

constexpr uint64_t KIB{1024};
constexpr uint64_t MIB{1024 * KIB};

} // namespace

void
KernelTcpLoad::Check() const
{
    if (connections == 0 || threads == 0 || messageBytes == 0 || depth == 0 || burst == 0 ||
        rate.GetBitRate() == 0)
    {
        throw VerbsError("kernel TCP: connections, threads, bytes of a message, depth, burst and "
                         "rate are above 0");
    }
    if (mtu <= IP_TCP_HEADERS)
    {
        throw VerbsError("kernel TCP: an MTU of " + std::to_string(mtu) +
                         " bytes has no room for payload");
    }
}

KernelTcpMessage
KernelTcpCosts::GetMessage(uint64_t bytes, uint32_t mss) const
{
    const auto packets = static_cast<Tick>((bytes + mss - 1) / mss);
    const auto segments = static_cast<Tick>((bytes + segmentBytes - 1) / segmentBytes);
    return {systemCall + sendCopy.GetDuration(bytes),
            segments * sendSegment,
            packets * receivePacket + pages.GetDuration(bytes),
            segments * receiveSegment,
            systemCall + receiveCopy.GetDuration(bytes)};
}

TypeId
KernelTcp::GetTypeId()
{
    const auto cost = [](Time KernelTcp::*member, Time initial) {
        return Member(member, initial, Time(0), MilliSeconds(10));
    };
    static TypeId tid =
        TypeAttributes::Of<KernelTcp, Object>("ns3::rdma::KernelTcp", "RdmaNic")
            .Add("SystemCall",
                 cost(&KernelTcp::m_systemCall, NanoSeconds(300)),
                 "Core time of one send or receive, without the copy (our estimate)")
            .Add("SendSegment",
                 cost(&KernelTcp::m_sendSegment, NanoSeconds(1500)),
                 "Core time of one segment at the sender, up to SegmentBytes: TCP, IP, queueing, "
                 "driver, completion (our estimate)")
            .Add("ReceivePacket",
                 cost(&KernelTcp::m_receivePacket, NanoSeconds(150)),
                 "Core time of one packet at the receiver, without its pages: driver, buffer, GRO "
                 "(our estimate)")
            .Add("ReceiveSegment",
                 cost(&KernelTcp::m_receiveSegment, NanoSeconds(1500)),
                 "Core time of one segment that GRO has merged: IP, TCP, socket, acknowledgment "
                 "(our estimate)")
            .Add("Acknowledgment",
                 cost(&KernelTcp::m_acknowledgment, NanoSeconds(400)),
                 "Core time of one acknowledgment at the sender (our estimate)")
            .Add("Interrupt",
                 cost(&KernelTcp::m_interrupt, MicroSeconds(1)),
                 "Core time of an interrupt and of starting its softirq (our estimate)")
            .Add("WakeUp",
                 cost(&KernelTcp::m_wakeUp, MicroSeconds(2)),
                 "Core time until a thread that slept runs (our estimate)")
            .Add("ConnectionMiss",
                 cost(&KernelTcp::m_connectionMiss, MicroSeconds(1)),
                 "Core time to load the state of a connection that is not cached: about 40 lines "
                 "(our estimate)")
            .Add("CachedConnections",
                 Member(&KernelTcp::m_cachedConnections, 256),
                 "Connections of a core whose state is cached: 1 MB of L2 (Cai et al. 2021, "
                 "section 2.2) / 4 KB (our estimate)")
            .Add("SendCopy",
                 Member(&KernelTcp::m_sendCopy, DataRate("160Gbps")),
                 "Rate at which a core copies from the sender's buffer (our estimate; both sides "
                 "of the copy are in its cache)")
            .Add("ReceiveCopy",
                 Member(&KernelTcp::m_receiveCopy, DataRate("84Gbps")),
                 "Rate at which a core copies to the receiver's buffer (half of a core at 42 Gb/s: "
                 "Cai et al. 2021, section 1)")
            .Add("Pages",
                 Member(&KernelTcp::m_pages, DataRate("178Gbps")),
                 "Rate at which a core can provide and free the pages that packets are received to "
                 "(fitted to Cai et al. 2021, 42 Gb/s per core with 9000 B packets: what the other "
                 "costs leave)")
            .Add("SegmentBytes",
                 Member(&KernelTcp::m_segmentBytes, 64 * KIB, 9000, MIB),
                 "Most payload of a segment (TSO and GRO: 64 KiB, Linux)")
            .Add("PollPackets",
                 Member(&KernelTcp::m_pollPackets, 64, 1, 65536),
                 "Packets of one softirq poll, over which GRO merges (NAPI weight 64, Linux)")
            .Add("ReadBytes",
                 Member(&KernelTcp::m_readBytes, 64 * KIB, 1),
                 "Most that the receiver asks for in one call (our choice)")
            .Add("SocketBuffer",
                 Member(&KernelTcp::m_socketBuffer, 4 * MIB, 64 * KIB),
                 "Bytes of a connection that may be unacknowledged (4 MiB: Linux, maximum of "
                 "tcp_wmem)")
            .Add("NicQueue",
                 Member(&KernelTcp::m_nicQueueBytes, MIB, 1),
                 "Bytes in the sender's NIC beyond which its threads wait (1 MiB: Linux, "
                 "tcp_limit_output_bytes, here for all together)")
            .Add("Moderation",
                 cost(&KernelTcp::m_moderation, MicroSeconds(8)),
                 "Time from a packet to its interrupt (8 us: Linux 5.x, mlx5, "
                 "MLX5E_PARAMS_DEFAULT_RX_CQ_MODERATION_USEC_FROM_CQE)")
            .Add("CompletionDelay",
                 cost(&KernelTcp::m_completionDelay, MicroSeconds(16)),
                 "Time from the end of a segment on the wire to its completion at the sender (16 "
                 "us: Linux 5.x, mlx5, MLX5E_PARAMS_DEFAULT_TX_CQ_MODERATION_USEC)")
            .Add("CompletionPackets",
                 Member(&KernelTcp::m_completionPackets, 32, 1),
                 "Packets of a segment from which there is no such delay (32: Linux 5.x, mlx5, "
                 "MLX5E_PARAMS_DEFAULT_TX_CQ_MODERATION_PKTS)")
            .Add("NicLatency",
                 cost(&KernelTcp::m_nicLatency, MicroSeconds(1)),
                 "Latency of both NICs and their PCIe together (our estimate: the latency of RDMA "
                 "between such NICs, about 1 us)")
            .Add("ShortIdleExit",
                 cost(&KernelTcp::m_shortIdleExit, MicroSeconds(2)),
                 "Wake-up time of a core that slept less than LongIdle (2 us: Linux, intel_idle, "
                 "state C1 of Skylake-X)")
            .Add("LongIdleExit",
                 cost(&KernelTcp::m_longIdleExit, MicroSeconds(10)),
                 "Wake-up time of a core that slept LongIdle or more (10 us: Linux, intel_idle, "
                 "state C1E of Skylake-X)")
            .Add("LongIdle",
                 cost(&KernelTcp::m_longIdle, MicroSeconds(20)),
                 "Sleep from which LongIdleExit holds (20 us: target residency of C1E, as above)");
    return tid;
}

KernelTcpCosts
KernelTcp::GetCosts() const
{
    KernelTcpCosts costs;
    costs.systemCall = ToTick(m_systemCall);
    costs.sendSegment = ToTick(m_sendSegment);
    costs.receivePacket = ToTick(m_receivePacket);
    costs.receiveSegment = ToTick(m_receiveSegment);
    costs.acknowledgment = ToTick(m_acknowledgment);
    costs.interrupt = ToTick(m_interrupt);
    costs.wakeUp = ToTick(m_wakeUp);
    costs.connectionMiss = ToTick(m_connectionMiss);
    costs.moderation = ToTick(m_moderation);
    costs.completionDelay = ToTick(m_completionDelay);
    costs.completionPackets = m_completionPackets;
    costs.nicLatency = ToTick(m_nicLatency);
    costs.shortIdleExit = ToTick(m_shortIdleExit);
    costs.longIdleExit = ToTick(m_longIdleExit);
    costs.longIdle = ToTick(m_longIdle);
    costs.sendCopy = SerializationRate(m_sendCopy);
    costs.receiveCopy = SerializationRate(m_receiveCopy);
    costs.pages = SerializationRate(m_pages);
    costs.cachedConnections = m_cachedConnections;
    costs.segmentBytes = m_segmentBytes;
    costs.pollPackets = m_pollPackets;
    costs.readBytes = m_readBytes;
    costs.socketBuffer = m_socketBuffer;
    costs.nicQueueBytes = m_nicQueueBytes;
    return costs;
}

KernelTcpBandwidth
KernelTcp::MeasureBandwidth(const KernelTcpLoad& load) const
{
    load.Check();
    if (load.messages == 0)
    {
        throw VerbsError("kernel TCP: a stream has messages");
    }
    return KernelTcpRun(GetCosts(), load).Run();
}

std::vector<KernelTcpStep>
KernelTcp::MeasureLatency(const KernelTcpLoad& load) const
{
    load.Check();
    const KernelTcpCosts costs = GetCosts();
    const uint64_t bytes = load.messageBytes;
    const uint64_t packets = (bytes + load.GetMss() - 1) / load.GetMss();
    const KernelTcpMessage message = costs.GetMessage(bytes, load.GetMss());
    const uint64_t wire = bytes + packets * (KernelTcpLoad::IP_TCP_HEADERS +
                                             KernelTcpLoad::ETHERNET + KernelTcpLoad::FRAMING);
    std::vector<KernelTcpStep> steps{
        {"send call", message.sendCall},
        {"send segments", message.sendSegments},
        {"NICs and PCIe", costs.nicLatency, false},
        {"wire", SerializationRate(load.rate).GetDuration(wire) + ToTick(load.delay), false},
        {"interrupt moderation", costs.moderation, false},
        {"idle exit", 0, false},
        {"interrupt", costs.interrupt},
        {"receive packets", message.receivePackets},
        {"receive segments", message.receiveSegments},
        {"wake-up", costs.wakeUp},
        {"receive call", message.receiveCall},
    };
    // In a ping-pong a core sleeps from the end of its send to the interrupt of the answer.
    Tick oneWay = 0;
    Tick own = 0; // The work of one host in a round trip: one message each way.
    for (const KernelTcpStep& step : steps)
    {
        oneWay += step.duration;
        own += step.isWork ? step.duration : 0;
    }
    constexpr std::size_t IDLE_EXIT{5};
    steps[IDLE_EXIT].duration = costs.GetIdleExit(2 * oneWay - own);
    return steps;
}

} // namespace ns3::rdma
