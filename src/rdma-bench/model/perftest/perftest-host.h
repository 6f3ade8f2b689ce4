// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PERFTEST_HOST_H
#define RDMA_PERFTEST_HOST_H

#include "ns3/flow-services.h"
#include "ns3/perftest-options.h"
#include "ns3/polled-queue.h"
#include "ns3/protection-domain.h"
#include "ns3/rdma-nic.h"

#include <functional>
#include <string>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-perftest
 * @brief One end of a test: registered memory, completion queues and connected queue pairs.
 *
 * Keeps receive requests posted for tests that consume them.  Each queue pair has a buffer of its
 * own to send from and one to receive to, as in perftest, so that many touch many pages.  Memory is
 * checked, but has no bytes.
 */
class PerftestHost
{
  public:
    /// @param index of the queue pair, from 0
    using Handler = std::function<void(uint32_t index)>;
    /// @param messages that are complete now
    using SentHandler = std::function<void(uint32_t index, uint32_t messages)>;

    /// @param node id of the NIC's server; @param services that its queue pairs pass, outlives
    /// this; @param bytes per message
    PerftestHost(Ptr<RdmaNic> nic,
                 uint32_t node,
                 FlowServices& services,
                 const PerftestOptions& options,
                 uint64_t bytes);

    PerftestHost(const PerftestHost&) = delete;
    PerftestHost& operator=(const PerftestHost&) = delete;

    /// Brings the queue pairs of both ends to RTS, in pairs.
    static void Connect(PerftestHost& a, PerftestHost& b);

    /// @param handler called for each completion of messages that were sent
    void SetSentHandler(SentHandler handler);

    /// @param handler called for each message that a receive request took
    void SetReceivedHandler(Handler handler);

    /// Posts messages of the test, all together. @param count at most PerftestOptions::postList
    void Post(uint32_t index, uint32_t count = 1);

    /// @return the numbers of its queue pairs, by index.
    const std::vector<uint32_t>& GetQueuePairs() const;

    const RdmaNic& GetNic() const;
    uint32_t GetNode() const;

    /// @return messages that arrived complete at a queue pair.
    uint64_t GetArrived(uint32_t index) const;

    /// @return what went wrong first; empty: nothing.
    const std::string& GetFailure() const;

  private:
    /// Messages of one queue pair.
    struct Progress
    {
        uint64_t posted{0};
        uint64_t completed{0};
        uint32_t received{0}; ///< Since receive requests were posted.
    };

    void SetPeer(const PerftestHost& peer);
    SendWorkRequest MakeRequest(uint32_t index, const PerftestHost& peer, uint32_t entropy) const;
    QueuePairAttributes MakeAttributes() const;
    MemoryRegion Register() const;
    /// Posts as many receive requests as are posted together.
    void PostReceives(uint32_t index);
    void OnSent(const WorkCompletion& completion);
    void OnReceived(const WorkCompletion& completion);
    /// @return whether the completion is good.
    bool Check(const WorkCompletion& completion);
    bool IsReceiving() const;
    /// @return where a queue pair's buffer begins; the second half of the region is for what comes
    uint64_t GetBuffer(uint32_t index, bool isForArrivals) const;

    Ptr<RdmaNic> m_nic;
    uint32_t m_node;
    FlowServices& m_services;
    PerftestOptions m_options;
    uint64_t m_bytes;
    uint64_t m_headBytes; ///< Before a datagram in its receive buffer.
    uint64_t m_stride;    ///< From one queue pair's buffer to the next.
    Ptr<ProtectionDomain> m_domain;
    MemoryRegion m_region;
    PolledQueue m_sendCompletions;
    PolledQueue m_receiveCompletions;
    std::vector<uint32_t> m_queuePairs;
    std::vector<SendWorkRequest> m_requests;       ///< By queue pair: what Post() posts.
    std::vector<Progress> m_progress;              ///< By queue pair.
    std::vector<SendWorkRequest> m_list;           ///< Posted together, linked.
    std::vector<ReceiveWorkRequest> m_receiveList; ///< Likewise.
    SentHandler m_onSent;
    Handler m_onReceived;
    std::string m_failure;
};

} // namespace ns3::rdma

#endif // RDMA_PERFTEST_HOST_H
