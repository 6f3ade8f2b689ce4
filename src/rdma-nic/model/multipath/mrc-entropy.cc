// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/mrc-entropy.h"

#include "ns3/entropy-paths.h"

#include <algorithm>
#include <numeric>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(MrcEntropy);

TypeId
MrcEntropy::GetTypeId()
{
    static TypeId tid =
        TypeAttributes::Of<MrcEntropy, EntropySelector>("ns3::rdma::MrcEntropy", "RdmaNic")
            .Add("Active",
                 Member(&MrcEntropy::m_active, 128, 1, 4096),
                 "Values of the active set (128: MRC 1.0 names 128 to 256)")
            .Add("Backups",
                 Member(&MrcEntropy::m_backups, 32, 0, 4096),
                 "Backup values (32: ours; the specification has no number)")
            .Add("MinActive",
                 Member(&MrcEntropy::m_minActive, 16, 1, 4096),
                 "Values of the active set that stay usable at least (16: ours; ev_min_active of "
                 "MRC 1.0 has no default)")
            .Add("ProbeInterval",
                 Member(&MrcEntropy::m_probeInterval,
                        MicroSeconds(100),
                        NanoSeconds(1),
                        Seconds(1000)),
                 "Least time between two probes of a queue pair (100 us: ours; not public)");
    return tid;
}

void
MrcEntropy::Start(const EntropyFacts& facts)
{
    RandomStream random = facts.random;
    const uint32_t count = m_active + m_backups;
    m_planes = std::max(facts.planes, 1U);
    m_up = ~uint64_t{0};
    m_first = random.NextBelow(ENTROPY_VALUES - count + 1);
    m_states.assign(count, State::GOOD);
    m_order.resize(count);
    std::iota(m_order.begin(), m_order.end(), uint16_t{0});
    m_cursor = random.NextBelow(m_active);
    m_bad = 0;
    m_probed = 0;
    m_probeTime = Time(0);
}

std::optional<uint32_t>
MrcEntropy::FindNumber(uint32_t entropy) const
{
    const uint32_t number = entropy - m_first; // Below the first: wraps to a large number.
    return number < m_states.size() ? std::optional(number) : std::nullopt;
}

uint32_t
MrcEntropy::GetPlane(uint32_t number) const
{
    return (m_first + number) % m_planes;
}

bool
MrcEntropy::IsGood(uint32_t number) const
{
    return m_states[number] == State::GOOD && ((m_up >> GetPlane(number)) & 1) != 0;
}

uint32_t
MrcEntropy::GetNext(uint64_t, Time)
{
    bool hasRestored = false;
    for (uint32_t step = 0; step < m_active; ++step)
    {
        const uint32_t number = m_order[m_cursor];
        m_cursor = m_cursor + 1 == m_active ? 0 : m_cursor + 1;
        if (IsGood(number))
        {
            return m_first + number;
        }
        if (m_states[number] == State::SKIP && !hasRestored)
        {
            m_states[number] = State::GOOD;
            hasRestored = true;
        }
    }
    return ChooseWithoutGood();
}

uint32_t
MrcEntropy::ChooseWithoutGood()
{
    // A value that was just restored is GOOD, and is used if there is no other.
    uint32_t best = m_order[m_cursor];
    uint32_t bestRank = 0;
    for (uint32_t step = 0; step < m_active; ++step)
    {
        const uint32_t place = (m_cursor + step) % m_active;
        const uint32_t number = m_order[place];
        const State state = m_states[number];
        const bool isUp = ((m_up >> GetPlane(number)) & 1) != 0;
        uint32_t rank = 0;
        if (isUp && state != State::DENIED)
        {
            rank = state == State::ASSUMED_BAD ? 1 : 2;
        }
        if (rank > bestRank)
        {
            best = number;
            bestRank = rank;
        }
    }
    m_cursor = (m_cursor + 1) % m_active;
    return m_first + best;
}

void
MrcEntropy::OnFeedback(uint32_t entropy, RouteSignal signal, Time)
{
    const auto number = FindNumber(entropy);
    if (!number)
    {
        return;
    }
    switch (signal)
    {
    case RouteSignal::GOOD:
        return;
    case RouteSignal::MARKED:
    case RouteSignal::TRIMMED:
        if (m_states[*number] == State::GOOD)
        {
            m_states[*number] = State::SKIP;
        }
        return;
    default: // LOST, TIMEOUT
        AssumeBad(entropy);
    }
}

void
MrcEntropy::AssumeBad(uint32_t entropy)
{
    const auto number = FindNumber(entropy);
    if (number && (m_states[*number] == State::GOOD || m_states[*number] == State::SKIP))
    {
        Remove(*number, State::ASSUMED_BAD);
    }
}

void
MrcEntropy::Deny(uint32_t entropy)
{
    if (const auto number = FindNumber(entropy))
    {
        Remove(*number, State::DENIED);
    }
}

void
MrcEntropy::Allow(uint32_t entropy)
{
    const auto number = FindNumber(entropy);
    if (number && m_states[*number] == State::DENIED)
    {
        m_states[*number] = State::GOOD;
    }
}

void
MrcEntropy::Remove(uint32_t number, State state)
{
    m_bad -= m_states[number] == State::ASSUMED_BAD;
    m_states[number] = state;
    m_bad += state == State::ASSUMED_BAD;
    const auto place =
        static_cast<uint32_t>(std::find(m_order.begin(), m_order.end(), number) - m_order.begin());
    if (place >= m_active || ReplaceByBackup(place))
    {
        return;
    }
    if (state == State::ASSUMED_BAD && CountUsable() < m_minActive)
    {
        m_states[number] = State::SKIP;
        --m_bad;
    }
}

bool
MrcEntropy::ReplaceByBackup(uint32_t place)
{
    const uint32_t plane = GetPlane(m_order[place]);
    for (uint32_t backup = m_active; backup < m_order.size(); ++backup)
    {
        const uint32_t number = m_order[backup];
        if (GetPlane(number) == plane && m_states[number] == State::GOOD)
        {
            std::swap(m_order[place], m_order[backup]);
            return true;
        }
    }
    return false;
}

uint32_t
MrcEntropy::CountUsable() const
{
    uint32_t usable = 0;
    for (uint32_t place = 0; place < m_active; ++place)
    {
        const uint32_t number = m_order[place];
        const bool isUp = ((m_up >> GetPlane(number)) & 1) != 0;
        usable += isUp && m_states[number] <= State::SKIP;
    }
    return usable;
}

std::optional<uint32_t>
MrcEntropy::TakeProbe(Time now)
{
    if (m_bad == 0 || now < m_probeTime)
    {
        return std::nullopt;
    }
    const auto count = static_cast<uint32_t>(m_states.size());
    uint32_t number = m_probed % count;
    while (m_states[number] != State::ASSUMED_BAD)
    {
        number = (number + 1) % count;
    }
    m_probed = number + 1;
    m_probeTime = now + m_probeInterval;
    return m_first + number;
}

Time
MrcEntropy::GetProbeTime() const
{
    return m_bad == 0 ? Time::Max() : m_probeTime;
}

void
MrcEntropy::OnProbeReply(uint32_t entropy, bool isMarked, Time)
{
    const auto number = FindNumber(entropy);
    if (number && m_states[*number] != State::DENIED)
    {
        m_bad -= m_states[*number] == State::ASSUMED_BAD;
        m_states[*number] = isMarked ? State::SKIP : State::GOOD;
    }
}

void
MrcEntropy::OnPorts(uint64_t up)
{
    m_up = up;
}

MrcEntropy::State
MrcEntropy::GetState(uint32_t entropy) const
{
    const auto number = FindNumber(entropy);
    return number ? m_states[*number] : State::DENIED;
}

bool
MrcEntropy::IsActive(uint32_t entropy) const
{
    const auto end = m_order.begin() + m_active;
    return std::find(m_order.begin(), end, entropy - m_first) != end;
}

} // namespace ns3::rdma
