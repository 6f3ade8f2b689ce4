// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kernel-udp.h"

#include "ns3/type-attributes.h"
#include "ns3/verbs-error.h"

#include <algorithm>
#include <deque>
#include <string>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(KernelUdp);

namespace
{

constexpr uint32_t FRAGMENT_UNIT{8};

/// One stream: the stages that a datagram passes, each doing one thing after the other.
class UdpStream
{
  public:
    UdpStream(const KernelTcpCosts& costs,
              Tick sendFragment,
              uint64_t socketBuffer,
              const KernelUdpLoad& load)
        : m_costs(costs),
          m_load(load),
          m_fragments(load.CountFragments()),
          m_room(std::max<uint64_t>(socketBuffer / load.datagramBytes, 1)),
          m_rate(load.rate)
    {
        const uint32_t bytes = load.datagramBytes;
        const Tick pages = costs.pages.GetDuration(bytes) / 2;
        m_sending = costs.systemCall + costs.sendCopy.GetDuration(bytes) + costs.sendSegment +
                    (m_fragments - 1) * sendFragment;
        m_softirq = m_fragments * costs.receivePacket + pages;
        m_reading =
            costs.systemCall + costs.receiveSegment + costs.receiveCopy.GetDuration(bytes) + pages;
        m_wireTime = m_rate.GetDuration(load.GetWireBytes());
        m_queueTime = m_rate.GetDuration(costs.nicQueueBytes);
    }

    KernelUdpBandwidth Run();

  private:
    /// What has happened until a datagram.
    struct Mark
    {
        Tick time{0};
        uint64_t read{0};
        Tick sender{0};
        Tick softirq{0};
        Tick reader{0};
    };

    Tick Send();
    Tick TakeInterrupts(Tick arrivedAt);
    void Read(Tick deliveredAt);

    const KernelTcpCosts& m_costs;
    const KernelUdpLoad& m_load;
    uint32_t m_fragments;
    uint64_t m_room; ///< Datagrams in the socket's buffer.
    SerializationRate m_rate;
    Tick m_sending;
    Tick m_softirq;
    Tick m_reading;
    Tick m_wireTime;
    Tick m_queueTime;
    Tick m_senderFree{0};
    Tick m_linkFree{0};
    Tick m_softirqFree{0};
    Tick m_readerFree{0};
    std::deque<Tick> m_unread; ///< When each datagram in the socket's buffer will have been read.
    Mark m_now;
    uint64_t m_lost{0};
};

Tick
UdpStream::Send()
{
    const Tick start = std::max(m_senderFree, m_linkFree - m_queueTime);
    m_senderFree = start + m_sending;
    m_now.sender += m_sending;
    m_linkFree = std::max(m_linkFree, m_senderFree) + m_wireTime;
    return m_linkFree + m_costs.nicLatency;
}

Tick
UdpStream::TakeInterrupts(Tick arrivedAt)
{
    Tick start = m_softirqFree;
    Tick work = m_softirq;
    if (arrivedAt > m_softirqFree) // It has gone to sleep: what comes meanwhile needs no interrupt.
    {
        const Tick idle = arrivedAt + m_costs.moderation - m_softirqFree;
        start = arrivedAt + m_costs.moderation + m_costs.GetIdleExit(idle);
        work += m_costs.interrupt;
    }
    m_softirqFree = start + work;
    m_now.softirq += work;
    return m_softirqFree;
}

void
UdpStream::Read(Tick deliveredAt)
{
    while (!m_unread.empty() && m_unread.front() <= deliveredAt)
    {
        m_unread.pop_front();
    }
    if (m_unread.size() >= m_room)
    {
        ++m_lost;
        return;
    }
    Tick start = m_readerFree;
    Tick work = m_reading;
    if (deliveredAt > m_readerFree)
    {
        start = deliveredAt + m_costs.GetIdleExit(deliveredAt - m_readerFree);
        work += m_costs.wakeUp;
    }
    m_readerFree = start + work;
    m_now.reader += work;
    m_unread.push_back(m_readerFree);
    ++m_now.read;
    m_now.time = m_readerFree;
}

KernelUdpBandwidth
UdpStream::Run()
{
    const uint64_t first = m_load.datagrams / 5; // A fifth of the datagrams is warm-up.
    Mark begin;
    uint64_t lostBefore = 0;
    Tick senderBegin = 0;
    for (uint64_t number = 0; number < m_load.datagrams; ++number)
    {
        Read(TakeInterrupts(Send()));
        if (number == first)
        {
            begin = m_now;
            lostBefore = m_lost;
            senderBegin = m_senderFree;
        }
    }
    const auto share = [&](Tick busy, Tick before) {
        return static_cast<double>(busy - before) / static_cast<double>(m_now.time - begin.time);
    };
    const double bits = 8.0 * m_load.datagramBytes;
    const double sent = static_cast<double>(m_load.datagrams - 1 - first);
    KernelUdpBandwidth result;
    result.goodput = static_cast<double>(m_now.read - begin.read) * bits * 1e3 /
                     static_cast<double>(m_now.time - begin.time);
    result.offered = sent * bits * 1e3 / static_cast<double>(m_senderFree - senderBegin);
    result.lost = static_cast<double>(m_lost - lostBefore) / sent;
    result.senderCpu = static_cast<double>(m_now.sender - begin.sender) /
                       static_cast<double>(m_senderFree - senderBegin);
    result.readerCpu = share(m_now.reader, begin.reader);
    result.softirqCpu = share(m_now.softirq, begin.softirq);
    result.fragments = m_fragments;
    return result;
}

} // namespace

void
KernelUdpLoad::Check() const
{
    if (datagramBytes == 0 || datagramBytes > MAX_BYTES)
    {
        throw VerbsError("a datagram has 1 to " + std::to_string(MAX_BYTES) + " bytes, not " +
                         std::to_string(datagramBytes));
    }
    if (mtu < IP_HEADER + FRAGMENT_UNIT || rate.GetBitRate() == 0 || datagrams < 10)
    {
        throw VerbsError("a stream of datagrams needs an MTU, a rate and ten of them");
    }
}

uint32_t
KernelUdpLoad::CountFragments() const
{
    const uint32_t bytes = datagramBytes + UDP_HEADER;
    if (bytes + IP_HEADER <= mtu)
    {
        return 1;
    }
    const uint32_t each = (mtu - IP_HEADER) / FRAGMENT_UNIT * FRAGMENT_UNIT;
    return (bytes + each - 1) / each;
}

uint64_t
KernelUdpLoad::GetWireBytes() const
{
    const uint64_t headers = IP_HEADER + KernelTcpLoad::ETHERNET + KernelTcpLoad::FRAMING;
    return datagramBytes + UDP_HEADER + CountFragments() * headers;
}

TypeId
KernelUdp::GetTypeId()
{
    static TypeId tid =
        TypeAttributes::Of<KernelUdp, Object>("ns3::rdma::KernelUdp", "RdmaHost")
            .Add("SendFragment",
                 Member(&KernelUdp::m_sendFragment, NanoSeconds(300), Time(0), MilliSeconds(10)),
                 "Core time of each fragment of a datagram beyond the first, at the sender: IP "
                 "header, queueing, driver, completion (our estimate)")
            .Add("SocketBuffer",
                 Member(&KernelUdp::m_socketBuffer, 212992, 1),
                 "Payload that waits for the reader at most, bytes; one datagram always may "
                 "(212992: Linux, net.core.rmem_default)");
    return tid;
}

KernelUdpBandwidth
KernelUdp::MeasureBandwidth(const KernelTcp& stack, const KernelUdpLoad& load) const
{
    load.Check();
    const KernelTcpCosts costs = stack.GetCosts();
    return UdpStream(costs, ToTick(m_sendFragment), m_socketBuffer, load).Run();
}

} // namespace ns3::rdma
