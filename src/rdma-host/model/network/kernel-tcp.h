// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_KERNEL_TCP_H
#define RDMA_KERNEL_TCP_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/tick.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// Core time of one message.
struct KernelTcpMessage
{
    Tick sendCall{0};
    Tick sendSegments{0};
    Tick receivePackets{0};
    Tick receiveSegments{0};
    Tick receiveCall{0};

    Tick GetSend() const
    {
        return sendCall + sendSegments;
    }

    /// @return without interrupt and wake-up.
    Tick GetReceive() const
    {
        return receivePackets + receiveSegments + receiveCall;
    }
};

/// What takes a core's time, as ticks: the attributes of KernelTcp.
struct KernelTcpCosts
{
    Tick systemCall{0};
    Tick sendSegment{0};
    Tick receivePacket{0};
    Tick receiveSegment{0};
    Tick acknowledgment{0};
    Tick interrupt{0};
    Tick wakeUp{0};
    Tick connectionMiss{0};
    Tick moderation{0};
    Tick completionDelay{0};
    Tick nicLatency{0};
    Tick shortIdleExit{0};
    Tick longIdleExit{0};
    Tick longIdle{0};
    SerializationRate sendCopy;
    SerializationRate receiveCopy;
    SerializationRate pages;
    uint32_t cachedConnections{0};
    uint32_t segmentBytes{0};
    uint32_t completionPackets{0};
    uint32_t pollPackets{0};
    uint32_t readBytes{0};
    uint64_t socketBuffer{0};
    uint64_t nicQueueBytes{0};

    /// @param mss payload of a full packet
    KernelTcpMessage GetMessage(uint64_t bytes, uint32_t mss) const;

    /// @return until a core that has slept so long runs again.
    Tick GetIdleExit(Tick idle) const
    {
        return idle >= longIdle ? longIdleExit : shortIdleExit;
    }
};

/// What two hosts do, back to back.
struct KernelTcpLoad
{
    uint64_t messageBytes{65536};
    uint32_t connections{1};
    uint32_t threads{1};  ///< At each end, a core each; connection i is of thread i mod threads.
    uint32_t depth{128};  ///< Messages of a connection that may be unacknowledged.
    uint32_t burst{128};  ///< Messages that a thread writes before it turns to another connection.
    uint64_t messages{0}; ///< Of all connections.
    DataRate rate{"100Gbps"};
    Time delay{NanoSeconds(5)}; ///< Of the cable.
    uint32_t mtu{1500};

    /// IPv4 20, TCP 20, its time stamps 12 (RFC 791, 9293, 7323).
    static constexpr uint32_t IP_TCP_HEADERS{52};
    /// Ethernet header 14, FCS 4.
    static constexpr uint32_t ETHERNET{18};
    /// Preamble 8, inter-packet gap 12.
    static constexpr uint32_t FRAMING{20};

    /// @throws VerbsError if nothing could be sent: a number is 0, or there is no room for payload
    void Check() const;

    /// @return payload of a full packet.
    uint32_t GetMss() const
    {
        return mtu - IP_TCP_HEADERS;
    }
};

/// What came of it, without warm-up and end.
struct KernelTcpBandwidth
{
    double goodput{0};    ///< Gb/s of payload.
    double wire{0};       ///< Gb/s as a port counts them: without preamble and gap.
    double messages{0};   ///< Millions per second.
    double perSegment{0}; ///< Messages in a segment, as the sender's stack passes it on.
    double senderCpu{0};  ///< Share of one core, over all cores: 1.5 is one and a half.
    double receiverCpu{0};
};

/// One step of a message's way.
struct KernelTcpStep
{
    std::string name;
    Tick duration;
    bool isWork{true}; ///< A core does it; else it waits.
};

/**
 * @ingroup rdma-tcp
 * @brief What a kernel TCP stream costs the cores of two hosts, for comparison with RDMA.
 *
 * Costs are per system call, byte, packet, segment, interrupt and wake-up; KernelTcpRun lets them
 * work against each other.  On each end a thread and the softirqs of its connections share a core
 * (aRFS, as Cai et al. 2021 measure).  The receiver's copy and page costs are fitted to the one
 * number that they print for a long flow with jumbo frames, 42 Gb/s per core and more than half of
 * it copying (SIGCOMM 2021, sections 1 and 3.1); nothing is fitted to SRNIC's TCP curves.
 *
 * Not modelled: congestion control and losses, NUMA, cache misses of the copied data as its backlog
 * grows, locks between cores, adaptive moderation, zero copy.
 */
class KernelTcp : public Object
{
  public:
    static TypeId GetTypeId();

    /// @return its costs as they are now.
    KernelTcpCosts GetCosts() const;

    /// A stream of messages, as fast as it goes.
    KernelTcpBandwidth MeasureBandwidth(const KernelTcpLoad& load) const;

    /// A message on an idle connection, from the sender's call to the return of the receiver's:
    /// half of a ping-pong.  @return its steps, in order
    std::vector<KernelTcpStep> MeasureLatency(const KernelTcpLoad& load) const;

  private:
    KernelTcpCosts m_costs; ///< Without the rates, which are the next three.
    DataRate m_sendCopy;
    DataRate m_receiveCopy;
    DataRate m_pages;
};

} // namespace ns3::rdma

#endif // RDMA_KERNEL_TCP_H
