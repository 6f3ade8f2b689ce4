// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_STREAM_RECEIVER_H
#define RDMA_STREAM_RECEIVER_H

#include "ns3/completion-wait.h"
#include "ns3/rdma-nic.h"
#include "ns3/region-tracker.h"
#include "ns3/self-measurement.h"
#include "ns3/stream-schedule.h"

#include <unordered_map>
#include <vector>

namespace ns3::rdma
{

/// A queue pair that a receiver serves.
struct ReceivedStream
{
    uint32_t queuePair{0};
    RegionTracker tracker;
    StreamSchedule schedule;
    uint64_t inTime{0}; ///< Messages handled within the schedule's deadline.
    uint64_t messages{0};
    uint64_t bytes{0};
    uint64_t failed{0}; ///< Completions with an error.
};

/**
 * @ingroup rdma-program
 * @brief A thread that receives messages of one queue pair with its own receive queue, or of
 * several that share a receive queue and a completion queue.
 *
 * The thread polls completions, finds the data of their queue pairs, checks immediate data and
 * flags the blocks of memory regions.  It posts used receive requests again in whole lists.
 * It searches the data of several queue pairs linearly, as in the thesis (section 5.2.3).  If
 * configured, it copies each message to other memory, such as a GPU's.  The deadline then applies
 * to the end of the copy.
 */
class StreamReceiver : public HostProgram
{
  public:
    /// @param cores, settings outlive this object
    /// @param completions of its queue pairs; at least as large as the receive queue
    /// @param shared null: its only queue pair has its own receive queue
    StreamReceiver(HostCores& cores,
                   const StreamSettings& settings,
                   Ptr<RdmaNic> nic,
                   Ptr<CompletionQueue> completions,
                   Ptr<ReceiveQueue> shared,
                   uint32_t queuePairs);

    /// Adds a queue pair, before Start().
    /// @param layout of its regions
    /// @param schedule of its sender; its `first` is the number of the first message
    void Add(uint32_t queuePair, RegionLayout layout, const StreamSchedule& schedule = {});

    /// Called once, before senders begin: fills the receive queue and arms, without taking time.
    void Start();

    void Continue(HostThread& thread) override;

    /// @return the streams, in the order of Add().
    const std::vector<ReceivedStream>& GetStreams() const
    {
        return m_streams;
    }

    uint64_t GetMessages() const
    {
        return m_messages;
    }

    uint64_t GetBytes() const
    {
        return m_bytes;
    }

    /// @return the measurements that the thread has taken of itself.
    const std::vector<OwnMeasurement>& GetMeasurements() const
    {
        return m_measurement.Get();
    }

    /// @return the fill since the last call.
    QueueFill TakeFill();

    /// @return receive requests in the queue.
    uint32_t GetWaiting() const;

    /// @return how often receive requests were posted after Start().
    uint64_t GetRefills() const
    {
        return m_refills;
    }

    const HostThread& GetThread() const
    {
        return m_thread;
    }

    /// @return the arrived payload of each stream: of handled messages and of pending completions.
    std::vector<uint64_t> GetArrivedBytes() const;

    /// @return the footprint of receive queue, completions, requests, and flags of all blocks.
    static ThreadFootprint GetFootprint(const StreamSettings& settings, uint32_t queuePairs);

  private:
    void Handle(HostThread& thread);
    /// @param[in,out] copied time of the copies of this step; that of the message is added
    void Check(HostThread& thread, const WorkCompletion& completion, Tick& copied);
    void CountInTime(ReceivedStream& stream, Tick copied) const;
    Tick GetCopyTime(uint64_t bytes) const;
    void Post(uint32_t requests);

    HostCores& m_cores;
    const StreamSettings& m_settings;
    Ptr<RdmaNic> m_nic;
    Ptr<CompletionQueue> m_completions;
    Ptr<ReceiveQueue> m_shared;
    Ptr<const ReceiveQueue> m_receives; ///< m_shared, or the queue of the only queue pair.
    HostThread& m_thread;
    CompletionWait m_wait;
    SelfMeasurement m_measurement;
    std::vector<ReceivedStream> m_streams;
    std::unordered_map<uint32_t, uint32_t> m_places; ///< In m_streams, by queue pair.
    std::vector<ReceiveWorkRequest> m_list;          ///< Linked.
    std::vector<WorkCompletion> m_polled;
    uint32_t m_used{0};   ///< Used receive requests not yet posted again.
    uint32_t m_toPost{0}; ///< Receive requests that the current step posts.
    uint64_t m_messages{0};
    uint64_t m_bytes{0};
    uint64_t m_refills{0};
    bool m_wasEmpty{false};
    QueueFill m_fill;
};

} // namespace ns3::rdma

#endif // RDMA_STREAM_RECEIVER_H
