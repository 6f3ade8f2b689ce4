// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/completion-wait.h"

#include "ns3/log.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

NS_LOG_COMPONENT_DEFINE("CompletionWait");

CompletionWait::CompletionWait(HostCores& cores,
                               const StreamSettings& settings,
                               Ptr<CompletionQueue> queue,
                               bool isSolicitedOnly)
    : m_cores(cores),
      m_settings(settings),
      m_queue(queue),
      m_isSolicitedOnly(isSolicitedOnly)
{
    m_queue->SetNotifier([this] { OnNotified(); });
}

CompletionWait::~CompletionWait()
{
    m_queue->SetNotifier(nullptr);
}

void
CompletionWait::SetThread(HostThread& thread)
{
    m_thread = &thread;
}

void
CompletionWait::ArmAtStart(bool isWaiting)
{
    if (IsEventDriven())
    {
        m_state = isWaiting ? State::WAITING : State::POLLING;
        Arm();
    }
}

bool
CompletionWait::IsEventDriven() const
{
    return m_settings.polling == PollingMode::EVENT ||
           m_settings.polling == PollingMode::EVENT_ONCE;
}

void
CompletionWait::Arm()
{
    m_isArmed = true;
    m_mayPoll = true;
    m_queue->RequestNotify(m_isSolicitedOnly);
}

uint32_t
CompletionWait::GetBatch(uint32_t usual) const
{
    return IsEventDriven() ? std::max(m_settings.sendQueue, m_settings.receiveQueue) : usual;
}

bool
CompletionWait::TakePoll()
{
    return m_settings.polling != PollingMode::EVENT_ONCE || std::exchange(m_mayPoll, false);
}

void
CompletionWait::OnNotified()
{
    NS_LOG_LOGIC("thread " << m_thread->GetNumber() << ": its completion queue has a completion");
    m_isArmed = false;
    switch (m_settings.polling)
    {
    case PollingMode::BUSY:
        m_cores.Unspin(*m_thread);
        break;
    case PollingMode::INTERVAL:
        m_cores.NotifyAt(*m_thread, GetNextLook());
        break;
    default:
        m_cores.Notify(*m_thread);
    }
}

Tick
CompletionWait::GetNextLook() const
{
    const Tick interval = std::max<Tick>(m_settings.pollInterval, 1);
    const Tick idle = m_cores.GetNow() - m_lookedAt;
    return m_lookedAt + (idle + interval - 1) / interval * interval;
}

void
CompletionWait::Sleep(HostThread& thread)
{
    // A pending notification is received without blocking.
    if (!thread.IsNotified())
    {
        thread.Spend(HostTask::EVENT, m_cores.GetCosts().Get().sleep);
    }
    thread.Sleep();
}

void
CompletionWait::WakeUp(HostThread& thread)
{
    const HostCostTable& costs = m_cores.GetCosts().Get();
    thread.Spend(HostTask::EVENT, thread.HasSlept() ? costs.wakeUp : costs.getEvent);
    m_mayPoll = true;
}

void
CompletionWait::Wait(HostThread& thread)
{
    switch (m_settings.polling)
    {
    case PollingMode::EVENT:
    case PollingMode::EVENT_ONCE:
        if (!m_isArmed && !thread.IsNotified())
        {
            // The notification ended another sleep of the thread: arm the queue, and poll again.
            thread.Spend(HostTask::ARM, m_cores.GetCosts().Get().arm);
            m_state = State::ARMING;
            return;
        }
        Sleep(thread);
        break;
    case PollingMode::BUSY:
        // This notification models the polls of the spinning thread. It takes no time.
        m_queue->RequestNotify(false);
        thread.Spin(HostTask::POLL, m_cores.GetCosts().Get().pollCall);
        return;
    case PollingMode::INTERVAL:
        m_lookedAt = m_cores.GetNow();
        if (m_lookedAt >= m_settings.until)
        {
            // Empty polls would continue without end; the notification replaces them.
            m_queue->RequestNotify(false);
        }
        else
        {
            m_cores.NotifyAt(thread, m_lookedAt + m_settings.pollInterval);
        }
        Sleep(thread);
        break;
    }
    m_state = State::WAITING;
}

bool
CompletionWait::Resume(HostThread& thread)
{
    const HostCostTable& costs = m_cores.GetCosts().Get();
    if (m_state == State::WAITING)
    {
        NS_LOG_LOGIC("thread " << thread.GetNumber() << ": its wait for a completion ends");
        WakeUp(thread);
        m_state = State::POLLING;
        if (IsEventDriven())
        {
            thread.Spend(HostTask::ACK, costs.ack);
            thread.Spend(HostTask::ARM, costs.arm);
            m_state = State::ARMING;
        }
        return true;
    }
    if (m_state == State::ARMING)
    {
        Arm();
        m_state = State::POLLING;
    }
    return false;
}

} // namespace ns3::rdma
