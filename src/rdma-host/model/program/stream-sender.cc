// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/stream-sender.h"

#include "ns3/assert.h"
#include "ns3/log.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

NS_LOG_COMPONENT_DEFINE("StreamSender");

namespace
{
constexpr uint32_t SEND_POLL_BATCH{32}; ///< Completions per call, if not event-driven: our choice.
constexpr uint64_t WQE_BYTES{64};       ///< mlx5, a WRITE with one piece; also a completion.
constexpr uint64_t REQUEST_BYTES{128};  ///< ibv_send_wr.
} // namespace

StreamSender::StreamSender(HostCores& cores,
                           const StreamSettings& settings,
                           StreamRoute route,
                           RegionLayout layout,
                           uint64_t first)
    : m_cores(cores),
      m_settings(settings),
      m_route(std::move(route)),
      m_layout(std::move(layout)),
      m_thread(cores.AddThread(*this, GetFootprint(settings))),
      m_wait(cores, settings, m_route.completions, false),
      m_measurement(cores, settings.measureInterval),
      m_list(settings.linked),
      m_next(first),
      m_first(first)
{
    NS_ASSERT_MSG(settings.linked == m_layout.GetBlocks(), "a list fills a region");
    m_wait.SetThread(m_thread);
    m_polled.reserve(m_wait.GetBatch(SEND_POLL_BATCH));
}

ThreadFootprint
StreamSender::GetFootprint(const StreamSettings& settings)
{
    constexpr uint64_t MESSAGE_BYTES{2 * WQE_BYTES + REQUEST_BYTES};
    return {settings.sendQueue * MESSAGE_BYTES, MESSAGE_BYTES}; // Each completion wakes the thread.
}

Tick
StreamSender::Now() const
{
    return m_cores.GetNow();
}

void
StreamSender::Start(Tick when)
{
    m_nextListAt = when;
    m_timerAt = when;
    m_cores.NotifyAt(m_thread, when);
}

bool
StreamSender::Begin(HostThread& thread)
{
    if (!std::exchange(m_hasStarted, true))
    {
        m_wait.ArmAtStart(false);
    }
    if (std::exchange(m_isPosting, false))
    {
        PostList();
    }
    if (std::exchange(m_isPaused, false))
    {
        m_wait.WakeUp(thread);
        return true;
    }
    return m_wait.Resume(thread);
}

void
StreamSender::Continue(HostThread& thread)
{
    if (Begin(thread))
    {
        return;
    }
    m_polled.clear();
    if (m_wait.TakePoll())
    {
        Poll(thread);
    }
    m_measurement.Look(thread, GetCompletedBytes());
    if (m_stats.failed > 0 || (Now() >= m_settings.until && m_stats.completed == m_stats.posted))
    {
        thread.End();
        return;
    }
    const uint32_t outstanding = static_cast<uint32_t>(m_stats.posted - m_stats.completed);
    const bool hasRoom = outstanding + GetListLength() <= m_settings.sendQueue;
    const bool isOpen = Now() < m_settings.until;
    if (isOpen && hasRoom && Now() >= m_nextListAt)
    {
        Prepare(thread);
    }
    else if (m_polled.empty())
    {
        if (isOpen && hasRoom)
        {
            Pause(thread);
        }
        else
        {
            m_wait.Wait(thread);
        }
    }
}

void
StreamSender::Pause(HostThread& thread)
{
    if (m_timerAt != m_nextListAt)
    {
        m_timerAt = m_nextListAt;
        m_cores.NotifyAt(thread, m_timerAt);
    }
    m_isPaused = true;
    m_wait.Sleep(thread);
}

void
StreamSender::Poll(HostThread& thread)
{
    const HostCostTable& costs = m_cores.GetCosts().Get();
    const Tick count = m_route.completions->Poll(m_wait.GetBatch(SEND_POLL_BATCH), m_polled);
    thread.Spend(HostTask::POLL,
                 costs.pollCall + count * (costs.completion + thread.GetLineTime()));
    for (const WorkCompletion& completion : m_polled)
    {
        if (completion.status == WcStatus::SUCCESS)
        {
            m_stats.completed = completion.wrId + 1 - m_first; // Covers all earlier requests.
        }
        else
        {
            ++m_stats.failed;
        }
    }
    const auto waiting = static_cast<uint32_t>(m_stats.posted - m_stats.completed);
    m_fill.least = std::min(m_fill.least, waiting);
    m_fill.empty += waiting == 0 && !m_polled.empty();
}

uint32_t
StreamSender::GetListLength() const
{
    return m_settings.linked - static_cast<uint32_t>(m_next % m_settings.linked);
}

void
StreamSender::Prepare(HostThread& thread)
{
    const HostCostTable& costs = m_cores.GetCosts().Get();
    const Tick length = GetListLength();
    // Each message's region is looked up and passed to its work request (thesis, section 5.2.1).
    thread.Spend(HostTask::LIST, length * (costs.lock + costs.regionLookup));
    thread.Spend(HostTask::POST,
                 costs.post + (length - 1) * costs.linkedPost + length * thread.GetLineTime());
    thread.Spend(HostTask::DOORBELL, costs.doorbell);
    m_isPosting = true;
}

void
StreamSender::PostList()
{
    const uint32_t length = GetListLength();
    for (uint32_t i = 0; i < length; ++i)
    {
        const uint64_t number = m_next + i;
        SendWorkRequest& request = m_list[i];
        request.wrId = number;
        request.opcode = WrOpcode::RDMA_WRITE_WITH_IMM;
        const uint64_t offset = m_layout.GetAddress(number) - m_layout.GetAddress(0);
        request.sgList.assign(
            1,
            {m_route.localAddress + offset, m_settings.messageBytes, m_route.localKey});
        request.isSignaled = (number + 1) % m_settings.signaledEvery == 0;
        request.isSolicited = m_settings.isSolicited && i + 1 == length;
        request.immediate = m_layout.GetImmediate(number);
        request.remoteAddress = m_layout.GetAddress(number);
        request.remoteKey = m_route.remoteKey;
        request.next = i + 1 < length ? &m_list[i + 1] : nullptr;
    }
    const PostResult result = m_route.nic->PostSend(m_route.queuePair, m_list.front());
    if (result != PostResult::OK)
    {
        ++m_stats.failed; // The queue pair cannot send.
        return;
    }
    NS_LOG_LOGIC("endpoint " << m_route.nic->GetEndpoint() << ", queue pair " << m_route.queuePair
                             << ": blocks " << m_next << " to " << m_next + length - 1
                             << " are posted, " << m_settings.messageBytes << " B each");
    m_next += length;
    m_stats.posted += length;
    m_nextListAt += m_settings.listInterval;
}

QueueFill
StreamSender::TakeFill()
{
    return std::exchange(m_fill, {});
}

} // namespace ns3::rdma
