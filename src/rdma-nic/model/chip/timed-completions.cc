// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/timed-completions.h"

#include <algorithm>

namespace ns3::rdma
{

TimedCompletions::TimedCompletions(FabricEngine& engine,
                                   NicHardware& hardware,
                                   const QueuePairTable& table,
                                   WorkReporter& reporter)
    : m_engine(engine),
      m_hardware(hardware),
      m_table(table),
      m_reporter(reporter),
      m_target(engine.Register(this))
{
}

TimedCompletions::~TimedCompletions()
{
    m_engine.Unregister(m_target);
}

void
TimedCompletions::Take(const Notices& notices, Tick notBefore)
{
    const Tick now = m_engine.Now();
    for (const Notice& notice : notices)
    {
        const uint32_t place = m_written.Put(notice);
        const Tick writeAt = GetWriteTime(notice, std::max(now, notBefore));
        if (writeAt > now)
        {
            m_engine.Schedule(writeAt, FabricEngine::MakeOwner(m_target, WRITE), place);
        }
        else
        {
            Write(place, now);
        }
    }
}

Tick
TimedCompletions::GetWriteTime(const Notice& notice, Tick earliest)
{
    const uint32_t place =
        notice.isReceive ? m_table.GetPlace(notice.qpNumber) : QueuePairTable::NO_PLACE;
    if (place == QueuePairTable::NO_PLACE)
    {
        return earliest;
    }
    if (place >= m_receivedAt.size())
    {
        m_receivedAt.resize(place + 1);
    }
    // No completion overtakes an earlier one that is delayed by its receive request, its payload or
    // software.
    m_receivedAt[place] = std::max(earliest, m_receivedAt[place]);
    return m_receivedAt[place];
}

void
TimedCompletions::Forget(const QueuePair& queuePair)
{
    const uint32_t place = m_table.GetPlace(queuePair.GetNumber());
    if (place < m_receivedAt.size())
    {
        m_receivedAt[place] = 0;
    }
    for (Notice& notice : m_written.GetAll())
    {
        notice.isForgotten |= notice.IsCompletion() && notice.qpNumber == queuePair.GetNumber();
    }
}

void
TimedCompletions::Write(uint32_t place, Tick now)
{
    const Notice& notice = m_written[place];
    Tick notifiedAt = now;
    if (notice.IsCompletion())
    {
        notifiedAt = notice.hasOwnCosts ? m_hardware.WriteCompletion(now)
                                        : m_hardware.Complete(now, notice.qpNumber);
    }
    m_engine.Schedule(notifiedAt, FabricEngine::MakeOwner(m_target, DELIVER), place);
}

void
TimedCompletions::HandleEvent(uint32_t kind, uint32_t place)
{
    if (kind == WRITE)
    {
        Write(place, m_engine.Now());
        return;
    }
    const Notice notice = m_written.Take(place);
    if (!notice.isForgotten)
    {
        Notices further; // The overflow of a queue adds a notice.
        m_reporter.Notify(notice, further);
        m_reporter.Deliver(further);
    }
}

} // namespace ns3::rdma
