// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kernel-tcp.h"

#include "ns3/bounded-checker.h"
#include "ns3/kernel-tcp-run.h"
#include "ns3/uinteger.h"
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
    // Each attribute has a checker of its own: ObjectFactory tells attributes apart by them.
    const auto limits = [] { return MakeTimeChecker(Time(0), MilliSeconds(10)); };
    const auto rates = [] { return MakeRateChecker(); };
    static TypeId tid =
        TypeId("ns3::rdma::KernelTcp")
            .SetParent<Object>()
            .SetGroupName("RdmaNic")
            .AddConstructor<KernelTcp>()
            .AddAttribute("SystemCall",
                          "Core time of one send or receive, without the copy (our estimate)",
                          TimeValue(NanoSeconds(300)),
                          MakeTimeAccessor(&KernelTcp::m_systemCall),
                          limits())
            .AddAttribute("SendSegment",
                          "Core time of one segment at the sender, up to SegmentBytes: TCP, IP, "
                          "queueing, driver, completion (our estimate)",
                          TimeValue(NanoSeconds(1500)),
                          MakeTimeAccessor(&KernelTcp::m_sendSegment),
                          limits())
            .AddAttribute("ReceivePacket",
                          "Core time of one packet at the receiver, without its pages: driver, "
                          "buffer, GRO (our estimate)",
                          TimeValue(NanoSeconds(150)),
                          MakeTimeAccessor(&KernelTcp::m_receivePacket),
                          limits())
            .AddAttribute("ReceiveSegment",
                          "Core time of one segment that GRO has merged: IP, TCP, socket, "
                          "acknowledgment (our estimate)",
                          TimeValue(NanoSeconds(1500)),
                          MakeTimeAccessor(&KernelTcp::m_receiveSegment),
                          limits())
            .AddAttribute("Acknowledgment",
                          "Core time of one acknowledgment at the sender (our estimate)",
                          TimeValue(NanoSeconds(400)),
                          MakeTimeAccessor(&KernelTcp::m_acknowledgment),
                          limits())
            .AddAttribute("Interrupt",
                          "Core time of an interrupt and of starting its softirq (our estimate)",
                          TimeValue(MicroSeconds(1)),
                          MakeTimeAccessor(&KernelTcp::m_interrupt),
                          limits())
            .AddAttribute("WakeUp",
                          "Core time until a thread that slept runs (our estimate)",
                          TimeValue(MicroSeconds(2)),
                          MakeTimeAccessor(&KernelTcp::m_wakeUp),
                          limits())
            .AddAttribute("ConnectionMiss",
                          "Core time to load the state of a connection that is not cached: about "
                          "40 lines (our estimate)",
                          TimeValue(MicroSeconds(1)),
                          MakeTimeAccessor(&KernelTcp::m_connectionMiss),
                          limits())
            .AddAttribute("CachedConnections",
                          "Connections of a core whose state is cached: 1 MB of L2 (Cai et al. "
                          "2021, section 2.2) / 4 KB (our estimate)",
                          UintegerValue(256),
                          MakeUintegerAccessor(&KernelTcp::m_cachedConnections),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("SendCopy",
                          "Rate at which a core copies from the sender's buffer (our estimate; "
                          "both sides of the copy are in its cache)",
                          DataRateValue(DataRate("160Gbps")),
                          MakeDataRateAccessor(&KernelTcp::m_sendCopy),
                          rates())
            .AddAttribute("ReceiveCopy",
                          "Rate at which a core copies to the receiver's buffer (half of a core "
                          "at 42 Gb/s: Cai et al. 2021, section 1)",
                          DataRateValue(DataRate("84Gbps")),
                          MakeDataRateAccessor(&KernelTcp::m_receiveCopy),
                          rates())
            .AddAttribute("Pages",
                          "Rate at which a core can provide and free the pages that packets are "
                          "received to (fitted to Cai et al. 2021, 42 Gb/s per core with 9000 B "
                          "packets: what the other costs leave)",
                          DataRateValue(DataRate("178Gbps")),
                          MakeDataRateAccessor(&KernelTcp::m_pages),
                          rates())
            .AddAttribute("SegmentBytes",
                          "Most payload of a segment (TSO and GRO: 64 KiB, Linux)",
                          UintegerValue(64 * KIB),
                          MakeUintegerAccessor(&KernelTcp::m_segmentBytes),
                          MakeUintegerChecker<uint32_t>(9000, MIB))
            .AddAttribute("PollPackets",
                          "Packets of one softirq poll, over which GRO merges (NAPI weight 64, "
                          "Linux)",
                          UintegerValue(64),
                          MakeUintegerAccessor(&KernelTcp::m_pollPackets),
                          MakeUintegerChecker<uint32_t>(1, 65536))
            .AddAttribute("ReadBytes",
                          "Most that the receiver asks for in one call (our choice)",
                          UintegerValue(64 * KIB),
                          MakeUintegerAccessor(&KernelTcp::m_readBytes),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("SocketBuffer",
                          "Bytes of a connection that may be unacknowledged (4 MiB: Linux, "
                          "maximum of tcp_wmem)",
                          UintegerValue(4 * MIB),
                          MakeUintegerAccessor(&KernelTcp::m_socketBuffer),
                          MakeUintegerChecker<uint64_t>(64 * KIB))
            .AddAttribute("NicQueue",
                          "Bytes in the sender's NIC beyond which its threads wait (1 MiB: Linux, "
                          "tcp_limit_output_bytes, here for all together)",
                          UintegerValue(MIB),
                          MakeUintegerAccessor(&KernelTcp::m_nicQueueBytes),
                          MakeUintegerChecker<uint64_t>(1))
            .AddAttribute("Moderation",
                          "Time from a packet to its interrupt (8 us: Linux 5.x, mlx5, "
                          "MLX5E_PARAMS_DEFAULT_RX_CQ_MODERATION_USEC_FROM_CQE)",
                          TimeValue(MicroSeconds(8)),
                          MakeTimeAccessor(&KernelTcp::m_moderation),
                          limits())
            .AddAttribute(
                "CompletionDelay",
                "Time from the end of a segment on the wire to its completion at the sender (16 "
                "us: Linux 5.x, mlx5, MLX5E_PARAMS_DEFAULT_TX_CQ_MODERATION_USEC)",
                TimeValue(MicroSeconds(16)),
                MakeTimeAccessor(&KernelTcp::m_completionDelay),
                limits())
            .AddAttribute("CompletionPackets",
                          "Packets of a segment from which there is no such delay (32: Linux 5.x, "
                          "mlx5, MLX5E_PARAMS_DEFAULT_TX_CQ_MODERATION_PKTS)",
                          UintegerValue(32),
                          MakeUintegerAccessor(&KernelTcp::m_completionPackets),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("NicLatency",
                          "Latency of both NICs and their PCIe together (our estimate: the "
                          "latency of RDMA between such NICs, about 1 us)",
                          TimeValue(MicroSeconds(1)),
                          MakeTimeAccessor(&KernelTcp::m_nicLatency),
                          limits())
            .AddAttribute("ShortIdleExit",
                          "Wake-up time of a core that slept less than LongIdle (2 us: Linux, "
                          "intel_idle, state C1 of Skylake-X)",
                          TimeValue(MicroSeconds(2)),
                          MakeTimeAccessor(&KernelTcp::m_shortIdleExit),
                          limits())
            .AddAttribute("LongIdleExit",
                          "Wake-up time of a core that slept LongIdle or more (10 us: Linux, "
                          "intel_idle, state C1E of Skylake-X)",
                          TimeValue(MicroSeconds(10)),
                          MakeTimeAccessor(&KernelTcp::m_longIdleExit),
                          limits())
            .AddAttribute("LongIdle",
                          "Sleep from which LongIdleExit holds (20 us: target residency of C1E, as "
                          "above)",
                          TimeValue(MicroSeconds(20)),
                          MakeTimeAccessor(&KernelTcp::m_longIdle),
                          limits());
    return tid;
}

KernelTcp::KernelTcp() = default;

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
