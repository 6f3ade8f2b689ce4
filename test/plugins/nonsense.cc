// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ecmp-balancer.h"
#include "ns3/flow-source.h"
#include "ns3/go-back-n.h"
#include "ns3/loss-model.h"
#include "ns3/no-congestion-control.h"
#include "ns3/retransmission-timeout.h"
#include "ns3/round-robin-scheduler.h"
#include "ns3/run-traffic.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/wire-format.h"
#include "ns3/workload-kind.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

/// A plug-in whose policies do as good ones until the attribute "Fault" names what they do wrong.
namespace ns3::rdma
{

/// The part that all of them have.
class Fault
{
  public:
    bool Is(const char* name) const
    {
        return m_name == name;
    }

    /// @param call as "OnAck"
    void ThrowIn(const std::string& call) const
    {
        if (m_name == "throw in " + call)
        {
            throw std::runtime_error("nonsense in " + call);
        }
        if (m_name == "throw a number in " + call)
        {
            throw 42;
        }
    }

    void Set(std::string name)
    {
        m_name = name;
    }

    std::string Get() const
    {
        return m_name;
    }

  private:
    std::string m_name;
};

/// @param Policy has SetFault() and GetFault()
template <typename Policy, typename Parent>
TypeId
MakeNonsenseType(const char* name)
{
    return TypeId(name).SetParent<Parent>().template AddConstructor<Policy>().AddAttribute(
        "Fault",
        "What is wrong; empty: nothing",
        StringValue(""),
        MakeStringAccessor(&Policy::SetFault, &Policy::GetFault),
        MakeStringChecker());
}

#define NONSENSE_FAULT                                                                             \
    void SetFault(std::string name)                                                                \
    {                                                                                              \
        m_fault.Set(name);                                                                         \
    }                                                                                              \
    std::string GetFault() const                                                                   \
    {                                                                                              \
        return m_fault.Get();                                                                      \
    }                                                                                              \
                                                                                                   \
  private:                                                                                         \
    Fault m_fault

class NonsenseControl : public CongestionControl
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            MakeNonsenseType<NonsenseControl, CongestionControl>("ns3::rdma::NonsenseControl");
        return tid;
    }

    Ptr<CongestionControl> Fork() const override
    {
        static const Ptr<NonsenseControl> same = CreateObject<NonsenseControl>();
        m_fault.ThrowIn("Fork");
        if (m_fault.Is("fork null"))
        {
            return nullptr;
        }
        if (m_fault.Is("fork itself"))
        {
            return const_cast<NonsenseControl*>(this);
        }
        if (m_fault.Is("fork the same"))
        {
            return same;
        }
        if (m_fault.Is("fork another class"))
        {
            return CreateObject<NoCongestionControl>();
        }
        return CopyObject(Ptr<const NonsenseControl>(this));
    }

    Feedback GetNeededFeedback() const override
    {
        m_fault.ThrowIn("GetNeededFeedback");
        return m_fault.Is("feedback 42")    ? static_cast<Feedback>(42)
               : m_fault.Is("feedback INT") ? Feedback::INT
                                            : Feedback::CNP;
    }

    void Start(const PathInfo& path, Time now) override
    {
        m_fault.ThrowIn("Start");
        m_lineRate = path.lineRate;
        m_now = now;
        m_deadline = now + MicroSeconds(1);
        if (m_fault.Is("events at once without end"))
        {
            Simulator::ScheduleNow(&NonsenseControl::ScheduleAgain, this);
        }
    }

    void OnAck(const AckEvent& ack) override
    {
        m_fault.ThrowIn("OnAck");
        m_now = ack.now;
        ++m_acks;
    }

    void OnCnp(Time now) override
    {
        m_fault.ThrowIn("OnCnp");
        m_now = now;
    }

    bool OnSent(uint32_t, Time now) override
    {
        m_fault.ThrowIn("OnSent");
        m_now = now;
        return true;
    }

    bool NeedsOnSent() const override
    {
        m_fault.ThrowIn("NeedsOnSent");
        return true;
    }

    bool UsesOwnPath() const override
    {
        m_fault.ThrowIn("UsesOwnPath");
        return true;
    }

    void OnLoss(const LossEvent& loss) override
    {
        m_fault.ThrowIn("OnLoss");
        m_now = loss.now;
        ++m_losses;
    }

    void OnTimeout(const LossEvent& loss) override
    {
        m_fault.ThrowIn("OnTimeout");
        m_now = loss.now;
        ++m_expiries;
    }

    void OnDeadline(Time now) override
    {
        m_fault.ThrowIn("OnDeadline");
        m_now = now;
        m_deadline = now + MicroSeconds(1);
    }

    SendLimit GetLimit() const override
    {
        m_fault.ThrowIn("GetLimit");
        SendLimit limit;
        limit.rate = GetRate();
        const bool isClosed =
            m_fault.Is("window 0") || (m_fault.Is("window 0 after a timeout") && m_expiries > 0);
        limit.windowBytes = isClosed ? 0 : 100'000;
        limit.deadline = m_fault.Is("deadline now")        ? m_now
                         : m_fault.Is("deadline past")     ? m_now - MicroSeconds(1)
                         : m_fault.Is("deadline negative") ? Time(-1)
                         : m_fault.Is("deadline overflow") ? m_now + Time::Max()
                                                           : m_deadline;
        return limit;
    }

    NONSENSE_FAULT;

    void ScheduleAgain()
    {
        Simulator::ScheduleNow(&NonsenseControl::ScheduleAgain, this);
    }

    DataRate GetRate() const
    {
        volatile double number = m_fault.Is("rate not a number") ? std::nan("") : -1e9;
        if (m_fault.Is("rate negative") || m_fault.Is("rate not a number"))
        {
            return DataRate(static_cast<uint64_t>(number));
        }
        if (m_fault.Is("rate -1"))
        {
            return DataRate(static_cast<uint64_t>(-1));
        }
        const bool isZero = m_fault.Is("rate 0") || (m_fault.Is("rate 0 later") && m_acks > 0) ||
                            (m_fault.Is("rate 0 after a loss") && m_losses > 0);
        return isZero ? DataRate(0) : DataRate(m_lineRate.GetBitRate() / 2);
    }

    DataRate m_lineRate;
    Time m_now;
    Time m_deadline;
    uint64_t m_acks{0};
    uint64_t m_losses{0};
    uint64_t m_expiries{0};
};

/// Says that it is a congestion control, and makes something else.
class NonsenseType
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::NonsenseType")
                                .SetParent<CongestionControl>()
                                .AddConstructor<GoBackN>();
        return tid;
    }
};

class NonsenseDetector : public GoBackN
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            MakeNonsenseType<NonsenseDetector, GoBackN>("ns3::rdma::NonsenseDetector");
        return tid;
    }

    Ptr<LossDetector> Fork() const override
    {
        static const Ptr<NonsenseDetector> same = CreateObject<NonsenseDetector>();
        m_fault.ThrowIn("Fork");
        if (m_fault.Is("fork null"))
        {
            return nullptr;
        }
        if (m_fault.Is("fork itself"))
        {
            return const_cast<NonsenseDetector*>(this);
        }
        if (m_fault.Is("fork the same"))
        {
            return same;
        }
        if (m_fault.Is("fork another class"))
        {
            return GoBackN::Fork();
        }
        return CopyObject(Ptr<const NonsenseDetector>(this));
    }

    ResponderRules GetResponderRules() const override
    {
        m_fault.ThrowIn("GetResponderRules");
        return {m_fault.Is("bitmap too long") ? 4'000'000'000U : 0U, false};
    }

    bool WindowCountsHeld() const override
    {
        m_fault.ThrowIn("WindowCountsHeld");
        return false;
    }

    bool NeedsOnAck() const override
    {
        m_fault.ThrowIn("NeedsOnAck");
        return true;
    }

    void OnSent(const PacketDeparture& packet) override
    {
        m_fault.ThrowIn("OnSent");
        m_deadline = packet.now + NanoSeconds(10);
    }

    bool NeedsOnSent() const override
    {
        m_fault.ThrowIn("NeedsOnSent");
        return true;
    }

    LostPackets OnReport(const AckReport& report, const Scoreboard& board, Time now) override
    {
        m_fault.ThrowIn("OnReport");
        const Psn first = board.GetUnacked();
        const Psn end = board.GetNext();
        if (m_fault.Is("never sent on ack"))
        {
            return {{first, end + 1}};
        }
        if (report.isNak && m_fault.Is("never sent on nak"))
        {
            return {{end + 3, end + 1000}};
        }
        if (report.isNak && m_fault.Is("acknowledged before"))
        {
            return {{first + 0xffffff, end}};
        }
        if (report.isNak && m_fault.Is("end before first"))
        {
            return {{end, first}};
        }
        return GoBackN::OnReport(report, board, now);
    }

    LostPackets OnTimeout(const Scoreboard& board, Time now) override
    {
        m_fault.ThrowIn("OnTimeout");
        return GoBackN::OnTimeout(board, now);
    }

    LostPackets OnDeadline(const Scoreboard& board, Time) override
    {
        m_fault.ThrowIn("OnDeadline");
        m_deadline = m_fault.Is("loss deadline past") ? m_deadline : Time::Max();
        if (m_fault.Is("never sent on deadline"))
        {
            return {{board.GetUnacked(), board.GetNext() + 1'000'000}};
        }
        return {};
    }

    Time GetDeadline() const override
    {
        m_fault.ThrowIn("GetDeadline");
        return m_deadline;
    }

    NONSENSE_FAULT;

    Time m_deadline{Time::Max()};
};

class NonsenseTimeout : public RetransmissionTimeout
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            MakeNonsenseType<NonsenseTimeout, RetransmissionTimeout>("ns3::rdma::NonsenseTimeout");
        return tid;
    }

    Time Get(const AwaitedAnswer&) const override
    {
        m_fault.ThrowIn("Get");
        return m_fault.Is("timeout 0")          ? Time(0)
               : m_fault.Is("timeout negative") ? Time(-5)
                                                : MilliSeconds(1);
    }

    bool NeedsRtt() const override
    {
        m_fault.ThrowIn("NeedsRtt");
        return true;
    }

    uint32_t GetMaxQueuePairs() const override
    {
        m_fault.ThrowIn("GetMaxQueuePairs");
        return RetransmissionTimeout::GetMaxQueuePairs();
    }

    NONSENSE_FAULT;
};

class NonsenseScheduler : public RoundRobinScheduler
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = MakeNonsenseType<NonsenseScheduler, RoundRobinScheduler>(
            "ns3::rdma::NonsenseScheduler");
        return tid;
    }

    void Add(uint32_t queuePair, Tick readyAt, Tick now) override
    {
        m_fault.ThrowIn("Add");
        if (!m_fault.Is("add nothing"))
        {
            RoundRobinScheduler::Add(queuePair, m_fault.Is("pick too early") ? now : readyAt, now);
        }
    }

    std::optional<uint32_t> Pick(Tick now) override
    {
        m_fault.ThrowIn("Pick");
        if (m_fault.Is("pick 77777"))
        {
            return 77'777;
        }
        if (m_fault.Is("pick none"))
        {
            return std::nullopt;
        }
        if (m_fault.Is("pick twice") && m_last)
        {
            return m_last;
        }
        m_last = RoundRobinScheduler::Pick(now);
        return m_last;
    }

    std::optional<uint32_t> GetLikely() const override
    {
        m_fault.ThrowIn("GetLikely");
        return m_fault.Is("likely 77777") ? 77'777 : RoundRobinScheduler::GetLikely();
    }

    Tick GetNextReady(Tick now) const override
    {
        m_fault.ThrowIn("GetNextReady");
        const Tick right = RoundRobinScheduler::GetNextReady(now);
        return m_fault.Is("ready in the past")           ? now - 1
               : m_fault.Is("ready never")               ? TICK_NEVER
               : m_fault.Is("ready although none waits") ? std::min(right, now + 1000)
               : m_fault.Is("ready now, then none")      ? std::min(right, now)
                                                         : right;
    }

    NONSENSE_FAULT;
    std::optional<uint32_t> m_last;
};

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

    bool IsStateless() const override
    {
        m_fault.ThrowIn("IsStateless");
        return m_fault.Is("stateless and one too many");
    }

    uint32_t Choose(Frame& frame, const PortChoice& choice, Tick now) override
    {
        m_fault.ThrowIn("Choose");
        return m_fault.Is("minus one") ? static_cast<uint32_t>(-1)
               : m_fault.Is("one too many") || m_fault.Is("stateless and one too many")
                   ? choice.count
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

class NonsenseFormat : public IbtaFormat
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            MakeNonsenseType<NonsenseFormat, IbtaFormat>("ns3::rdma::NonsenseFormat");
        return tid;
    }

    HeaderList GetHeaders(uint8_t code) const override
    {
        m_fault.ThrowIn("GetHeaders");
        return m_fault.Is("header 200") ? HeaderList{static_cast<HeaderKind>(200)}
                                        : IbtaFormat::GetHeaders(code);
    }

    bool HasPsnOffset() const override
    {
        m_fault.ThrowIn("HasPsnOffset");
        return false;
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
        return {"nonsense", "flows that cannot be", {"fault"}, {}};
    }

    void Read(const JsonValue& value, const Scenario&) override
    {
        m_fault.Set(value.Get("fault").GetString());
        m_fault.ThrowIn("Read");
    }

    void Write(nlohmann::ordered_json& json) const override
    {
        json["fault"] = m_fault.Get();
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

NS_OBJECT_ENSURE_REGISTERED(NonsenseLoss);
NS_OBJECT_ENSURE_REGISTERED(NonsenseWorkload);
NS_OBJECT_ENSURE_REGISTERED(NonsenseControl);
NS_OBJECT_ENSURE_REGISTERED(NonsenseType);
NS_OBJECT_ENSURE_REGISTERED(NonsenseDetector);
NS_OBJECT_ENSURE_REGISTERED(NonsenseTimeout);
NS_OBJECT_ENSURE_REGISTERED(NonsenseScheduler);
NS_OBJECT_ENSURE_REGISTERED(NonsenseBalancer);
NS_OBJECT_ENSURE_REGISTERED(NonsenseFormat);

} // namespace ns3::rdma
