// SPDX-License-Identifier: GPL-2.0-only
// Compiled alone: among other files of a chunk g++ inlines less of it, and it takes 1.6 times as
// long.
#include "bare-loop.h"

#include "bare-calendar.h"
#include "bare-fabric.h"
#include "bare-switches.h"

#include <stdexcept>
#include <utility>

namespace ns3::rdma
{

namespace
{

constexpr uint32_t NONE{BARE_NONE};
constexpr uint32_t FLOW_START{NONE}; ///< Port of the event that starts the flow in place of frame.

constexpr uint32_t MTU{1024};
constexpr uint32_t HEADER_BYTES{82}; ///< Ethernet 14 + 24, IP 20, UDP 8, BTH 12, ICRC 4.
constexpr uint32_t ACK_BYTES{86};    ///< The same and AETH 4.
constexpr int64_t LINK_PS{1'000'000};

/// Events per server and picosecond under this load, measured.
constexpr double EVENT_DENSITY{7.3e-5};

struct Sender
{
    uint32_t src;
    uint32_t dst;
    uint32_t entropy;
    uint32_t lastBytes; ///< Of the last packet.
    uint32_t unsent;
    uint32_t unacknowledged; ///< Packets, sent or not.
    uint32_t inFlight{0};
    uint32_t nextPsn{0};
    uint32_t nextReady{NONE};
    bool isReady{false};
    int64_t startPs;
};

/// Flows that may send, served in turn, one packet each.
struct Server
{
    uint32_t firstReady{NONE};
    uint32_t lastReady{NONE};
    bool hasEvent{false}; ///< The port is busy and has an event for its end.
};

/// Where a flow's packets arrive.
struct Receiver
{
    uint32_t expectedPsn{0};
};

template <bool HAS_SWITCH_MODEL>
class BareLoopImpl : public BareLoop
{
  public:
    BareLoopImpl(const BareLoopShape& shape, const std::vector<BareLoopFlow>& flows)
        : m_serverCount(shape.GetServerCount()),
          m_ports(BarePortMaker(shape).Make()),
          m_servers(m_serverCount),
          m_switches(m_ports.back().owner + 1),
          m_receivers(flows.size()),
          m_completionTimes(flows.size(), -1),
          m_calendar(m_serverCount * EVENT_DENSITY, LINK_PS + MTU_PS)
    {
        const int64_t hops = shape.coresPerAggregate > 0 ? 6 : shape.aggregatesPerPod > 0 ? 4 : 2;
        const int64_t psPerByte =
            2 * BARE_SERVER_PS_PER_BYTE + (hops - 2) * BARE_FABRIC_PS_PER_BYTE;
        const int64_t rttPs = 2 * hops * LINK_PS + (MTU + HEADER_BYTES + ACK_BYTES) * psPerByte;
        m_window = static_cast<uint32_t>(rttPs / MTU_PS + 1);
        uint32_t entropy = 0;
        for (const BareLoopFlow& flow : flows)
        {
            entropy = entropy * 1664525 + 1013904223; // Numerical Recipes; the high bits are good.
            m_senders.push_back(MakeSender(flow, entropy >> 4));
        }
    }

    BareLoopResult Run(int64_t endPs) override
    {
        while (m_calendar.GetSlotEnd() < endPs && m_result.completedFlows < m_senders.size())
        {
            m_calendar.Advance();
            InsertFlowStarts();
            Prefetch();
            BareEvent event;
            while (m_calendar.Pop(event))
            {
                Handle(event);
            }
        }
        return m_result;
    }

    int64_t GetCompletionTime(uint32_t flow) const override
    {
        return m_completionTimes[flow];
    }

  private:
    static constexpr int64_t MTU_PS{(MTU + HEADER_BYTES) * BARE_SERVER_PS_PER_BYTE};

    static Sender MakeSender(const BareLoopFlow& flow, uint32_t entropy)
    {
        const auto packets = static_cast<uint32_t>((flow.bytes + MTU - 1) / MTU);
        Sender sender{};
        sender.src = flow.src;
        sender.dst = flow.dst;
        sender.entropy = entropy;
        sender.lastBytes = static_cast<uint32_t>(flow.bytes - (packets - 1ULL) * MTU);
        sender.unsent = packets;
        sender.unacknowledged = packets;
        sender.nextReady = NONE;
        sender.startPs = flow.startPs;
        return sender;
    }

    void InsertFlowStarts()
    {
        for (; m_nextFlow < m_senders.size() &&
               m_senders[m_nextFlow].startPs < m_calendar.GetSlotEnd();
             ++m_nextFlow)
        {
            m_calendar.InsertIntoCurrent({m_senders[m_nextFlow].startPs, FLOW_START, m_nextFlow});
        }
    }

    /// Fetches what the next slot's events touch, half a microsecond before they do.
    void Prefetch() const
    {
        m_calendar.ForEachOfNextSlot([this](const BareEvent& event) {
            const BarePort& port = m_ports[event.port];
            const uint32_t head = port.head;
            // NONE is far outside: an address that is not there may be prefetched.
            __builtin_prefetch(m_frames.data() + (event.frame == NONE ? head : event.frame));
            __builtin_prefetch(&port);
        });
    }

    void Handle(const BareEvent& event)
    {
        ++m_result.events;
        m_now = event.time;
        if (event.port < m_serverCount)
        {
            if (event.frame == NONE)
            {
                SendFromServer(event.port);
            }
            else
            {
                ReceiveAtServer(event.port, event.frame);
            }
        }
        else if (event.frame == NONE)
        {
            SendFromSwitch(event.port);
        }
        else if (event.port != FLOW_START)
        {
            ArriveAtSwitch(event.port, event.frame);
        }
        else
        {
            AddReady(event.frame);
            WakeServer(m_senders[event.frame].src);
        }
    }

    /// The port's egress queue is not asked: the caller took the frame from it, or it is empty.
    void Transmit(BarePort& port, uint32_t index, const BareFrame& frame)
    {
        port.busyUntil = m_now + frame.wireBytes * port.psPerByte;
        ++m_result.packetHops;
        m_calendar.Push(port.busyUntil + LINK_PS, port.hop.ChoosePort(frame), index);
    }

    void TransmitFromSwitch(BarePort& port, uint32_t index, const BareFrame& frame)
    {
        if constexpr (HAS_SWITCH_MODEL)
        {
            m_switches.Release(port, frame);
        }
        Transmit(port, index, frame);
    }

    void ArriveAtSwitch(uint32_t portIndex, uint32_t index)
    {
        BarePort& port = m_ports[portIndex];
        BareFrame& frame = m_frames[index];
        frame.next = NONE;
        if constexpr (HAS_SWITCH_MODEL)
        {
            m_switches.Admit(port, frame);
        }
        if (port.head != NONE)
        {
            m_frames[port.tail].next = index;
            port.tail = index;
        }
        else if (port.busyUntil <= m_now)
        {
            TransmitFromSwitch(port, index, frame);
        }
        else
        {
            port.head = index;
            port.tail = index;
            m_calendar.Push(port.busyUntil, portIndex, NONE);
        }
    }

    void SendFromSwitch(uint32_t portIndex)
    {
        BarePort& port = m_ports[portIndex];
        const uint32_t index = port.head;
        const BareFrame& frame = m_frames[index];
        port.head = frame.next;
        TransmitFromSwitch(port, index, frame);
        m_calendar.PushIf(port.head != NONE, port.busyUntil, portIndex, NONE);
    }

    void ReceiveAtServer(uint32_t serverIndex, uint32_t index)
    {
        BareFrame& frame = m_frames[index];
        if (frame.isAck)
        {
            m_result.marks += frame.isMarked;
            frame.next = m_freeFrame;
            m_freeFrame = index;
            OnAck(serverIndex, frame.flow); // May make a packet in the same frame.
            return;
        }
        Receiver& receiver = m_receivers[frame.flow];
        if (frame.psn != receiver.expectedPsn)
        {
            throw std::logic_error("bare loop: a packet came out of order");
        }
        ++receiver.expectedPsn;
        m_result.receivedBytes += frame.payloadBytes;
        // The acknowledgment travels in the same frame.
        frame.isAck = true;
        std::swap(frame.src, frame.dst);
        frame.wireBytes = ACK_BYTES;
        BarePort& port = m_ports[serverIndex];
        if (!m_servers[serverIndex].hasEvent && port.busyUntil <= m_now)
        {
            Transmit(port, index, frame);
            return;
        }
        frame.next = NONE;
        (port.head == NONE ? port.head : m_frames[port.tail].next) = index;
        port.tail = index;
        WakeServer(serverIndex);
    }

    void OnAck(uint32_t serverIndex, uint32_t flow)
    {
        Sender& sender = m_senders[flow];
        --sender.inFlight;
        if (--sender.unacknowledged == 0)
        {
            ++m_result.completedFlows;
            m_completionTimes[flow] = m_now - sender.startPs;
        }
        else if (sender.unsent > 0 && !sender.isReady)
        {
            AddReady(flow);
            WakeServer(serverIndex);
        }
    }

    void AddReady(uint32_t flow)
    {
        Sender& sender = m_senders[flow];
        sender.isReady = true;
        sender.nextReady = NONE;
        Server& server = m_servers[sender.src];
        (server.firstReady == NONE ? server.firstReady : m_senders[server.lastReady].nextReady) =
            flow;
        server.lastReady = flow;
    }

    /// Something waits: has it sent now, or when the port is idle again.
    void WakeServer(uint32_t serverIndex)
    {
        Server& server = m_servers[serverIndex];
        const BarePort& port = m_ports[serverIndex];
        if (server.hasEvent)
        {
            return;
        }
        if (port.busyUntil <= m_now)
        {
            SendFromServer(serverIndex);
            return;
        }
        server.hasEvent = true;
        m_calendar.Push(port.busyUntil, serverIndex, NONE);
    }

    /// Acknowledgments first, then the flows in turn.
    void SendFromServer(uint32_t serverIndex)
    {
        Server& server = m_servers[serverIndex];
        BarePort& port = m_ports[serverIndex];
        uint32_t index = port.head;
        if (index != NONE)
        {
            port.head = m_frames[index].next;
        }
        else
        {
            index = MakePacket(server);
        }
        Transmit(port, index, m_frames[index]);
        server.hasEvent = port.head != NONE || server.firstReady != NONE;
        m_calendar.PushIf(server.hasEvent, port.busyUntil, serverIndex, NONE);
    }

    uint32_t MakePacket(Server& server)
    {
        const uint32_t flow = server.firstReady;
        Sender& sender = m_senders[flow];
        server.firstReady = sender.nextReady;
        sender.isReady = false;
        --sender.unsent;
        ++sender.inFlight;
        const uint32_t payload = sender.unsent == 0 ? sender.lastBytes : MTU;
        const uint32_t index = AllocateFrame();
        BareFrame& frame = m_frames[index];
        frame.src = sender.src;
        frame.dst = sender.dst;
        frame.entropy = sender.entropy;
        frame.wireBytes = payload + HEADER_BYTES;
        frame.flow = flow;
        frame.psn = sender.nextPsn++;
        frame.payloadBytes = static_cast<uint16_t>(payload);
        frame.isAck = false;
        frame.isMarked = false;
        if (sender.unsent > 0 && sender.inFlight < m_window)
        {
            AddReady(flow);
        }
        return index;
    }

    uint32_t AllocateFrame()
    {
        const uint32_t index = m_freeFrame;
        if (index == NONE)
        {
            m_frames.emplace_back();
            return static_cast<uint32_t>(m_frames.size() - 1);
        }
        m_freeFrame = m_frames[index].next;
        return index;
    }

    uint32_t m_serverCount;
    uint32_t m_window; ///< Packets.
    std::vector<BarePort> m_ports;
    std::vector<Server> m_servers;
    BareSwitches m_switches;
    std::vector<BareFrame> m_frames;
    uint32_t m_freeFrame{NONE};
    std::vector<Sender> m_senders;
    std::vector<Receiver> m_receivers;
    std::vector<int64_t> m_completionTimes;
    uint32_t m_nextFlow{0};
    BareCalendar m_calendar;
    int64_t m_now{0};
    BareLoopResult m_result;
};

} // namespace

std::unique_ptr<BareLoop>
BareLoop::Create(const BareLoopShape& shape,
                 const std::vector<BareLoopFlow>& flows,
                 bool hasSwitchModel)
{
    if (hasSwitchModel)
    {
        return std::make_unique<BareLoopImpl<true>>(shape, flows);
    }
    return std::make_unique<BareLoopImpl<false>>(shape, flows);
}

} // namespace ns3::rdma
