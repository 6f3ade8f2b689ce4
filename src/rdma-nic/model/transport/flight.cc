// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flight.h"

namespace ns3::rdma
{

void
Flight::Prepare(OutgoingPacket&, uint64_t, uint32_t, Tick)
{
}

bool
Flight::HandlesAnswer(const Frame&) const
{
    return false;
}

void
Flight::OnReport(const ReceivedAnswer&, Completions&, Tick)
{
}

void
Flight::OnTrimNotice(const Frame&, Tick)
{
}

void
Flight::OnNotice(const Frame&, Tick)
{
}

void
Flight::OnTimeout(Tick)
{
}

void
Flight::OnAnswered(const Frame&, Tick)
{
}

void
Flight::OnArrivedUnanswered(uint64_t, bool)
{
}

Tick
Flight::GetDeadline() const
{
    return TICK_NEVER;
}

std::vector<ReportProbe>
Flight::TakeProbes()
{
    return {};
}

void
Flight::Stop()
{
}

EntropyRoutes*
Flight::FindRoutes()
{
    return nullptr;
}

bool
Flight::TakesReports() const
{
    return false;
}

FlightCounts
Flight::GetCounts() const
{
    return {};
}

const CreditAccount*
Flight::GetCredit() const
{
    return nullptr;
}

} // namespace ns3::rdma
