// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/stream-receiver.h"

#include "ns3/assert.h"
#include "ns3/log.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

NS_LOG_COMPONENT_DEFINE("StreamReceiver");

namespace
{
constexpr uint32_t RECEIVE_POLL_BATCH{
    32};                                 ///< Completions per call, if not event-driven: our choice.
constexpr uint64_t COMPLETION_BYTES{64}; ///< mlx5.
constexpr uint64_t RECEIVE_WQE_BYTES{16};     ///< mlx5, one piece.
constexpr uint64_t RECEIVE_REQUEST_BYTES{48}; ///< ibv_recv_wr and ibv_sge.
constexpr uint64_t FLAG_BYTES{1};             ///< Of each block of a region: our choice.
} // namespace

StreamReceiver::StreamReceiver(HostCores& cores,
                               const StreamSettings& settings,
                               Ptr<RdmaNic> nic,
                               Ptr<CompletionQueue> completions,
                               Ptr<ReceiveQueue> shared,
                               uint32_t queuePairs)
    : m_cores(cores),
      m_settings(settings),
      m_nic(nic),
      m_completions(completions),
      m_shared(shared),
      m_thread(cores.AddThread(*this, GetFootprint(settings, queuePairs))),
      m_wait(cores, settings, completions, settings.isSolicited),
      m_measurement(cores, settings.measureInterval),
      m_list(settings.receiveQueue)
{
    NS_ASSERT_MSG(shared || queuePairs == 1, "queue pairs of one thread share a receive queue");
    m_wait.SetThread(m_thread);
    m_streams.reserve(queuePairs);
    m_polled.reserve(m_wait.GetBatch(RECEIVE_POLL_BATCH));
}

ThreadFootprint
StreamReceiver::GetFootprint(const StreamSettings& settings, uint32_t queuePairs)
{
    constexpr uint64_t MESSAGE_BYTES{COMPLETION_BYTES + RECEIVE_WQE_BYTES + RECEIVE_REQUEST_BYTES};
    const uint64_t flags = uint64_t{queuePairs} * settings.regions * settings.linked * FLAG_BYTES;
    const uint64_t perTurn = settings.isSolicited ? settings.linked : 1;
    return {settings.receiveQueue * MESSAGE_BYTES + flags, perTurn * (MESSAGE_BYTES + FLAG_BYTES)};
}

std::vector<uint64_t>
StreamReceiver::GetArrivedBytes() const
{
    std::vector<uint64_t> bytes;
    bytes.reserve(m_streams.size());
    for (const ReceivedStream& stream : m_streams)
    {
        bytes.push_back(stream.bytes);
    }
    for (const WorkCompletion& completion : m_completions->GetEntries())
    {
        if (completion.status == WcStatus::SUCCESS)
        {
            bytes[m_places.at(completion.qpNumber)] += completion.byteLength;
        }
    }
    return bytes;
}

void
StreamReceiver::Add(uint32_t queuePair, RegionLayout layout, const StreamSchedule& schedule)
{
    m_places[queuePair] = static_cast<uint32_t>(m_streams.size());
    m_streams.push_back({queuePair, RegionTracker(std::move(layout), schedule.first), schedule});
}

void
StreamReceiver::Start()
{
    m_receives =
        m_shared ? m_shared : m_nic->FindQueuePair(m_streams.front().queuePair)->setup.receiveQueue;
    Post(m_settings.receiveQueue);
    m_wait.ArmAtStart(true);
    if (!m_wait.IsEventDriven())
    {
        m_cores.NotifyAt(m_thread, m_cores.GetNow());
    }
}

void
StreamReceiver::Post(uint32_t requests)
{
    for (uint32_t i = 0; i < requests; ++i)
    {
        m_list[i].next = i + 1 < requests ? &m_list[i + 1] : nullptr;
    }
    if (m_shared)
    {
        m_shared->Post(m_list.front());
    }
    else
    {
        m_nic->PostReceive(m_streams.front().queuePair, m_list.front());
    }
    m_wasEmpty = false;
}

uint32_t
StreamReceiver::GetWaiting() const
{
    return m_receives->GetCount();
}

void
StreamReceiver::Continue(HostThread& thread)
{
    if (m_toPost > 0)
    {
        Post(std::exchange(m_toPost, 0));
        ++m_refills;
    }
    if (m_wait.Resume(thread))
    {
        return;
    }
    m_polled.clear();
    if (m_wait.TakePoll())
    {
        Handle(thread);
    }
    m_measurement.Look(thread, m_bytes);
    if (m_polled.empty())
    {
        m_wait.Wait(thread);
    }
}

void
StreamReceiver::Handle(HostThread& thread)
{
    const uint32_t waiting = GetWaiting();
    m_fill.least = std::min(m_fill.least, waiting);
    m_fill.empty += waiting == 0 && !m_wasEmpty;
    m_wasEmpty = waiting == 0;
    const HostCostTable& costs = m_cores.GetCosts().Get();
    const Tick count = m_completions->Poll(m_wait.GetBatch(RECEIVE_POLL_BATCH), m_polled);
    thread.Spend(HostTask::POLL,
                 costs.pollCall + count * (costs.completion + thread.GetLineTime()));
    Tick copied = 0;
    for (const WorkCompletion& completion : m_polled)
    {
        Check(thread, completion, copied);
    }
    m_used += static_cast<uint32_t>(count);
    if (m_settings.isRefilled && m_used >= m_settings.linked)
    {
        m_toPost = m_used - m_used % m_settings.linked;
        m_used -= m_toPost;
        const Tick lists = m_toPost / m_settings.linked;
        thread.Spend(HostTask::POST,
                     lists * costs.receiveCall +
                         Tick{m_toPost} * (costs.receive + thread.GetLineTime()));
    }
}

void
StreamReceiver::Check(HostThread& thread, const WorkCompletion& completion, Tick& copied)
{
    const HostCostTable& costs = m_cores.GetCosts().Get();
    const uint32_t place = m_places.at(completion.qpNumber);
    if (m_streams.size() > 1)
    {
        thread.Spend(HostTask::SEARCH, Tick{place + 1} * costs.searchElement);
    }
    ReceivedStream& stream = m_streams[place];
    if (completion.status != WcStatus::SUCCESS)
    {
        ++stream.failed;
        return;
    }
    thread.Spend(HostTask::CHECK, costs.lock + costs.check + thread.GetLineTime());
    if (const Tick time = GetCopyTime(completion.byteLength); time > 0)
    {
        thread.Spend(HostTask::COPY, time);
        copied += time;
    }
    if (stream.tracker.Take(completion.immediate) == BlockArrival::NEW)
    {
        CountInTime(stream, copied);
    }
    NS_LOG_LOGIC("endpoint " << m_nic->GetEndpoint() << ", queue pair " << completion.qpNumber
                             << ": block " << RegionLayout::Decode(completion.immediate).block
                             << " of region " << RegionLayout::Decode(completion.immediate).region
                             << " is received, " << completion.byteLength << " B");
    ++stream.messages;
    stream.bytes += completion.byteLength;
    ++m_messages;
    m_bytes += completion.byteLength;
}

void
StreamReceiver::CountInTime(ReceivedStream& stream, Tick copied) const
{
    if (stream.schedule.HasDeadline() &&
        stream.schedule.IsInTime(stream.tracker.GetNext() - 1, m_cores.GetNow() + copied))
    {
        ++stream.inTime;
    }
}

Tick
StreamReceiver::GetCopyTime(uint64_t bytes) const
{
    constexpr double BIT_PS_PER_SECOND{8e12};
    const auto rate = static_cast<double>(m_settings.copyRate.GetBitRate());
    const double moving = rate > 0 ? static_cast<double>(bytes) * BIT_PS_PER_SECOND / rate : 0;
    return m_settings.copyTime + static_cast<Tick>(moving + 0.5);
}

QueueFill
StreamReceiver::TakeFill()
{
    return std::exchange(m_fill, {});
}

} // namespace ns3::rdma
