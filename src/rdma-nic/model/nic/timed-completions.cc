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
    reporter.SetPath(*this);
}

TimedCompletions::~TimedCompletions()
{
    m_engine.Unregister(m_target);
}

void
TimedCompletions::Take(std::vector<Notice>& notices, Tick notBefore)
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
    notices.clear();
}

Tick
TimedCompletions::GetWriteTime(const Notice& notice, Tick earliest) const
{
    QueuePair* queuePair = notice.isReceive ? m_table.Find(notice.qpNumber) : nullptr;
    if (!queuePair)
    {
        return earliest;
    }
    // None overtakes one that waits for its request, its place in memory or software.
    Tick& receivedAt = queuePair->GetExtras().receivedAt;
    receivedAt = std::max(earliest, receivedAt);
    return receivedAt;
}

void
TimedCompletions::Forget(uint32_t queuePair)
{
    for (Notice& notice : m_written.GetAll())
    {
        notice.isForgotten |= notice.IsCompletion() && notice.qpNumber == queuePair;
    }
}

void
TimedCompletions::Write(uint32_t place, Tick now)
{
    const Notice& notice = m_written[place];
    Tick notifiedAt = now;
    if (notice.IsCompletion())
    {
        notifiedAt = notice.hasProgram ? m_hardware.WriteCompletion(now)
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
        m_reporter.Notify(notice);
    }
    m_reporter.Deliver(); // An overflowing queue says more.
}

} // namespace ns3::rdma
