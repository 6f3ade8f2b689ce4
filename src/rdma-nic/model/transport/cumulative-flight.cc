// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/cumulative-flight.h"

namespace ns3::rdma
{

bool
CumulativeFlight::CanResend(const FlightState& state, uint64_t windowBytes)
{
    return !state.goesBack || state.window.CanSendAgain(state.window.GetFirstLost(), windowBytes);
}

bool
CumulativeFlight::OnDeadline(Tick now)
{
    const RequesterRules& rules = *m_state.rules;
    RetransmissionTimer& timer = m_state.timer;
    if (!timer.Expires(now, *rules.timeout, m_state.GetAwaited(timer.GetStart())))
    {
        return true;
    }
    ++m_state.timeouts;
    if (timer.GetRetries() >= rules.retryCount)
    {
        ++m_state.onDemand.GetRare().idleTimeouts;
        return false;
    }
    timer.CountRetry();
    m_state.hasMissedResponse = false;
    const uint64_t lostBytes = ResendAfterTimeout(now);
    m_state.isSooner |= m_state.pacer.OnTimeout(
        {ToTime(now), lostBytes, m_state.GetInFlightBytes(), timer.GetRetries()},
        rules,
        now);
    timer.Start(*rules.timeout, m_state.GetAwaited(now));
    return true;
}

uint64_t
CumulativeFlight::ResendAfterTimeout(Tick now)
{
    PacketWindow& window = m_state.window;
    if (window.IsAllAcknowledged())
    {
        // All requests have arrived, a READ's response has not: request it again to probe the peer.
        const Message& read = window.GetQueue().GetOldest();
        window.AddLost(read.firstPacket, read.endPacket);
        return 0;
    }
    const LostPackets lost = m_state.Trigger(LossTrigger::TIMEOUT, window.GetBoard(), now);
    m_state.UpdateDetector();
    if (Flight* flight = m_state.FindFlight())
    {
        flight->OnTimeout(now);
    }
    return m_state.Apply(FlightState::TRIGGER_CALL, lost, now);
}

} // namespace ns3::rdma
