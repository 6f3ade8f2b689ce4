// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/sender-timeline.h"

#include <algorithm>

namespace ns3::rdma
{

SenderTimeline::SenderTimeline(const FlowChannel& channel,
                               MessageSpan message,
                               const FrameTrail& decisive,
                               const PortLogs& ports)
    : m_channel(channel),
      m_message(message),
      m_decisive(decisive),
      m_ports(ports),
      m_port(decisive.hops.front().port),
      m_takenAt(decisive.sendTime),
      m_sentAt(decisive.hops.front().sentAt),
      m_ownCursor(m_own),
      m_otherCursor(m_others),
      m_pauses(ports[m_port].GetPauses(decisive.priority)),
      m_busy(ports[m_port].GetBusy()),
      m_turns(channel.turns)
{
    FindFrames();
    FindEnders();
}

void
SenderTimeline::FindFrames()
{
    for (const FrameTrail& trail : m_channel.trails)
    {
        const bool hasLeft = !trail.hops.empty() && trail.hops.front().sentAt < m_sentAt;
        if (!trail.isAnswer && !trail.isCopy && hasLeft)
        {
            const TrailHop& hop = trail.hops.front();
            auto& frames = m_message.Contains(trail.psn) ? m_own : m_others;
            frames.push_back({hop.sentAt,
                              hop.sentAt + m_ports[hop.port].GetSerialization(trail.wireBytes),
                              trail.isResend,
                              hop.port,
                              trail.resentFor});
        }
    }
    SortByTime(m_own);
    SortByTime(m_others);
}

void
SenderTimeline::SortByTime(std::vector<SentFrame>& frames)
{
    // Frames of several ports are on the wire at the same time.
    std::stable_sort(
        frames.begin(),
        frames.end(),
        [](const SentFrame& left, const SentFrame& right) { return left.from < right.from; });
}

bool
SenderTimeline::MaySend(const SendSample& sample) const
{
    return sample.sendableAt != TICK_NEVER && HasWork(sample);
}

bool
SenderTimeline::HasWork(const SendSample& sample) const
{
    return sample.next < m_message.end || sample.hasResends;
}

void
SenderTimeline::FindEnders()
{
    m_enders.resize(m_channel.samples.size(), NONE);
    m_grants.resize(m_channel.samples.size(), NONE);
    std::size_t ender = NONE;
    std::size_t grant = NONE;
    for (std::size_t i = m_channel.samples.size(); i > 0; --i)
    {
        const SendSample& sample = m_channel.samples[i - 1];
        m_enders[i - 1] = ender;
        m_grants[i - 1] = grant;
        ender = MaySend(sample) ? i - 1 : ender;
        grant = sample.lacksCredit ? grant : i - 1;
    }
}

std::vector<Tick>
SenderTimeline::FindCuts(Tick from) const
{
    std::vector<Tick> cuts{m_sentAt};
    const auto add = [&](Tick at) {
        if (at > from && at < m_sentAt)
        {
            cuts.push_back(at);
        }
    };
    const auto addSpans = [&add](const auto& spans) {
        for (const auto& span : spans)
        {
            add(span.from);
            add(span.until);
        }
    };
    for (const SendSample& sample : m_channel.samples)
    {
        add(sample.at);
        add(sample.sendableAt);
        add(sample.pacedUntil);
    }
    addSpans(m_own);
    addSpans(m_others);
    for (const SendTurn& turn : m_channel.turns)
    {
        add(turn.from);
        add(turn.contextAt);
        add(turn.until);
    }
    addSpans(m_ports[m_port].GetPauses(m_decisive.priority));
    addSpans(m_ports[m_port].GetBusy());
    add(m_takenAt);
    add(m_decisive.payloadAt);
    add(m_decisive.readyAt);
    std::sort(cuts.begin(), cuts.end());
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    return cuts;
}

void
SenderTimeline::AddTo(FlowAccount& account)
{
    for (const Tick cut : FindCuts(account.GetCursor()))
    {
        const FlowPlace place = Classify(account.GetCursor());
        if (place.cause == FlowCause::WINDOW || place.cause == FlowCause::CREDIT)
        {
            AddAwaited(account, place.cause, cut);
        }
        else
        {
            account.Add(cut, place);
        }
    }
}

void
SenderTimeline::Advance(Tick at)
{
    const auto& samples = m_channel.samples;
    for (std::size_t next = m_sample == NONE ? 0 : m_sample + 1;
         next < samples.size() && samples[next].at <= at;
         ++next)
    {
        m_sample = next;
    }
}

FlowPlace
SenderTimeline::Classify(Tick at)
{
    Advance(at);
    if (const SentFrame* own = m_ownCursor.Find(at))
    {
        if (own->resentFor != NO_PORT)
        {
            return {FlowCause::TRIMMED, FlowCause::TRIMMED, own->resentFor, false};
        }
        const FlowCause cause = own->isResend ? FlowCause::RESENT : FlowCause::SERIALIZATION;
        return {cause, cause, own->port, false};
    }
    FlowCause cause = FlowCause::POST;
    if (at >= m_takenAt)
    {
        cause = ClassifyStage(at);
    }
    else if (m_sample != NONE)
    {
        cause = ClassifySample(m_channel.samples[m_sample], at);
    }
    return {cause, cause, cause == FlowCause::NAK ? FindTrim() : NO_PORT, false};
}

FlowCause
SenderTimeline::ClassifyStage(Tick at)
{
    if (at < m_decisive.payloadAt)
    {
        return FlowCause::PAYLOAD;
    }
    return at < m_decisive.readyAt ? FlowCause::TRANSMIT : ClassifyPort(at);
}

FlowCause
SenderTimeline::ClassifySample(const SendSample& sample, Tick at)
{
    if (sample.known <= m_message.first)
    {
        return FlowCause::POST;
    }
    if (sample.next < m_message.first)
    {
        return FlowCause::QUEUE_PAIR;
    }
    if (!MaySend(sample))
    {
        return ClassifyBlocked();
    }
    if (at < sample.sendableAt)
    {
        return at < sample.pacedUntil ? FlowCause::RATE : FlowCause::NOT_READY;
    }
    return ClassifyReady(at);
}

bool
SenderTimeline::IsOfResend(const SendSample& sample) const
{
    const TrailIndex answer = sample.answer;
    const TrailIndex data = answer == NO_TRAIL ? NO_TRAIL : m_channel.trails[answer].cause;
    return data != NO_TRAIL && m_channel.trails[data].isResend;
}

uint32_t
SenderTimeline::FindTrim() const
{
    // Until the ender, which has packets to resend, the window may hold them back.
    std::size_t next = m_sample + 1;
    while (!m_channel.samples[next].hasResends)
    {
        ++next;
    }
    const TrailIndex answer = m_channel.samples[next].answer;
    const TrailIndex data = answer == NO_TRAIL ? NO_TRAIL : m_channel.trails[answer].cause;
    return data == NO_TRAIL ? NO_PORT : m_channel.trails[data].trimPort;
}

FlowCause
SenderTimeline::ClassifyCredit() const
{
    const std::size_t grant = m_grants[m_sample];
    const bool isTimer = grant != NONE && m_channel.samples[grant].answer == NO_TRAIL;
    return isTimer ? FlowCause::TIMEOUT : FlowCause::CREDIT;
}

FlowCause
SenderTimeline::ClassifyBlocked() const
{
    const SendSample& sample = m_channel.samples[m_sample];
    if (sample.lacksCredit && HasWork(sample))
    {
        return ClassifyCredit();
    }
    const std::size_t ender = m_enders[m_sample];
    if (ender == NONE)
    {
        return FlowCause::RECOVERY; // A later message's packet was answered for all before it.
    }
    const SendSample& end = m_channel.samples[ender];
    if (end.hasResends && end.answer == NO_TRAIL)
    {
        return FlowCause::TIMEOUT;
    }
    if (sample.takesReports && HasWork(sample))
    {
        return FlowCause::WINDOW; // It may hold back packets that are known to be lost.
    }
    if (end.hasResends)
    {
        return FlowCause::NAK;
    }
    return IsOfResend(end) ? FlowCause::RECOVERY : FlowCause::WINDOW;
}

FlowCause
SenderTimeline::ClassifyReady(Tick at)
{
    if (const SendTurn* turn = m_turns.Find(at))
    {
        return at < turn->contextAt ? FlowCause::CONTEXT : FlowCause::REQUESTS;
    }
    return ClassifyPort(at);
}

FlowCause
SenderTimeline::ClassifyPort(Tick at)
{
    if (m_pauses.Find(at))
    {
        return FlowCause::SENDER_PFC;
    }
    if (m_otherCursor.Find(at))
    {
        return FlowCause::QUEUE_PAIR;
    }
    // A scheduler may leave the port idle, too.
    return m_busy.Find(at) || !m_channel.isTimed ? FlowCause::SCHEDULER : FlowCause::CHIP;
}

void
SenderTimeline::MakeRound(std::size_t ender)
{
    m_roundEnder = ender;
    m_roundStart = 0;
    m_round.reset();
    const SendSample& end = m_channel.samples[ender];
    const FrameTrail* answer = end.answer == NO_TRAIL ? nullptr : &m_channel.trails[end.answer];
    if (answer && answer->isNotice)
    {
        m_roundStart = answer->hops.front().enteredAt;
        m_round.emplace(m_roundStart, end.at);
        AddWay(*m_round, *answer, m_ports);
        m_round->Add(answer->contextAt, FlowCause::RECEIVE_CONTEXT, NO_PORT, true);
        m_round->Add(answer->handledAt, FlowCause::RECEIVE, NO_PORT, true);
    }
    else if (answer && answer->cause != NO_TRAIL)
    {
        const FrameTrail& packet = m_channel.trails[answer->cause];
        m_round.emplace(packet.sendTime, end.at);
        AddRound(*m_round, packet, *answer, m_ports);
    }
    if (m_round)
    {
        m_round->Add(end.at, FlowCause::SLOW_PATH);
    }
}

void
SenderTimeline::AddAwaited(FlowAccount& account, FlowCause cause, Tick until)
{
    const std::size_t ender = cause == FlowCause::CREDIT ? m_grants[m_sample] : m_enders[m_sample];
    if (ender != NONE && m_roundEnder != ender)
    {
        MakeRound(ender);
    }
    if (ender != NONE && m_round)
    {
        account.Add(std::min(m_roundStart, until), cause); // The receiver grants it later.
        const auto& intervals = m_round->GetIntervals();
        auto interval =
            std::upper_bound(intervals.begin(),
                             intervals.end(),
                             account.GetCursor(),
                             [](Tick at, const FlowInterval& one) { return at < one.until; });
        for (; interval != intervals.end() && account.GetCursor() < until; ++interval)
        {
            FlowPlace place = interval->place;
            place.cause = cause;
            account.Add(std::min(interval->until, until), place);
        }
    }
    account.Add(until, cause); // Congestion control has opened the window by itself.
}

std::optional<FlowAccount>
MakeAccount(const FlowChannel& channel,
            MessageSpan message,
            const FlowTimes& times,
            const PortLogs& ports)
{
    const auto last = std::find_if(
        channel.samples.begin(),
        channel.samples.end(),
        [&message](const SendSample& sample) { return sample.unacked >= message.end; });
    const TrailIndex answer = last == channel.samples.end() ? NO_TRAIL : last->answer;
    const TrailIndex data = answer == NO_TRAIL ? NO_TRAIL : channel.trails[answer].cause;
    if (data == NO_TRAIL)
    {
        return std::nullopt;
    }
    const FrameTrail& decisive = channel.trails[data];
    FlowAccount account(times.start, times.end);
    account.Add(times.posted, FlowCause::FLUID);
    SenderTimeline(channel, message, decisive, ports).AddTo(account);
    if (decisive.isResend)
    {
        const TrailHop& hop = decisive.hops.front();
        const bool isTrimmed = decisive.resentFor != NO_PORT;
        account.Add(hop.sentAt + ports[hop.port].GetHeadTime(decisive.wireBytes),
                    isTrimmed ? FlowCause::TRIMMED : FlowCause::RESENT,
                    isTrimmed ? decisive.resentFor : hop.port);
    }
    AddRound(account, decisive, channel.trails[answer], ports);
    account.Add(last->at, FlowCause::SLOW_PATH);
    account.Add(times.end, FlowCause::COMPLETION);
    return account;
}

} // namespace ns3::rdma
