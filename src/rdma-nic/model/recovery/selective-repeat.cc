// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/selective-repeat.h"

#include "ns3/boolean.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(SelectiveRepeat);

TypeId
SelectiveRepeat::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::SelectiveRepeat")
            .SetParent<LossRecovery>()
            .SetGroupName("RdmaNic")
            .AddConstructor<SelectiveRepeat>()
            .AddAttribute(
                "RtoLow",
                "Timeout while at most FewPackets are in flight (100 us: IRN section 4.1)",
                TimeValue(MicroSeconds(100)),
                MakeSharedAccessor<TimeValue>(&SelectiveRepeat::m_parameters, &Parameters::rtoLow),
                MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute(
                "RtoHigh",
                "Timeout otherwise (320 us: IRN section 4.1)",
                TimeValue(MicroSeconds(320)),
                MakeSharedAccessor<TimeValue>(&SelectiveRepeat::m_parameters, &Parameters::rtoHigh),
                MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("FewPackets",
                          "In-flight packets up to which RtoLow applies (3: IRN section 4.1)",
                          UintegerValue(3),
                          MakeSharedAccessor<UintegerValue>(&SelectiveRepeat::m_parameters,
                                                            &Parameters::fewPackets),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("MaxBackoff",
                          "Doublings of the timeout at most (10: so that 320 us stays below 0.4 s)",
                          UintegerValue(10),
                          MakeSharedAccessor<UintegerValue>(&SelectiveRepeat::m_parameters,
                                                            &Parameters::maxBackoff),
                          MakeUintegerChecker<uint32_t>(0, 20))
            .AddAttribute("BitmapPackets",
                          "Length of the responder's bitmap (1000: SRNIC's simulator; 500 slots of "
                          "100 Gb/s x 40 us in SRNIC section 3.2.2)",
                          UintegerValue(1000),
                          MakeSharedAccessor<UintegerValue>(&SelectiveRepeat::m_parameters,
                                                            &Parameters::bitmapPackets),
                          MakeUintegerChecker<uint32_t>(1, Psn::MAX_WINDOW / 2))
            .AddAttribute("CumulativeLags",
                          "Whether the responder's cumulative acknowledgments may come later than "
                          "selective ones of later packets (SRNIC section 4.4.2: software updates "
                          "the expected PSN)",
                          BooleanValue(false),
                          MakeSharedAccessor<BooleanValue>(&SelectiveRepeat::m_parameters,
                                                           &Parameters::isCumulativeLate),
                          MakeBooleanChecker());
    return tid;
}

Ptr<LossRecovery>
SelectiveRepeat::Fork() const
{
    return CopyObject(Ptr<const SelectiveRepeat>(this));
}

ResponderRules
SelectiveRepeat::GetResponderRules() const
{
    return {m_parameters->bitmapPackets, true};
}

Time
SelectiveRepeat::GetTimeout(const SendWindow& window, uint32_t retries) const
{
    const Time& base = window.GetCount() <= m_parameters->fewPackets ? m_parameters->rtoLow
                                                                     : m_parameters->rtoHigh;
    return retries == 0 ? base : base * (int64_t{1} << std::min(retries, m_parameters->maxBackoff));
}

void
SelectiveRepeat::Advance(const SendWindow& window)
{
    if (!m_sacked.IsEmpty())
    {
        m_sacked.Unmark(m_base, window.unacked);
    }
    m_base = window.unacked;
    if (!m_nextSuspect || m_nextSuspect->IsBefore(window.unacked))
    {
        m_nextSuspect = window.unacked;
    }
    if (m_recoveryEnd && !window.unacked.IsBefore(*m_recoveryEnd))
    {
        m_recoveryEnd.reset();
    }
}

bool
SelectiveRepeat::NeedsOnSent() const
{
    return false;
}

bool
SelectiveRepeat::NeedsOnAck() const
{
    return m_nextSuspect.has_value();
}

ResendList
SelectiveRepeat::OnAck(const SendWindow& window, const AnswerTiming&)
{
    Advance(window);
    if (m_sacked.IsEmpty() && !m_recoveryEnd && *m_nextSuspect == window.unacked)
    {
        m_nextSuspect.reset(); // All is as at first.
    }
    return {};
}

ResendList
SelectiveRepeat::OnNack(const NackEvent& nack, const SendWindow& window)
{
    ResendList resend;
    Advance(window);
    if (!nack.selective || !window.Contains(*nack.selective))
    {
        return resend;
    }
    if (nack.expected == window.unacked && !m_parameters->isCumulativeLate)
    {
        ForgetRefused(window, resend);
    }
    const Psn selective = *nack.selective;
    m_sacked.Mark(m_base, selective);
    if (m_nextSuspect->IsBefore(selective))
    {
        AppendHoles(*m_nextSuspect, selective, resend);
        m_nextSuspect = selective;
    }
    return resend;
}

ResendList
SelectiveRepeat::OnTimeout(const SendWindow& window, Time)
{
    ResendList resend;
    Advance(window);
    m_sacked.Unmark(window.unacked, window.unacked + 1);
    const Psn suspected = m_recoveryEnd.value_or(window.unacked + 1);
    if (m_nextSuspect->IsBefore(suspected))
    {
        m_nextSuspect = suspected;
    }
    AppendHoles(window.unacked, *m_nextSuspect, resend);
    if (!m_recoveryEnd)
    {
        m_recoveryEnd = window.next;
    }
    return resend;
}

ResendList
SelectiveRepeat::OnRnrNak(const SendWindow& window)
{
    ResendList resend;
    Advance(window);
    m_sacked.Unmark(window.unacked, window.unacked + 1);
    AppendHoles(window.unacked, window.next, resend);
    return resend;
}

ResendList
SelectiveRepeat::OnMissingResponse(const SendWindow& window)
{
    return {{window.unacked, window.unacked + 1}};
}

void
SelectiveRepeat::ForgetRefused(const SendWindow& window, ResendList& resend)
{
    if (m_sacked.IsMarked(window.unacked))
    {
        m_sacked.Unmark(window.unacked, window.unacked + 1);
        resend.push_back({window.unacked, window.unacked + 1});
    }
}

void
SelectiveRepeat::AppendHoles(Psn first, Psn end, ResendList& resend) const
{
    for (Psn psn = first; psn != end; psn = psn + 1)
    {
        if (m_sacked.IsMarked(psn))
        {
            continue;
        }
        if (!resend.empty() && resend.back().end == psn)
        {
            resend.back().end = psn + 1;
        }
        else
        {
            resend.push_back({psn, psn + 1});
        }
    }
}

} // namespace ns3::rdma
