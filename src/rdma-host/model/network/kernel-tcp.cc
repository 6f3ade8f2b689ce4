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
    const auto cost = [](Tick KernelTcpCosts::*field, Time initial) {
        return Part(&KernelTcp::m_costs, field, initial, Time(0), MilliSeconds(10));
    };
    const auto number = [](auto field, uint64_t initial, auto... bounds) {
        return Part(&KernelTcp::m_costs, field, initial, bounds...);
    };
    static TypeId tid =
        TypeAttributes::Of<KernelTcp, Object>("ns3::rdma::KernelTcp", "RdmaNic")
            .Add("SystemCall",
                 cost(&KernelTcpCosts::systemCall, NanoSeconds(300)),
                 "Core time of one send or receive, without the copy (our estimate)")
            .Add("SendSegment",
                 cost(&KernelTcpCosts::sendSegment, NanoSeconds(1500)),
                 "Core time of one segment at the sender, up to SegmentBytes: TCP, IP, queueing, "
                 "driver, completion (our estimate)")
            .Add("ReceivePacket",
                 cost(&KernelTcpCosts::receivePacket, NanoSeconds(150)),
                 "Core time of one packet at the receiver, without its pages: driver, buffer, GRO "
                 "(our estimate)")
            .Add("ReceiveSegment",
                 cost(&KernelTcpCosts::receiveSegment, NanoSeconds(1500)),
                 "Core time of one segment that GRO has merged: IP, TCP, socket, acknowledgment "
                 "(our estimate)")
            .Add("Acknowledgment",
                 cost(&KernelTcpCosts::acknowledgment, NanoSeconds(400)),
                 "Core time of one acknowledgment at the sender (our estimate)")
            .Add("Interrupt",
                 cost(&KernelTcpCosts::interrupt, MicroSeconds(1)),
                 "Core time of an interrupt and of starting its softirq (our estimate)")
            .Add("WakeUp",
                 cost(&KernelTcpCosts::wakeUp, MicroSeconds(2)),
                 "Core time until a thread that slept runs (our estimate)")
            .Add("ConnectionMiss",
                 cost(&KernelTcpCosts::connectionMiss, MicroSeconds(1)),
                 "Core time to load the state of a connection that is not cached: about 40 lines "
                 "(our estimate)")
            .Add("CachedConnections",
                 number(&KernelTcpCosts::cachedConnections, 256),
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
                 number(&KernelTcpCosts::segmentBytes, 64 * KIB, 9000, MIB),
                 "Most payload of a segment (TSO and GRO: 64 KiB, Linux)")
            .Add("PollPackets",
                 number(&KernelTcpCosts::pollPackets, 64, 1, 65536),
                 "Packets of one softirq poll, over which GRO merges (NAPI weight 64, Linux)")
            .Add("ReadBytes",
                 number(&KernelTcpCosts::readBytes, 64 * KIB, 1),
                 "Most that the receiver asks for in one call (our choice)")
            .Add("SocketBuffer",
                 number(&KernelTcpCosts::socketBuffer, 4 * MIB, 64 * KIB),
                 "Bytes of a connection that may be unacknowledged (4 MiB: Linux, maximum of "
                 "tcp_wmem)")
            .Add("NicQueue",
                 number(&KernelTcpCosts::nicQueueBytes, MIB, 1),
                 "Bytes in the sender's NIC beyond which its threads wait (1 MiB: Linux, "
                 "tcp_limit_output_bytes, here for all together)")
            .Add("Moderation",
                 cost(&KernelTcpCosts::moderation, MicroSeconds(8)),
                 "Time from a packet to its interrupt (8 us: Linux 5.x, mlx5, "
                 "MLX5E_PARAMS_DEFAULT_RX_CQ_MODERATION_USEC_FROM_CQE)")
            .Add("CompletionDelay",
                 cost(&KernelTcpCosts::completionDelay, MicroSeconds(16)),
                 "Time from the end of a segment on the wire to its completion at the sender (16 "
                 "us: Linux 5.x, mlx5, MLX5E_PARAMS_DEFAULT_TX_CQ_MODERATION_USEC)")
            .Add("CompletionPackets",
                 number(&KernelTcpCosts::completionPackets, 32, 1),
                 "Packets of a segment from which there is no such delay (32: Linux 5.x, mlx5, "
                 "MLX5E_PARAMS_DEFAULT_TX_CQ_MODERATION_PKTS)")
            .Add("NicLatency",
                 cost(&KernelTcpCosts::nicLatency, MicroSeconds(1)),
                 "Latency of both NICs and their PCIe together (our estimate: the latency of RDMA "
                 "between such NICs, about 1 us)")
            .Add("ShortIdleExit",
                 cost(&KernelTcpCosts::shortIdleExit, MicroSeconds(2)),
                 "Wake-up time of a core that slept less than LongIdle (2 us: Linux, intel_idle, "
                 "state C1 of Skylake-X)")
            .Add("LongIdleExit",
                 cost(&KernelTcpCosts::longIdleExit, MicroSeconds(10)),
                 "Wake-up time of a core that slept LongIdle or more (10 us: Linux, intel_idle, "
                 "state C1E of Skylake-X)")
            .Add("LongIdle",
                 cost(&KernelTcpCosts::longIdle, MicroSeconds(20)),
                 "Sleep from which LongIdleExit holds (20 us: target residency of C1E, as above)");
    return tid;
}

KernelTcpCosts
KernelTcp::GetCosts() const
{
    KernelTcpCosts costs = m_costs;
    costs.sendCopy = SerializationRate(m_sendCopy);
    costs.receiveCopy = SerializationRate(m_receiveCopy);
    costs.pages = SerializationRate(m_pages);
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
