// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flight.h"

namespace ns3::rdma
{

bool
Flight::IsReport(const Frame&) const
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

} // namespace ns3::rdma
