// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/queue-pair-table.h"

#include "ns3/abort.h"

namespace ns3::rdma
{

QueuePairTable::QueuePairTable()
{
    Clear();
}

QueuePair&
QueuePairTable::Create()
{
    if (m_free.empty())
    {
        NS_ABORT_MSG_IF(GetCount() == MAX_QUEUE_PAIRS,
                        "a NIC holds at most " << MAX_QUEUE_PAIRS << " queue pairs at a time");
        m_free.push_back(static_cast<uint32_t>(m_places.size()));
        m_places.emplace_back();
        m_uses.push_back(0);
    }
    const uint32_t place = m_free.back();
    m_free.pop_back();
    m_places[place] = std::make_unique<QueuePair>();
    m_places[place]->number = (uint32_t{m_uses[place]++} << 16) | place;
    return *m_places[place];
}

void
QueuePairTable::Destroy(uint32_t number)
{
    if (Find(number))
    {
        const uint32_t place = number & PLACE_MASK;
        m_places[place] = nullptr;
        m_free.push_back(place);
    }
}

void
QueuePairTable::Clear()
{
    m_places.clear();
    m_places.resize(RESERVED);
    m_uses.assign(RESERVED, 0);
    m_free.clear();
}

} // namespace ns3::rdma
