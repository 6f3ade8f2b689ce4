// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flight-state.h"

namespace ns3::rdma
{

FlightState::FlightState(const RequesterParts& parts, const Rules& sharedRules, Tick now)
    : FlightState(parts,
                  sharedRules,
                  CallPolicy(*parts.lossDetector,
                             "GetTraits()",
                             [&] { return parts.lossDetector->GetTraits(); }),
                  now)
{
}

FlightState::FlightState(const RequesterParts& parts,
                         const Rules& sharedRules,
                         const DetectorTraits& traits,
                         Tick now)
    : window(sharedRules->path.mtuBytes,
             parts.initialPsn,
             parts.qpNumber,
             traits.responder.acknowledgesReads,
             sharedRules->readRequestBytes),
      detector(parts.lossDetector),
      pacer(parts.congestionControl, *sharedRules, now, parts.ownPath),
      timeouts(0),
      isCumulative(true),
      initialPsn(parts.initialPsn),
      goesBack(traits.responder.outOfOrderWindow == 0),
      hasMissedResponse(false),
      isBroken(false),
      detectorNeedsSent(traits.needsOnSent),
      hasLossDeadline(false),
      isSooner(false),
      rules(sharedRules)
{
    controlNeedsSent = pacer.NeedsOnSent();
    UpdateDetector();
}

FlightState::~FlightState()
{
    onDemand.DropFlight();
}

void
FlightState::SetFlight(std::unique_ptr<Flight> flight)
{
    onDemand.SetFlight(std::move(flight));
    isCumulative = false;
}

LostPackets
FlightState::Trigger(LossTrigger trigger, const Scoreboard& board, Tick now)
{
    return Call(TRIGGER_CALL, [&] { return detector->OnTrigger(trigger, board, ToTime(now)); });
}

NextLook
FlightState::GetNextLook() const
{
    return Call("GetNextLook()", [&] { return detector->GetNextLook(); });
}

AwaitedAnswer
FlightState::GetAwaited(Tick start) const
{
    return {start,
            Psn(window.GetUnacked()),
            static_cast<uint32_t>(window.GetNext() - window.GetUnacked()),
            timer.GetRetries(),
            timeouts,
            onDemand.FindRtt()};
}

void
FlightState::CompleteOldest(Completions& completions)
{
    const RareFlightState* rare = onDemand.FindRare();
    window.Complete(rare ? rare->readsDone : 0, *rules, completions);
}

void
FlightState::Report(const AckReport& report, Tick now)
{
    const LostPackets lost = Call("OnReport()", [&] {
        return detector->OnReport(report, window.GetBoard(), ToTime(now));
    });
    ApplyAnswer("OnReport()", lost, now);
}

uint64_t
FlightState::Apply(const char* call, const LostPackets& lost, Tick now)
{
    uint64_t bytes = 0;
    for (const PsnRange& range : lost)
    {
        const uint64_t first = range.first.Expand(window.GetUnacked());
        const uint64_t end = range.end.Expand(window.GetUnacked());
        if (first < window.GetUnacked() || end < first || end > window.GetNext())
        {
            FailLost(call, range);
        }
        const uint64_t payload = window.AddLost(first, end);
        Flight* const flight = FindFlight();
        bytes += flight ? flight->OnLost(first, end, payload, now) : payload;
    }
    return bytes;
}

void
FlightState::ApplyAnswer(const char* call, const LostPackets& lost, Tick now)
{
    UpdateDetector();
    const uint64_t lostBytes = Apply(call, lost, now);
    if (!lost.empty())
    {
        isSooner |= pacer.OnLoss({ToTime(now), lostBytes, GetInFlightBytes()}, *rules, now);
    }
}

void
FlightState::UpdateDetector()
{
    const NextLook next = GetNextLook();
    const Tick deadline = ToTick(next.deadline);
    needsAck = next.needsAcks;
    if (hasLossDeadline || deadline < TICK_NEVER)
    {
        onDemand.GetRare().lossDeadline = deadline;
        hasLossDeadline = deadline < TICK_NEVER;
    }
}

void
FlightState::FailLost(const char* call, const PsnRange& range) const
{
    const auto describe = [](Psn first, Psn end) {
        return std::to_string(first.Get()) + " up to, not including, " + std::to_string(end.Get());
    };
    const Scoreboard board = window.GetBoard();
    FailPolicy(*detector,
               call,
               "packets of the window, PSN " + describe(board.GetUnacked(), board.GetNext()),
               describe(range.first, range.end));
}

} // namespace ns3::rdma
