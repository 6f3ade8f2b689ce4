// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_KV_CORE_SERVICE_H
#define RDMA_KV_CORE_SERVICE_H

#include "ns3/completion-queue.h"
#include "ns3/kv-batch-table.h"
#include "ns3/kv-direct-kernel.h"
#include "ns3/kv-operation-unit.h"
#include "ns3/kv-plan.h"
#include "ns3/pending-events.h"
#include "ns3/protection-domain.h"
#include "ns3/reply-watch.h"

#include <map>
#include <memory>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-kv
 * @brief A key-value store that cores serve (two-sided, as HERD): clients WRITE batches into the
 * server's memory, cores poll there, carry them out and WRITE the answers.
 *
 * A core takes 1 / 5.5 us per operation of a batch of one, 1 / 7.9 us per operation of a longer
 * one, whose memory accesses it can overlap: KV-Direct section 2.2, measured on its hosts for pairs
 * of 64 bytes.  Beside that each batch costs what HostCpu takes to poll and to post, if the hosts
 * take time.  The batches of a queue pair go to one core.
 *
 * The bytes are those of a KvStore: its accesses take no time of their own, they are in a core's.
 *
 * Not modelled: that operations on one key by two cores wait for each other; larger pairs.
 */
class KvCoreService : private EventTarget
{
  public:
    /// Each rank makes those of all servers, since clients need addresses and keys.
    /// @param memory of the host, null on other ranks than its own; @param plan outlives this
    KvCoreService(FabricEngine& engine, const KvPlan& plan, uint32_t nic, Ptr<HostMemory> memory);
    ~KvCoreService() override;

    KvCoreService(const KvCoreService&) = delete;
    KvCoreService& operator=(const KvCoreService&) = delete;

    /// @return null on other ranks than the server's.
    KvStore* GetStore()
    {
        return m_store.get();
    }

    /// @return what the server's end of a connection is made with.
    QueuePairInit MakeEnd(Ptr<RdmaNic> nic);

    /// A connection is there: batches may come. @param window of the client's answers
    void Add(Ptr<RdmaNic> nic, uint32_t queuePair, const KvReplyWindow& window);

    /// @return where a client's batches go. @param client place in the plan's @param slot of the
    /// batch
    uint64_t GetRequestAddress(std::size_t client, uint32_t slot) const;

    /// @return R_Key of these.
    uint32_t GetRequestKey() const
    {
        return m_region.remoteKey;
    }

  private:
    /// A client's connection.
    struct Peer
    {
        Ptr<RdmaNic> nic;
        KvReplyWindow window;
        uint32_t core{0};
    };

    /// A batch that a core is busy with.
    struct Work
    {
        uint32_t queuePair{0};
        uint64_t address{0};
    };

    void HandleEvent(uint32_t kind, uint32_t argument) override;
    void OnRequest(uint32_t queuePair, uint64_t address);
    std::vector<uint8_t> ReadBatch(uint64_t address) const;
    void Post(Peer& peer, const Work& work, const KvReadyBatch& ready);

    FabricEngine& m_engine;
    const KvPlan& m_plan;
    uint32_t m_target;
    Ptr<HostMemory> m_memory;
    Ptr<ProtectionDomain> m_domain;
    MemoryRegion m_region;
    Ptr<CompletionQueue> m_unread;
    KvFunctionTable m_functions;
    KvOperationUnit m_unit;
    std::unique_ptr<KvStore> m_store; ///< Null without memory.
    KvBatchTable m_batches;
    // Of the operation that is carried out.
    std::vector<uint8_t> m_stored;
    std::vector<uint8_t> m_answer;
    KvAccesses m_accesses;
    std::vector<Tick> m_coreFree;
    PendingEvents<Work> m_work;
    std::map<const RdmaNic*, Ptr<ReplyWatch>> m_watches; ///< Not iterated but to stop them.
    std::map<uint32_t, Peer> m_peers;                    ///< By queue pair.
};

} // namespace ns3::rdma

#endif // RDMA_KV_CORE_SERVICE_H
