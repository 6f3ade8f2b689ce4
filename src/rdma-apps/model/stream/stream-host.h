// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_STREAM_HOST_H
#define RDMA_STREAM_HOST_H

#include "ns3/host-noise.h"
#include "ns3/stream-receiver.h"
#include "ns3/stream-report.h"
#include "ns3/stream-schedule.h"
#include "ns3/stream-sender.h"

#include <memory>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-stream
 * @brief One server with its cores, memory, queues and programs, and what they have used.
 */
class StreamHost
{
  public:
    /// @param nic the server's first, whose design has costs, caches, cores and noise
    /// @param seed of the run. Throws a VerbsError if the noise's attributes have a fault.
    StreamHost(uint32_t node,
               const RdmaNic& nic,
               std::shared_ptr<FabricEngine> engine,
               uint64_t seed);
    ~StreamHost();

    /// Its regions lie in the memory of the GPU beside the NIC. Before the first layout.
    void UseGpu(const RdmaNic& nic);

    /// Lays out memory regions for one more queue pair; the same on all ranks. Throws a VerbsError
    /// if GPU memory has no room for them.
    RegionLayout MakeLayout(const StreamSettings& settings);

    /// @return the key for peers, of the layout made last at least
    uint32_t GetRemoteKey();

    /// @return of all queue pairs that receive here.
    const Ptr<ProtectionDomain>& GetDomain() const
    {
        return m_domain;
    }

    StreamSender& AddSender(const StreamSettings& settings,
                            const StreamRoute& route,
                            const RegionLayout& layout,
                            const StreamSchedule& schedule);

    /// The one receiver that serves all queue pairs, made by the first call.
    StreamReceiver& GetSharedReceiver(const StreamSettings& settings,
                                      const Ptr<RdmaNic>& nic,
                                      uint32_t queuePairs);
    StreamReceiver& AddReceiver(const StreamSettings& settings, const Ptr<RdmaNic>& nic);

    /// @return the completion queue of the receiver made last, and its shared queue, if it has one.
    const Ptr<CompletionQueue>& GetReceiveCompletions() const
    {
        return m_completions;
    }

    const Ptr<ReceiveQueue>& GetSharedQueue() const
    {
        return m_shared;
    }

    /// Starts all programs of this server, senders by their schedules.
    void Start();

    /// The time of the load is over: senders begin no list any more, and there is no noise.
    void EndLoad();

    const HostCores& GetCores() const
    {
        return *m_cores;
    }

    const std::vector<std::unique_ptr<StreamSender>>& GetSenders() const
    {
        return m_senders;
    }

    const std::vector<std::unique_ptr<StreamReceiver>>& GetReceivers() const
    {
        return m_receivers;
    }

    /// Adds a sample of each role that there is. @param endPs of the interval
    void TakeSample(int64_t endPs, std::vector<StreamSample>& samples);

    /// From here on, what threads use is measured.
    void BeginMeasuring();

    /// @return one record for each thread, since BeginMeasuring().
    /// @param from, until: of the measured time
    std::vector<StreamThreadRecord> GetThreadRecords(Tick from, Tick until) const;

    /// @return the goodput that the threads of a role have measured themselves.
    /// @param start of the first interval; @param interval above 0; @param intervals number
    MeasuredGoodput GetMeasured(StreamRole role,
                                Tick start,
                                Tick interval,
                                std::size_t intervals) const;

  private:
    /// What a role had at the last sample.
    struct Sampled
    {
        uint64_t bytes{0};
        Tick use{0};
    };

    /// What a thread had when measuring began.
    struct AtBegin
    {
        HostAccount account;
        Tick use{0};
        uint64_t interrupts{0};
    };

    template <typename Programs>
    StreamSample SampleRole(const Programs& programs, StreamRole role);

    uint32_t m_node;
    uint64_t m_seed;
    std::shared_ptr<FabricEngine> m_engine;
    Ptr<HostCores> m_cores;
    Ptr<HostNoise> m_noise;
    Ptr<ProtectionDomain> m_domain;
    uint64_t m_bytes{0}; ///< Of all layouts.
    uint32_t m_remoteKey{0};
    bool m_hasGpu{false}; ///< Each layout is registered by itself, in GPU memory.
    Ptr<CompletionQueue> m_completions;
    Ptr<ReceiveQueue> m_shared;
    std::vector<std::unique_ptr<StreamSender>> m_senders;
    std::vector<Tick> m_starts; ///< Of senders.
    std::vector<std::unique_ptr<StreamReceiver>> m_receivers;
    std::vector<std::pair<StreamRole, uint32_t>> m_roles; ///< Of threads: role, place in it.
    Sampled m_sampled[2];                                 ///< By role.
    std::vector<AtBegin> m_atBegin;                       ///< By thread.
    std::vector<uint64_t> m_empties[2];                   ///< By role and program, all of the run.
};

} // namespace ns3::rdma

#endif // RDMA_STREAM_HOST_H
