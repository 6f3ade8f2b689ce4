// SPDX-License-Identifier: GPL-2.0-only
#include "nonsense-fault.h"

#include "ns3/go-back-n.h"
#include "ns3/no-congestion-control.h"
#include "ns3/retransmission-timeout.h"
#include "ns3/send-schedulers.h"
#include "ns3/simulator.h"
#include "ns3/wire-format.h"

#include <cmath>
#include <string>

// Policies of a NIC.

namespace ns3::rdma
{

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

    DetectorTraits GetTraits() const override
    {
        m_fault.ThrowIn("GetTraits");
        DetectorTraits traits;
        traits.responder.outOfOrderWindow = m_fault.Is("bitmap too long") ? 4'000'000'000U : 0U;
        return traits;
    }

    void OnSent(const PacketDeparture& packet) override
    {
        m_fault.ThrowIn("OnSent");
        m_deadline = packet.now + NanoSeconds(10);
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

    LostPackets OnTrigger(LossTrigger trigger, const Scoreboard& board, Time now) override
    {
        m_fault.ThrowIn("OnTrigger");
        if (trigger != LossTrigger::DEADLINE)
        {
            return GoBackN::OnTrigger(trigger, board, now);
        }
        m_deadline = m_fault.Is("loss deadline past") ? m_deadline : Time::Max();
        if (m_fault.Is("never sent on deadline"))
        {
            return {{board.GetUnacked(), board.GetNext() + 1'000'000}};
        }
        return {};
    }

    NextLook GetNextLook() const override
    {
        m_fault.ThrowIn("GetNextLook");
        NextLook next;
        next.deadline = m_deadline;
        return next;
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

NS_OBJECT_ENSURE_REGISTERED(NonsenseControl);
NS_OBJECT_ENSURE_REGISTERED(NonsenseType);
NS_OBJECT_ENSURE_REGISTERED(NonsenseDetector);
NS_OBJECT_ENSURE_REGISTERED(NonsenseTimeout);
NS_OBJECT_ENSURE_REGISTERED(NonsenseScheduler);
NS_OBJECT_ENSURE_REGISTERED(NonsenseFormat);

} // namespace ns3::rdma
