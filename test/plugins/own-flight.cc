// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flight-factory.h"
#include "ns3/flight-state.h"
#include "ns3/opcode.h"
#include "ns3/receiver-control.h"
#include "ns3/uinteger.h"
#include "ns3/wire-format.h"

#include <algorithm>
#include <map>

namespace ns3::rdma
{

/// A transport of a user's own: a fixed number of packets is in flight, each with its own timer,
/// and each is acknowledged by itself.
class OwnFlight : public Flight
{
  public:
    OwnFlight(FlightState& state, uint32_t mostPackets)
        : Flight(state),
          m_mostPackets(mostPackets)
    {
    }

    bool CanSend() const override
    {
        const PacketWindow& window = m_state.window;
        return m_departures.size() < m_mostPackets &&
               (window.HasLost() || (!m_state.isBroken && window.HasNext(*m_state.rules)));
    }

    void OnSent(const OutgoingPacket& packet, uint32_t, Tick now) override
    {
        m_departures[packet.psn.Expand(m_state.window.GetUnacked())] = now;
    }

    uint64_t GetInFlightBytes() const override
    {
        return m_departures.size() * uint64_t{m_state.rules->path.mtuBytes};
    }

    bool HandlesAnswer(const Frame& answer) const override
    {
        return answer.syndrome == syndrome::ACK;
    }

    void OnReport(const ReceivedAnswer& answer, Completions& completions, Tick now) override
    {
        const Frame& frame = answer.frame;
        const uint64_t own = Psn(frame.ack.selectivePsn).Expand(m_state.window.GetUnacked());
        m_departures.erase(own);
        if (own >= answer.acknowledged)
        {
            m_state.window.CancelLost(own);
            m_state.window.Hold(own, *m_state.rules);
        }
        OnArrivedBefore(answer.acknowledged);
        UpdateTimer(m_state.Advance(answer.acknowledged, completions), now);
        m_state.isSooner = true;
    }

    void OnArrivedBefore(uint64_t number) override
    {
        for (uint64_t arrived = m_state.window.GetUnacked(); arrived < number; ++arrived)
        {
            m_state.window.CancelLost(arrived);
        }
        m_departures.erase(m_departures.begin(), m_departures.lower_bound(number));
    }

    uint64_t OnLost(uint64_t first, uint64_t end, uint64_t payload, Tick) override
    {
        m_departures.erase(m_departures.lower_bound(first), m_departures.lower_bound(end));
        return payload;
    }

    void UpdateTimer(bool hasAdvanced, Tick) override
    {
        if (hasAdvanced)
        {
            m_state.timer.ForgetRetries();
        }
        m_departures.empty() ? m_state.timer.Stop()
                             : m_state.timer.Start(*m_state.rules->timeout,
                                                   m_state.GetAwaited(FindOldest()->second));
    }

    bool OnDeadline(Tick now) override
    {
        const RequesterRules& rules = *m_state.rules;
        if (m_state.timer.GetExpiry() > now)
        {
            return true;
        }
        if (m_departures.empty())
        {
            m_state.timer.Stop();
            return true;
        }
        const auto oldest = FindOldest();
        if (!m_state.timer.Expires(now, *rules.timeout, m_state.GetAwaited(oldest->second)))
        {
            return true;
        }
        ++m_state.timeouts;
        if (m_state.timer.GetRetries() >= rules.retryCount)
        {
            return false;
        }
        m_state.timer.CountRetry();
        m_state.window.AddLost(oldest->first, oldest->first + 1);
        m_departures.erase(oldest);
        UpdateTimer(false, now);
        m_state.isSooner = true;
        return true;
    }

  private:
    using Departures = std::map<uint64_t, Tick>; ///< By packet number.

    Departures::const_iterator FindOldest() const
    {
        return std::min_element(m_departures.begin(), m_departures.end(), [](auto& a, auto& b) {
            return a.second < b.second;
        });
    }

    uint32_t m_mostPackets;
    Departures m_departures;
};

/// Makes the flights of a NIC.
class OwnFlightFactory : public FlightFactory
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::OwnFlightFactory")
                                .SetParent<FlightFactory>()
                                .AddConstructor<OwnFlightFactory>()
                                .AddAttribute("Packets",
                                              "Packets of a queue pair in flight at most",
                                              UintegerValue(32),
                                              MakeUintegerAccessor(&OwnFlightFactory::m_packets),
                                              MakeUintegerChecker<uint32_t>(1));
        return tid;
    }

    std::unique_ptr<Flight> Make(FlightState& state, const RequesterParts&) const override
    {
        return std::make_unique<OwnFlight>(state, m_packets);
    }

  private:
    uint32_t m_packets{0};
};

NS_OBJECT_ENSURE_REGISTERED(OwnFlightFactory);

/// Acknowledges each packet by itself.
class OwnReceiver : public ReceiverControl
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::OwnReceiver")
                                .SetParent<ReceiverControl>()
                                .AddConstructor<OwnReceiver>();
        return tid;
    }

    Ptr<ReceiverControl> Fork() const override
    {
        return CopyObject(Ptr<const OwnReceiver>(this));
    }

    ReceiverAnswer OnPacket(const ArrivedPacket& packet) override
    {
        ReceiverAnswer answer;
        using Arrival = ArrivedPacket::Kind;
        if (packet.kind == Arrival::REFUSED || packet.kind == Arrival::BEYOND ||
            packet.kind == Arrival::TRIMMED)
        {
            return answer; // The receiver does not have it.
        }
        answer.kind = ReceiverAnswer::Kind::REPORT;
        answer.report.bitmap.base = packet.psn;
        return answer;
    }
};

NS_OBJECT_ENSURE_REGISTERED(OwnReceiver);

/// Answers as IBTA and IRN do, at each packet in order.
class OwnAcknowledgments : public ReceiverControl
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::OwnAcknowledgments")
                                .SetParent<ReceiverControl>()
                                .AddConstructor<OwnAcknowledgments>();
        return tid;
    }

    Ptr<ReceiverControl> Fork() const override
    {
        return CopyObject(Ptr<const OwnAcknowledgments>(this));
    }

    bool SendsReports() const override
    {
        return false;
    }

    ReceiverAnswer OnPacket(const ArrivedPacket& packet) override
    {
        using Arrival = ArrivedPacket::Kind;
        using Kind = ReceiverAnswer::Kind;
        const bool hadNak = m_hasNaked;
        const bool isOutOfOrder = packet.expected.IsBefore(packet.psn);
        m_hasNaked =
            isOutOfOrder || (packet.kind == Arrival::DUPLICATE && hadNak) || packet.hasRefusal;
        switch (packet.kind)
        {
        case Arrival::BEYOND:
            return {hadNak ? Kind::NONE : Kind::NAK};
        case Arrival::ORDERED:
        case Arrival::HELD:
        case Arrival::DUPLICATE:
            return {isOutOfOrder ? Kind::SELECTIVE_NAK : Kind::ACK};
        default:
            return {};
        }
    }

  private:
    bool m_hasNaked{false}; ///< For the present gap.
};

NS_OBJECT_ENSURE_REGISTERED(OwnAcknowledgments);

/// Packets of 40 bytes of headers; acknowledgments of 64 bytes.
class OwnFormat : public WireFormat
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::rdma::OwnFormat").SetParent<WireFormat>().AddConstructor<OwnFormat>();
        return tid;
    }

    HeaderList GetHeaders(uint8_t code) const override
    {
        return IbtaFormat().GetHeaders(code);
    }

    uint32_t GetFixedBytes(uint8_t code) const override
    {
        return code == opcode::ACK ? 64 : 40;
    }
};

NS_OBJECT_ENSURE_REGISTERED(OwnFormat);

} // namespace ns3::rdma
