// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_STREAM_SENDER_H
#define RDMA_STREAM_SENDER_H

#include "ns3/completion-wait.h"
#include "ns3/rdma-nic.h"
#include "ns3/region-layout.h"
#include "ns3/self-measurement.h"

#include <vector>

namespace ns3::rdma
{

/// Source and destination of a sender's messages.
struct StreamRoute
{
    Ptr<RdmaNic> nic;
    uint32_t queuePair{0};
    Ptr<CompletionQueue> completions; ///< Of the queue pair; at least as large as its send queue.
    uint64_t localAddress{0};         ///< Of memory as large as the peer's regions.
    uint32_t localKey{0};
    uint32_t remoteKey{0};
};

/// Counts of a sender.
struct SenderStats
{
    uint64_t posted{0};    ///< Messages.
    uint64_t completed{0}; ///< Messages covered by a completion without error.
    uint64_t failed{0};    ///< Completions with an error.
};

/**
 * @ingroup rdma-program
 * @brief A thread that sends messages of one queue pair: WRITEs with immediate data into the memory
 * regions of its peer, in lists of linked requests.
 *
 * The thread polls completions, looks up the region of each message, links its requests and posts
 * them.  If the send queue has no room for a list, it waits for completions.  Regions are written
 * in turn whether or not the receiver has used them (thesis, section 3.5.2).  The first error ends
 * it.
 */
class StreamSender : public HostProgram
{
  public:
    /// @param cores, settings outlive this object
    /// @param layout of the peer's regions
    /// @param first number of the first message: the first list is the rest of its region
    StreamSender(HostCores& cores,
                 const StreamSettings& settings,
                 StreamRoute route,
                 RegionLayout layout,
                 uint64_t first = 0);

    /// Called once.
    /// @param when the thread begins; not before now
    void Start(Tick when);

    void Continue(HostThread& thread) override;

    const SenderStats& GetStats() const
    {
        return m_stats;
    }

    /// @return payload of completed messages.
    uint64_t GetCompletedBytes() const
    {
        return m_stats.completed * m_settings.messageBytes;
    }

    /// @return the measurements that the thread has taken of itself.
    const std::vector<OwnMeasurement>& GetMeasurements() const
    {
        return m_measurement.Get();
    }

    /// @return the fill since the last call.
    QueueFill TakeFill();

    const HostThread& GetThread() const
    {
        return m_thread;
    }

    uint32_t GetQueuePair() const
    {
        return m_route.queuePair;
    }

    /// @return the footprint of send queue, completions and requests.
    static ThreadFootprint GetFootprint(const StreamSettings& settings);

  private:
    bool Begin(HostThread& thread);
    void Poll(HostThread& thread);
    void Pause(HostThread& thread);
    void Prepare(HostThread& thread);
    void PostList();
    uint32_t GetListLength() const;
    Tick Now() const;

    HostCores& m_cores;
    const StreamSettings& m_settings;
    StreamRoute m_route;
    RegionLayout m_layout;
    HostThread& m_thread;
    CompletionWait m_wait;
    SelfMeasurement m_measurement;
    std::vector<SendWorkRequest> m_list; ///< Linked.
    std::vector<WorkCompletion> m_polled;
    uint64_t m_next; ///< Number of the next message.
    uint64_t m_first;
    Tick m_nextListAt{0};
    bool m_isPosting{false}; ///< In the step that posts a list.
    bool m_hasStarted{false};
    bool m_isPaused{false};     ///< Sleeps until m_nextListAt.
    Tick m_timerAt{TICK_NEVER}; ///< Of the newest timer.
    SenderStats m_stats;
    QueueFill m_fill;
};

} // namespace ns3::rdma

#endif // RDMA_STREAM_SENDER_H
