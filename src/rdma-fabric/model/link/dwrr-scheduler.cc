// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/dwrr-scheduler.h"

#include "ns3/type-attributes.h"

#include <algorithm>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(DwrrScheduler);

namespace
{
/// @return how many classes after the class `from` a class has its turn; PRIORITIES for itself.
uint32_t
GetDistance(uint32_t from, uint32_t classNumber)
{
    return (classNumber + PRIORITIES - from - 1) % PRIORITIES + 1;
}
} // namespace

TypeId
DwrrScheduler::GetTypeId()
{
    static TypeId tid =
        TypeAttributes(TypeId("ns3::rdma::DwrrScheduler")
                           .SetParent<EgressScheduler>()
                           .SetGroupName("RdmaFabric")
                           .AddConstructor<DwrrScheduler>())
            .Add("Quantum",
                 Member(&DwrrScheduler::m_quantumUnit, 256, 1, 1U << 20),
                 "Bytes on the wire that a turn adds for each unit of a class's weight (256: our "
                 "choice; weights of a sum of 100 make a round of 25.6 kB)");
    return tid;
}

void
DwrrScheduler::DoStart(const PortSchedule& schedule)
{
    uint32_t weightedLevel = 0;
    for (uint32_t number = 0; number < PRIORITIES; ++number)
    {
        const ClassSchedule& place = schedule.classes[number];
        m_quanta[number] = int64_t{place.weight} * m_quantumUnit;
        if (place.weight > 0)
        {
            m_weighted |= 1U << number;
            weightedLevel = std::max(weightedLevel, uint32_t{place.level});
        }
    }
    for (uint32_t number = 0; number < PRIORITIES; ++number)
    {
        const bool isWeighted = schedule.classes[number].weight > 0;
        m_levels[isWeighted ? weightedLevel : schedule.classes[number].level] |= 1U << number;
    }
}

uint32_t
DwrrScheduler::DoChoose(const EgressQueues& queues)
{
    uint32_t level = PRIORITIES - 1;
    while ((m_levels[level] & queues.eligible) == 0)
    {
        --level;
    }
    const uint32_t strict = m_levels[level] & queues.eligible & ~m_weighted;
    return strict != 0 ? static_cast<uint32_t>(31 - __builtin_clz(strict))
                       : ChooseWeighted(queues, m_levels[level] & queues.eligible);
}

uint32_t
DwrrScheduler::ChooseWeighted(const EgressQueues& queues, uint32_t candidates)
{
    for (uint32_t empty = m_weighted & ~queues.waiting; empty != 0; empty &= empty - 1)
    {
        int64_t& deficit = m_deficits[__builtin_ctz(empty)];
        deficit = std::min<int64_t>(deficit, 0);
    }
    if (((candidates >> m_turn) & 1) != 0 && MaySend(queues, m_turn))
    {
        return m_turn;
    }
    uint32_t chosen = PRIORITIES;
    int64_t turns = 0;
    for (uint32_t distance = 1; distance <= PRIORITIES; ++distance)
    {
        const uint32_t number = (m_turn + distance) % PRIORITIES;
        if (((candidates >> number) & 1) == 0)
        {
            continue;
        }
        const int64_t needed = CountTurns(queues, number);
        if (chosen == PRIORITIES || needed < turns)
        {
            chosen = number;
            turns = needed;
        }
    }
    AddQuanta(queues, candidates, turns, GetDistance(m_turn, chosen));
    m_turn = chosen;
    return chosen;
}

bool
DwrrScheduler::MaySend(const EgressQueues& queues, uint32_t classNumber) const
{
    return m_deficits[classNumber] >= std::max<int64_t>(queues.headBytes[classNumber], 1);
}

int64_t
DwrrScheduler::CountTurns(const EgressQueues& queues, uint32_t classNumber) const
{
    const int64_t missing =
        std::max<int64_t>(queues.headBytes[classNumber], 1) - m_deficits[classNumber];
    const int64_t quantum = m_quanta[classNumber];
    return std::max<int64_t>((missing + quantum - 1) / quantum, 1);
}

void
DwrrScheduler::AddQuanta(const EgressQueues& queues,
                         uint32_t candidates,
                         int64_t turns,
                         uint32_t distance)
{
    for (uint32_t left = m_weighted; left != 0; left &= left - 1)
    {
        const auto number = static_cast<uint32_t>(__builtin_ctz(left));
        const bool hasTurn = GetDistance(m_turn, number) <= distance;
        const int64_t quanta = (hasTurn ? turns : turns - 1) * m_quanta[number];
        int64_t& deficit = m_deficits[number];
        if (((candidates >> number) & 1) != 0)
        {
            deficit += quanta;
        }
        else if (((queues.waiting >> number) & 1) == 0)
        {
            deficit = std::min<int64_t>(deficit + quanta, 0);
        }
    }
}

void
DwrrScheduler::DoOnSend(uint32_t classNumber, uint32_t wireBytes)
{
    if (((m_weighted >> classNumber) & 1) != 0)
    {
        m_deficits[classNumber] -= wireBytes;
    }
}

} // namespace ns3::rdma
