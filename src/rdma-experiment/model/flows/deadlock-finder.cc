// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/deadlock-finder.h"

#include <string>

namespace ns3::rdma
{

DeadlockFinder::DeadlockFinder(Fabric& fabric, RankGroup& ranks)
    : m_fabric(fabric),
      m_ranks(ranks)
{
}

std::vector<PausedPort>
DeadlockFinder::Find()
{
    ByteBuffer own;
    own.PutAll(FindPauseWaits(m_fabric)); // Switches of other ranks hold no frames here.
    std::vector<PauseWait> waits;
    for (const std::string& text : m_ranks.Share({own.GetData(), own.GetSize()}))
    {
        ByteReader reader(text.data(), text.size());
        const std::vector<PauseWait> part = reader.GetAll<PauseWait>();
        waits.insert(waits.end(), part.begin(), part.end());
    }
    std::vector<PausedPort> cycle;
    for (const PortClass& port : FindPauseCycle(waits))
    {
        cycle.push_back(NamePort(m_fabric, port));
    }
    return cycle;
}

} // namespace ns3::rdma
