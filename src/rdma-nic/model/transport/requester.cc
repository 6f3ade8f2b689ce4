// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/requester.h"

#include "ns3/abort.h"
#include "ns3/assert.h"
#include "ns3/opcode.h"

#include <algorithm>

namespace ns3::rdma
{

Requester::Requester(const RequesterConfig& config, Tick now)
    : m_queue(config.path.mtuBytes, config.initialPsn),
      m_unacked(config.initialPsn),
      m_next(config.initialPsn),
      m_config(config)
{
    m_config.congestionControl->Start(config.path, ToTime(now));
    TakeLimit();
}

void
Requester::Post(uint64_t wrId, uint64_t bytes)
{
    m_queue.Post(wrId, bytes);
}

bool
Requester::CanSend() const
{
    if (!m_resend.IsEmpty())
    {
        return true;
    }
    if (m_next == m_queue.GetEnd() || m_isBroken)
    {
        return false;
    }
    // One packet may always be in flight, however small the window: without it nothing would move.
    const uint64_t inFlight = GetInFlightBytes();
    if (inFlight == 0)
    {
        return true;
    }
    if (m_next - m_unacked >= Psn::MAX_WINDOW - 1)
    {
        return false;
    }
    // The full packet is the common case and spares a look at the message.
    return inFlight + m_config.path.mtuBytes <= m_windowBytes ||
           inFlight + m_queue.Plan(m_next).payloadBytes <= m_windowBytes;
}

Requester::Outgoing
Requester::TakeNext()
{
    const bool isRetransmission = !m_resend.IsEmpty();
    const uint64_t number = isRetransmission ? m_resend.TakeFirst() : m_next;
    return {m_queue.Plan(number), Psn(number), isRetransmission};
}

void
Requester::OnSent(const Outgoing& packet, uint32_t wireBytes, Tick now)
{
    if (packet.isRetransmission)
    {
        ++m_stats.retransmitted;
    }
    else
    {
        ++m_stats.packets;
        ++m_next;
        m_sentBytes += packet.plan.payloadBytes;
    }
    if (m_isPaced)
    {
        m_nextSendTime = std::max(m_nextSendTime, now) + m_pace.GetDuration(wireBytes);
    }
    m_config.congestionControl->OnSent(wireBytes, ToTime(now));
    TakeLimit();
    if (m_retransmitAt == TICK_NEVER)
    {
        RestartTimer(now);
    }
}

SendWindow
Requester::GetWindow() const
{
    return {Psn(m_unacked), Psn(m_next)};
}

void
Requester::TakeLimit()
{
    const SendLimit limit = m_config.congestionControl->GetLimit();
    m_windowBytes = std::min(limit.windowBytes, m_config.flightCapBytes);
    m_reviewAt = ToTick(limit.deadline);
    if (limit.rate != m_rate)
    {
        NS_ABORT_MSG_IF(limit.rate.GetBitRate() == 0,
                        m_config.congestionControl->GetInstanceTypeId().GetName()
                            << " allows a rate of zero, at which nothing would ever be sent");
        m_rate = limit.rate;
        m_pace = SerializationRate(m_rate);
        m_isPaced = m_rate < m_config.path.lineRate;
    }
}

bool
Requester::Advance(uint64_t acknowledged, Completions& completions)
{
    if (acknowledged <= m_unacked)
    {
        return false;
    }
    m_ackedBytes = acknowledged == m_next ? m_sentBytes : m_queue.GetBytesBefore(acknowledged);
    m_unacked = acknowledged;
    m_retries = 0;
    m_resend.RemoveBefore(acknowledged);
    while (m_queue.IsOldestDone(acknowledged))
    {
        completions.emplace_back(m_queue.TakeOldest(), WcStatus::SUCCESS);
    }
    return true;
}

Completions
Requester::OnAck(const Frame& frame, Tick now)
{
    Completions completions;
    const bool isNack = frame.syndrome == syndrome::NAK_PSN_SEQUENCE;
    // An ACK names the last packet that arrived, a NAK the first that did not.
    const uint64_t acknowledged = Psn(frame.psn).Expand(m_unacked) + (isNack ? 0 : 1);
    if (acknowledged > m_next || m_isBroken)
    {
        return completions; // Of packets never sent: from an earlier life of the connection.
    }
    const uint64_t ackedBefore = m_ackedBytes;
    const bool hasAdvanced = Advance(acknowledged, completions);
    if (m_unacked == m_next)
    {
        m_retransmitAt = TICK_NEVER;
    }
    else if (hasAdvanced)
    {
        RestartTimer(now);
    }
    if (isNack && m_unacked < m_next)
    {
        NackEvent nack{Psn(frame.psn), std::nullopt};
        if (frame.flags & frame_flag::SELECTIVE)
        {
            nack.selective = Psn(frame.ack.selectivePsn);
        }
        Resend(m_config.lossRecovery->OnNack(nack, GetWindow()));
    }
    else if (hasAdvanced)
    {
        // Also when nothing is in flight: what it remembers must go before PSNs come round again.
        Resend(m_config.lossRecovery->OnAck(GetWindow()));
    }
    m_config.congestionControl->OnAck({ToTime(now),
                                       ToTime(now - frame.sendTime),
                                       m_ackedBytes - ackedBefore,
                                       GetInFlightBytes(),
                                       (frame.flags & frame_flag::CE_ECHO) != 0});
    TakeLimit();
    return completions;
}

void
Requester::Resend(const ResendList& list)
{
    for (const PsnRange& range : list)
    {
        const uint64_t first = range.first.Expand(m_unacked);
        const uint64_t end = first + static_cast<uint64_t>(range.end - range.first);
        NS_ASSERT_MSG(end <= m_next, "loss recovery asks for packets that were never sent");
        m_resend.Add(std::max(first, m_unacked), end);
    }
}

Tick
Requester::GetTimerEnd() const
{
    return m_timerStart + ToTick(m_config.lossRecovery->GetTimeout(GetWindow(), m_retries));
}

void
Requester::RestartTimer(Tick now)
{
    m_timerStart = now;
    m_retransmitAt = GetTimerEnd();
}

void
Requester::OnCnp(Tick now)
{
    if (!m_isBroken)
    {
        m_config.congestionControl->OnCnp(ToTime(now));
        TakeLimit();
    }
}

Tick
Requester::GetDeadline() const
{
    return std::min(m_retransmitAt, m_reviewAt);
}

Completions
Requester::OnDeadline(Tick now)
{
    if (m_reviewAt <= now)
    {
        m_config.congestionControl->OnDeadline(ToTime(now));
        TakeLimit();
    }
    if (m_retransmitAt <= now)
    {
        // More may be in flight than when the timer was set: then it may have to run on.
        m_retransmitAt = std::max(m_retransmitAt, GetTimerEnd());
    }
    if (m_retransmitAt > now)
    {
        return {};
    }
    ++m_stats.timeouts;
    if (m_retries == m_config.retryCount)
    {
        return Break();
    }
    ++m_retries;
    Resend(m_config.lossRecovery->OnTimeout(GetWindow()));
    RestartTimer(now);
    return {};
}

Completions
Requester::Break()
{
    Completions completions;
    m_isBroken = true;
    m_resend.Clear();
    m_retransmitAt = TICK_NEVER;
    m_reviewAt = TICK_NEVER;
    WcStatus status = WcStatus::RETRY_EXC_ERR; // The oldest; those behind it are flushed.
    while (!m_queue.IsEmpty())
    {
        completions.emplace_back(m_queue.TakeOldest(), status);
        status = WcStatus::WR_FLUSH_ERR;
    }
    return completions;
}

const CongestionControl&
Requester::GetCongestionControl() const
{
    return *m_config.congestionControl;
}

} // namespace ns3::rdma
