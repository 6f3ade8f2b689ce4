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
    uint64_t inTime{0}; ///< Messages taken within the schedule's deadline.
    uint64_t messages{0};
    uint64_t bytes{0};
    uint64_t failed{0}; ///< Completions with an error.
};

/**
 * @ingroup rdma-program
 * @brief A thread that receives messages: of one queue pair with a receive queue of its own, or of
 * any number that share a receive queue and a completion queue.
 *
 * It takes completions, finds the data of their queue pairs, checks immediate data, flags the
 * blocks of memory regions, and posts a list of receive requests when so many are used up.  With
 * several queue pairs, their data are searched from the first element on, as the thesis does
 * (section 5.2.3).  If so configured, it copies each message to where it is used, as to the
 * memory of a GPU: it is in time when it is there.
 */
class StreamReceiver : public HostProgram
{
  public:
    /// @param settings, cores outlive this @param completions of its queue pairs, with room for the
    /// receive queue @param shared null: its only queue pair has a queue of its own
    StreamReceiver(HostCores& cores,
                   const StreamSettings& settings,
                   Ptr<RdmaNic> nic,
                   Ptr<CompletionQueue> completions,
                   Ptr<ReceiveQueue> shared,
                   uint32_t queuePairs);

    /// Adds a queue pair. Before Start(). @param layout of its regions @param schedule of its
    /// sender; its first is the number of the first message that will come
    void Add(uint32_t queuePair, RegionLayout layout, const StreamSchedule& schedule = {});

    /// Fills the receive queue and arms, before senders begin: takes no time. Once.
    void Start();

    void Continue(HostThread& thread) override;

    /// @return in the order of Add().
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

    /// @return since the last call, and begins anew.
    QueueFill TakeFill();

    /// @return receive requests that wait for messages now.
    uint32_t GetWaiting() const;

    /// @return lists posted since Start().
    uint64_t GetRefills() const
    {
        return m_refills;
    }

    const HostThread& GetThread() const
    {
        return m_thread;
    }

    /// @return payload that has arrived, of each stream: of messages that the thread has taken, and
    /// of those whose completions wait for it.
    std::vector<uint64_t> GetArrivedBytes() const;

    /// @return of receive queue, completions, requests, and the blocks' flags of all queue pairs.
    static ThreadFootprint GetFootprint(const StreamSettings& settings, uint32_t queuePairs);

  private:
    void Handle(HostThread& thread);
    /// @param copied time of the copies of this step so far, to which this message's is added
    void Check(HostThread& thread, const WorkCompletion& completion, Tick& copied);
    void CountInTime(ReceivedStream& stream, Tick copied) const;
    Tick GetCopyTime(uint64_t bytes) const;
    void Post(uint32_t requests);

    HostCores& m_cores;
    const StreamSettings& m_settings;
    Ptr<RdmaNic> m_nic;
    Ptr<CompletionQueue> m_completions;
    Ptr<ReceiveQueue> m_shared;
    Ptr<const ReceiveQueue> m_receives; ///< The shared one, or that of the only queue pair.
    HostThread& m_thread;
    CompletionWait m_wait;
    SelfMeasurement m_measurement;
    std::vector<ReceivedStream> m_streams;
    std::unordered_map<uint32_t, uint32_t> m_places; ///< In m_streams, by queue pair.
    std::vector<ReceiveWorkRequest> m_list;          ///< Linked.
    std::vector<WorkCompletion> m_polled;
    uint32_t m_used{0};   ///< Receive requests that are to be posted again.
    uint32_t m_toPost{0}; ///< Those of the step under way.
    uint64_t m_messages{0};
    uint64_t m_bytes{0};
    uint64_t m_refills{0};
    bool m_wasEmpty{false};
    QueueFill m_fill;
};

} // namespace ns3::rdma

#endif // RDMA_STREAM_RECEIVER_H
