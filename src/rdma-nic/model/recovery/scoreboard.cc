// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/scoreboard.h"

namespace ns3::rdma
{

namespace
{
void
Append(Psn first, Psn end, LostPackets& packets)
{
    if (!packets.empty() && packets.back().end == first)
    {
        packets.back().end = end;
    }
    else if (first != end)
    {
        packets.push_back({first, end});
    }
}
} // namespace

void
Scoreboard::AppendMissing(Psn first, Psn end, LostPackets& packets) const
{
    if (!HasHeld())
    {
        Append(first, end, packets);
        return;
    }
    for (Psn psn = first; psn != end; psn = psn + 1)
    {
        if (!IsHeld(psn))
        {
            Append(psn, psn + 1, packets);
        }
    }
}

LostPackets
Scoreboard::GetMissing() const
{
    LostPackets packets{{GetUnacked(), GetUnacked() + 1}};
    AppendMissing(GetUnacked() + 1, GetNext(), packets);
    return packets;
}

} // namespace ns3::rdma
