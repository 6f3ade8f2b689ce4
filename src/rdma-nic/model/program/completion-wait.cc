// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/completion-wait.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

namespace
{
/// Messages that are under way when senders stop come within this time.
constexpr Tick DRAIN{1'000'000'000};
} // namespace

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
    return m_settings.polling == PollingMode::EVENT_ONCE
               ? std::max(m_settings.sendQueue, m_settings.receiveQueue)
               : usual;
}

bool
CompletionWait::TakePoll()
{
    return m_settings.polling != PollingMode::EVENT_ONCE || std::exchange(m_mayPoll, false);
}

void
CompletionWait::OnNotified()
{
    m_isArmed = false;
    if (m_settings.polling == PollingMode::BUSY)
    {
        m_cores.Unspin(*m_thread);
    }
    else
    {
        m_cores.Notify(*m_thread);
    }
}

void
CompletionWait::Sleep(HostThread& thread)
{
    // A notification that is there already is got without sleeping.
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
            // The notification came while the thread slept for something else: arm, and poll again.
            thread.Spend(HostTask::ARM, m_cores.GetCosts().Get().arm);
            m_state = State::ARMING;
            return;
        }
        Sleep(thread);
        break;
    case PollingMode::BUSY:
        // A thread that spins would find it by itself: this stands for its polls, and is free.
        m_queue->RequestNotify(false);
        thread.Spin(HostTask::POLL, m_cores.GetCosts().Get().pollCall);
        return;
    case PollingMode::INTERVAL:
        if (m_cores.GetNow() - DRAIN >= m_settings.until)
        {
            thread.End(); // Else it would look for ever.
            return;
        }
        m_cores.NotifyAt(thread, m_cores.GetNow() + m_settings.pollInterval);
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
