// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_TCP_SERVICE_H
#define RDMA_TCP_SERVICE_H

#include "ns3/host-memory.h"
#include "ns3/pending-events.h"
#include "ns3/rpc-method.h"
#include "ns3/tcp-cores.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-rpc
 * @brief The server of TcpGet: its cores receive a call, look the key up in the server's table and
 * send the answer.
 */
class TcpService : private EventTarget
{
  public:
    /// @param store of the server; @param memory its bytes, null on other ranks than its own
    TcpService(FabricEngine& engine,
               const RpcPlan& plan,
               const RpcStore& store,
               Ptr<HostMemory> memory);
    ~TcpService() override;

    TcpService(const TcpService&) = delete;
    TcpService& operator=(const TcpService&) = delete;

    /// @return what the server's end of a connection is made with.
    QueuePairInit MakeEnd() const;

    /// A connection is there: calls may come.
    void Add(Ptr<RdmaNic> nic, uint32_t queuePair);

  private:
    /// The server's end of a connection.
    struct Peer
    {
        Ptr<RdmaNic> nic;
        uint32_t queuePair{0};
    };

    /// An answer that a core is busy with.
    struct Answer
    {
        uint64_t buffer{0}; ///< That the call came in, and whose place the answer has.
        uint32_t bytes{0};
    };

    void HandleEvent(uint32_t kind, uint32_t argument) override;
    void OnReceived(const WorkCompletion& completion);
    void PostReceive(uint64_t buffer);
    /// Answers a call. @return entries that were looked at
    uint32_t LookUp(uint64_t buffer, uint32_t& bytes);

    FabricEngine& m_engine;
    const RpcStore& m_store;
    Ptr<HostMemory> m_memory;
    uint32_t m_slots; ///< Of a connection.
    uint32_t m_target;
    TcpCores m_cores;
    uint32_t m_stride; ///< Of the buffers of calls and of those of answers.
    Ptr<ProtectionDomain> m_domain;
    MemoryRegion m_region;
    std::vector<Peer> m_peers;
    PendingEvents<Answer> m_answers;
    Ptr<CompletionQueue> m_sent;
    PolledQueue m_received;
};

} // namespace ns3::rdma

#endif // RDMA_TCP_SERVICE_H
