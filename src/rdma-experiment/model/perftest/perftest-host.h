// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PERFTEST_HOST_H
#define RDMA_PERFTEST_HOST_H

#include "ns3/completion-queue.h"
#include "ns3/perftest-options.h"
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
 * Keeps receive requests posted for tests that consume them.  Memory is checked, but has no bytes.
 */
class PerftestHost
{
  public:
    /// @param index of the queue pair, from 0
    using Handler = std::function<void(uint32_t index)>;

    /// @param node id of the NIC's server; @param bytes per message
    PerftestHost(Ptr<RdmaNic> nic, uint32_t node, const PerftestOptions& options, uint64_t bytes);
    ~PerftestHost();

    PerftestHost(const PerftestHost&) = delete;
    PerftestHost& operator=(const PerftestHost&) = delete;

    /// Brings the queue pairs of both ends to RTS, in pairs.
    static void Connect(PerftestHost& a, PerftestHost& b);

    /// @param handler told of each message that was sent and is complete
    void SetSentHandler(Handler handler);

    /// @param handler told of each message that a receive request took
    void SetReceivedHandler(Handler handler);

    /// Posts one message of the test.
    void Post(uint32_t index);

    /// @return messages that arrived complete at a queue pair.
    uint64_t GetArrived(uint32_t index) const;

    /// @return what went wrong first; empty: nothing.
    const std::string& GetFailure() const;

  private:
    void Learn(const PerftestHost& peer);
    void PostReceive(uint32_t index);
    void OnSent();
    void OnReceived();
    /// @return whether the completion is good.
    bool Check(const WorkCompletion& completion);
    bool IsReceiving() const;
    Sge MakeBuffer(uint64_t bytes) const;

    Ptr<RdmaNic> m_nic;
    uint32_t m_node;
    PerftestOptions m_options;
    uint64_t m_bytes;
    Ptr<ProtectionDomain> m_domain;
    MemoryRegion m_region;
    Ptr<CompletionQueue> m_sendCompletions;
    Ptr<CompletionQueue> m_receiveCompletions;
    std::vector<uint32_t> m_queuePairs;
    std::vector<SendWorkRequest> m_requests; ///< By queue pair: what Post() posts.
    Handler m_onSent;
    Handler m_onReceived;
    std::string m_failure;
};

} // namespace ns3::rdma

#endif // RDMA_PERFTEST_HOST_H
