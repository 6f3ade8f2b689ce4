// SPDX-License-Identifier: GPL-2.0-only
#include "nonsense-fault.h"

#include "ns3/admission-policy.h"
#include "ns3/flow-source.h"
#include "ns3/loss-model.h"
#include "ns3/marking-policies.h"
#include "ns3/run-traffic.h"
#include "ns3/simple-balancers.h"
#include "ns3/workload-kind.h"

#include <nlohmann/json.hpp>

// Policies of switches and links, and a workload.

namespace ns3::rdma
{

class NonsenseBalancer : public EcmpBalancer
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            MakeNonsenseType<NonsenseBalancer, EcmpBalancer>("ns3::rdma::NonsenseBalancer");
        return tid;
    }

    void Start(const SwitchView& view) override
    {
        m_fault.ThrowIn("Start");
        EcmpBalancer::Start(view);
    }

    uint32_t Choose(Frame& frame, const PortChoice& choice, Tick now) override
    {
        m_fault.ThrowIn("Choose");
        return m_fault.Is("minus one")      ? static_cast<uint32_t>(-1)
               : m_fault.Is("one too many") ? choice.count
                                            : EcmpBalancer::Choose(frame, choice, now);
    }

    std::optional<uint32_t> ChooseForFlow(uint32_t entropy, uint32_t count) const override
    {
        m_fault.ThrowIn("ChooseForFlow");
        return m_fault.Is("one too many for a flow") ? count
                                                     : EcmpBalancer::ChooseForFlow(entropy, count);
    }

    NONSENSE_FAULT;
};

/// Decides as no admission policy may.
class NonsenseAdmission : public TailDrop
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            MakeNonsenseType<NonsenseAdmission, TailDrop>("ns3::rdma::NonsenseAdmission");
        return tid;
    }

    void Start(const SwitchView& view) override
    {
        m_fault.ThrowIn("Start");
        TailDrop::Start(view);
    }

    Admission Decide(const ArrivedFrame& arrived, Tick now) override
    {
        m_fault.ThrowIn("Decide");
        return m_fault.Is("admission 7") ? static_cast<Admission>(7)
                                         : TailDrop::Decide(arrived, now);
    }

    NONSENSE_FAULT;
};

/// Marks as no marking policy may.
class NonsenseMarking : public RedMarking
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            MakeNonsenseType<NonsenseMarking, RedMarking>("ns3::rdma::NonsenseMarking");
        return tid;
    }

    void Start(const SwitchView& view, const std::vector<MarkingPort>& ports) override
    {
        m_fault.ThrowIn("Start");
        RedMarking::Start(view, ports);
    }

    MarkingPoint GetPoint() const override
    {
        m_fault.ThrowIn("GetPoint");
        return m_fault.Is("point 9") ? static_cast<MarkingPoint>(9) : RedMarking::GetPoint();
    }

    bool ShouldMark(const Frame& frame,
                    const FabricPort& egress,
                    uint64_t queueBytes,
                    Tick now) override
    {
        m_fault.ThrowIn("ShouldMark");
        return RedMarking::ShouldMark(frame, egress, queueBytes, now);
    }

    NONSENSE_FAULT;
};

/// Decides as no loss model may.
class NonsenseLoss : public LossModel
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = MakeNonsenseType<NonsenseLoss, LossModel>("ns3::rdma::NonsenseLoss");
        return tid;
    }

    bool IsLost(const Frame&) override
    {
        m_fault.ThrowIn("IsLost");
        return false;
    }

    FrameImpairment GetImpairment(const Frame& frame) override
    {
        m_fault.ThrowIn("GetImpairment");
        FrameImpairment impairment = LossModel::GetImpairment(frame);
        impairment.arrivals = m_fault.Is("arrivals 3")           ? 3
                              : m_fault.Is("arrivals minus one") ? static_cast<uint32_t>(-1)
                                                                 : impairment.arrivals;
        impairment.extraDelays[0] = m_fault.Is("delay negative")  ? -1
                                    : m_fault.Is("delay endless") ? TICK_NEVER
                                                                  : 0;
        return impairment;
    }

    NONSENSE_FAULT;
};

/// Flows from server 0 to server 1, 1 us apart, one of which is wrong.
class NonsenseSource : public FlowSource
{
  public:
    explicit NonsenseSource(const Fault& fault)
        : m_fault(fault)
    {
    }

    std::optional<FlowArrival> Next() override
    {
        m_fault.ThrowIn("Next");
        if (m_given == 4 && !m_fault.Is("endless at one time"))
        {
            return std::nullopt;
        }
        FlowArrival flow{0, 1, 1000, m_given * 1'000'000};
        flow.startPs = m_fault.Is("endless at one time") ? 0 : flow.startPs;
        if (m_given++ == 2)
        {
            Spoil(flow);
        }
        return flow;
    }

    std::optional<uint64_t> GetFlowCount() const override
    {
        m_fault.ThrowIn("GetFlowCount");
        return m_fault.Is("more than said") ? std::optional<uint64_t>(2) : std::nullopt;
    }

  private:
    void Spoil(FlowArrival& flow) const
    {
        flow.src = m_fault.Is("unknown source")     ? 77
                   : m_fault.Is("switch as source") ? 4
                                                    : flow.src;
        flow.dst = m_fault.Is("unknown destination") ? 1'000'000
                   : m_fault.Is("to itself")         ? flow.src
                                                     : flow.dst;
        flow.bytes = m_fault.Is("no bytes")         ? 0
                     : m_fault.Is("bytes overflow") ? UINT64_MAX
                                                    : flow.bytes;
        flow.startPs = m_fault.Is("start negative")  ? -5
                       : m_fault.Is("start falling") ? 0
                       : m_fault.Is("start endless") ? INT64_MAX
                                                     : flow.startPs;
        flow.fluidBytes = m_fault.Is("sent before") ? 10 : 0;
    }

    Fault m_fault;
    int64_t m_given{0};
};

/// Workload type "nonsense"; its key "fault" says what is wrong.
class NonsenseWorkload : public WorkloadKind
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::NonsenseWorkload")
                                .SetParent<WorkloadKind>()
                                .AddConstructor<NonsenseWorkload>();
        return tid;
    }

    KindInfo GetInfo() const override
    {
        return {"nonsense", "flows that cannot be"};
    }

    void Visit(Keys& keys) override
    {
        const auto read = [this](const JsonValue& value, const KeySpec&) {
            m_fault.Set(value.GetString());
            m_fault.ThrowIn("Read");
        };
        keys.Other("fault",
                   {read, [this](const KeySpec&) { return m_fault.Get(); }},
                   "what is wrong; empty: nothing")
            .Shape(R"({"type": "string"})")
            .Required();
    }

    std::unique_ptr<FlowSource> Make(const Scenario&, const TopologyGraph&) const override
    {
        m_fault.ThrowIn("Make");
        return m_fault.Is("make null") ? nullptr : std::make_unique<NonsenseSource>(m_fault);
    }

    bool HasTraffic() const override
    {
        return m_fault.Is("no traffic") || m_fault.Is("throw in MakeTraffic");
    }

    std::unique_ptr<RunTraffic> MakeTraffic(const Scenario&, const TrafficContext&) const override
    {
        m_fault.ThrowIn("MakeTraffic");
        return nullptr;
    }

  private:
    Fault m_fault;
};

NS_OBJECT_ENSURE_REGISTERED(NonsenseBalancer);
NS_OBJECT_ENSURE_REGISTERED(NonsenseAdmission);
NS_OBJECT_ENSURE_REGISTERED(NonsenseMarking);
NS_OBJECT_ENSURE_REGISTERED(NonsenseLoss);
NS_OBJECT_ENSURE_REGISTERED(NonsenseWorkload);

} // namespace ns3::rdma
