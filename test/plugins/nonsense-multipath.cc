// SPDX-License-Identifier: GPL-2.0-only
#include "nonsense-fault.h"

#include "ns3/flight-factory.h"
#include "ns3/path-selector.h"
#include "ns3/round-robin-credits.h"
#include "ns3/sack-receiver.h"
#include "ns3/sprayed-flight.h"
#include "ns3/walking-entropies.h"

#include <string>

// Policies of a NIC with several ports or routes.

namespace ns3::rdma
{

class NonsensePath : public PathSelector
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = MakeNonsenseType<NonsensePath, PathSelector>("ns3::rdma::NonsensePath");
        return tid;
    }

    uint32_t ChooseNic(uint64_t connection, uint32_t nics) const override
    {
        m_fault.ThrowIn("ChooseNic");
        return m_fault.Is("nic 9") ? 9 : PathSelector::ChooseNic(connection, nics);
    }

    uint32_t ChoosePort(uint64_t connection, const PortStates& ports) const override
    {
        m_fault.ThrowIn("ChoosePort");
        return m_fault.Is("port 9") ? 9 : PathSelector::ChoosePort(connection, ports);
    }

    std::optional<uint32_t> Move(const PathTrouble& trouble) const override
    {
        m_fault.ThrowIn("Move");
        return m_fault.Is("move to 9") ? 9 : PathSelector::Move(trouble);
    }

    NONSENSE_FAULT;
};

class NonsenseFlight : public SprayedFlight
{
  public:
    NonsenseFlight(FlightState& state, const RequesterParts& parts, const Fault& fault)
        : SprayedFlight(state, parts),
          m_fault(fault)
    {
    }

    bool CanSend() const override
    {
        m_fault.ThrowIn("CanSend");
        return SprayedFlight::CanSend();
    }

    void Prepare(OutgoingPacket& packet, uint64_t number, uint32_t plane, Tick now) override
    {
        m_fault.ThrowIn("Prepare");
        SprayedFlight::Prepare(packet, number, plane, now);
    }

    void OnSent(const OutgoingPacket& packet, uint32_t frameBytes, Tick now) override
    {
        m_fault.ThrowIn("OnSent");
        SprayedFlight::OnSent(packet, frameBytes, now);
    }

    void UpdateTimer(bool hasAdvanced, Tick now) override
    {
        m_fault.ThrowIn("UpdateTimer");
        SprayedFlight::UpdateTimer(hasAdvanced, now);
    }

    Tick GetDeadline() const override
    {
        return m_fault.Is("deadline now") ? 20'000'000 : TICK_NEVER; // 20 us.
    }

    bool OnDeadline(Tick now) override
    {
        m_fault.ThrowIn("OnDeadline");
        return SprayedFlight::OnDeadline(now);
    }

    EntropyRoutes* FindRoutes() override
    {
        return m_fault.Is("no routes") ? nullptr : SprayedFlight::FindRoutes();
    }

  private:
    Fault m_fault;
};

class NonsenseFlightFactory : public FlightFactory
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = MakeNonsenseType<NonsenseFlightFactory, FlightFactory>(
            "ns3::rdma::NonsenseFlightFactory");
        return tid;
    }

    std::unique_ptr<Flight> Make(FlightState& state, const RequesterParts& parts) const override
    {
        m_fault.ThrowIn("Make");
        if (m_fault.Is("make null"))
        {
            return nullptr; // A CumulativeFlight: no fault.
        }
        return std::make_unique<NonsenseFlight>(state, parts, m_fault);
    }

    NONSENSE_FAULT;
};

class NonsenseEntropy : public ObliviousEntropy
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            MakeNonsenseType<NonsenseEntropy, ObliviousEntropy>("ns3::rdma::NonsenseEntropy");
        return tid;
    }

    Ptr<EntropySelector> Fork() const override
    {
        m_fault.ThrowIn("Fork");
        return m_fault.Is("fork null")
                   ? nullptr
                   : Ptr<EntropySelector>(CopyObject(Ptr<const NonsenseEntropy>(this)));
    }

    void Start(const EntropyFacts& facts) override
    {
        m_fault.ThrowIn("Start");
        ObliviousEntropy::Start(facts);
    }

    uint32_t GetNext(uint64_t inFlightBytes, Time now) override
    {
        m_fault.ThrowIn("GetNext");
        return ObliviousEntropy::GetNext(inFlightBytes, now);
    }

    void OnFeedback(uint32_t, RouteSignal, Time) override
    {
        m_fault.ThrowIn("OnFeedback");
    }

    Time GetProbeTime() const override
    {
        m_fault.ThrowIn("GetProbeTime");
        return m_fault.Is("probe again now")          ? m_now
               : m_fault.Is("probe every picosecond") ? m_now + PicoSeconds(1)
                                                      : Time::Max();
    }

    std::optional<uint32_t> TakeProbe(Time now) override
    {
        m_now = now;
        return std::nullopt;
    }

    NONSENSE_FAULT;
    Time m_now;
};

class NonsenseCredits : public RoundRobinCredits
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            MakeNonsenseType<NonsenseCredits, RoundRobinCredits>("ns3::rdma::NonsenseCredits");
        return tid;
    }

    void Start(const CreditFacts& facts) override
    {
        m_fault.ThrowIn("Start");
        RoundRobinCredits::Start(facts);
    }

    void OnDemand(const CreditDemand& demand) override
    {
        m_fault.ThrowIn("OnDemand");
        m_last = demand.queuePair;
        RoundRobinCredits::OnDemand(demand);
    }

    std::optional<CreditGrant> GetNext(Time now) override
    {
        m_fault.ThrowIn("GetNext");
        if (m_fault.Is("grant without end"))
        {
            return CreditGrant{m_last, ++m_units, NanoSeconds(1)};
        }
        if (m_fault.Is("grant nothing without end"))
        {
            return CreditGrant{m_last, 0, NanoSeconds(1)};
        }
        auto grant = RoundRobinCredits::GetNext(now);
        if (grant && m_fault.Is("pause 0"))
        {
            grant->pause = Time(0);
        }
        if (grant && m_fault.Is("pause endless"))
        {
            grant->pause = Time::Max();
        }
        if (grant && m_fault.Is("unknown queue pair"))
        {
            grant->queuePair = 77'777;
        }
        if (grant && m_fault.Is("grant shrinks"))
        {
            grant->granted = --m_units;
        }
        return grant;
    }

    NONSENSE_FAULT;
    uint32_t m_last{0};
    uint32_t m_units{0};
};

class NonsenseReceiver : public SackReceiver
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            MakeNonsenseType<NonsenseReceiver, SackReceiver>("ns3::rdma::NonsenseReceiver");
        return tid;
    }

    Ptr<ReceiverControl> Fork() const override
    {
        m_fault.ThrowIn("Fork");
        return m_fault.Is("fork null")
                   ? nullptr
                   : Ptr<ReceiverControl>(CopyObject(Ptr<const NonsenseReceiver>(this)));
    }

    bool SendsReports() const override
    {
        m_fault.ThrowIn("SendsReports");
        return SackReceiver::SendsReports();
    }

    ReceiverAnswer OnPacket(const ArrivedPacket& packet) override
    {
        m_fault.ThrowIn("OnPacket");
        ReceiverAnswer answer = SackReceiver::OnPacket(packet);
        if (m_fault.Is("acknowledgment"))
        {
            answer.kind = ReceiverAnswer::Kind::ACK;
        }
        if (m_fault.Is("kind 9"))
        {
            answer.kind = static_cast<ReceiverAnswer::Kind>(9);
        }
        return answer;
    }

    NONSENSE_FAULT;
};

NS_OBJECT_ENSURE_REGISTERED(NonsenseFlightFactory);
NS_OBJECT_ENSURE_REGISTERED(NonsensePath);
NS_OBJECT_ENSURE_REGISTERED(NonsenseEntropy);
NS_OBJECT_ENSURE_REGISTERED(NonsenseCredits);
NS_OBJECT_ENSURE_REGISTERED(NonsenseReceiver);

} // namespace ns3::rdma
