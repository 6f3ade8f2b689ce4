// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_KV_CLIENT_H
#define RDMA_KV_CLIENT_H

#include "ns3/fabric-engine.h"
#include "ns3/host-memory.h"
#include "ns3/kv-batch.h"
#include "ns3/kv-direct-kernel.h"
#include "ns3/kv-plan.h"
#include "ns3/poisson-arrivals.h"
#include "ns3/polled-queue.h"
#include "ns3/protection-domain.h"
#include "ns3/rdma-nic.h"
#include "ns3/reply-watch.h"
#include "ns3/request-book.h"

#include <deque>
#include <map>
#include <memory>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-kv
 * @brief One client of key-value stores: puts operations into batches, one per server at a time,
 * sends them by RDMA WRITE, and checks the answers that come by WRITE.
 *
 * Of a closed loop, operations begin whenever a batch may be sent, until one batch is full; with
 * several stores those of other batches wait for theirs, which is part of their latency.  Of an
 * open loop they begin at random times; a batch leaves when it is full, or its oldest operation has
 * waited for the plan's time; those that find all batches under way wait, which is part of their
 * latency.
 *
 * An answer is wrong if its status is not that of a key that is there, or its value not the one
 * that the key has; only its length is checked if the workload modifies values, or if the stores
 * have no bytes.
 */
class KvClient : private EventTarget
{
  public:
    /// @param plan outlives this @param node of the client
    KvClient(FabricEngine& engine, const KvPlan& plan, uint32_t node);
    ~KvClient() override;

    KvClient(const KvClient&) = delete;
    KvClient& operator=(const KvClient&) = delete;

    uint32_t GetNode() const
    {
        return m_node;
    }

    /// @return what the client's end of a connection is made with.
    QueuePairInit MakeEnd(Ptr<RdmaNic> nic);

    /// A connection to a store.
    struct StoreConnection
    {
        uint32_t server{0};    ///< Node id.
        uint32_t serverNic{0}; ///< Of the server, from 0.
        Ptr<RdmaNic> nic;
        uint32_t queuePair{0};
        /// Where the batch of a slot goes; nothing set: a kernel takes it, wherever that is.
        uint64_t requestAddress{0};
        uint64_t requestStride{0};
        uint32_t requestKey{0};
    };

    /// In the order of the plan's stores.
    void AddConnection(const StoreConnection& connection);

    /// @return where answers go: the slot of a tag is that of the batch.
    KvReplyWindow GetReplyWindow() const;

    /// Operations begin. Once.
    void Start();

    /// Makes records of operations that are under way. @param status of them
    void Finish(RpcStatus status);

    RequestBook& GetBook()
    {
        return m_book;
    }

    /// @return batches that were sent or answered: stands still in a stall.
    uint64_t GetProgress() const
    {
        return m_progress;
    }

  private:
    enum Event : uint32_t
    {
        START,  ///< Argument: unused.
        ARRIVE, ///< Likewise.
        FLUSH,  ///< Argument: server.
        FAIL,   ///< Argument: slot, whose queue pair takes nothing.
        END,    ///< No operation begins from here on: batches leave as they are.
    };

    /// An operation that has begun.
    struct Begun
    {
        RpcRecord record;
        uint64_t number{0}; ///< Of its key.
        KvOpcode opcode{KvOpcode::GET};
    };

    /// Operations that go to one server together.
    struct Batch
    {
        std::size_t server{0};
        std::vector<uint8_t> bytes;
        std::vector<Begun> operations;
        bool isUnderWay{false};
    };

    /// One store.
    struct Server
    {
        StoreConnection connection;
        KvBatchWriter writer;
        std::vector<Begun> operations; ///< In the writer.
        bool isFlushing{false};        ///< A FLUSH event is under way.
    };

    void HandleEvent(uint32_t kind, uint32_t argument) override;
    void ScheduleFailure(uint32_t slot);
    void ScheduleFlush(uint32_t place);
    void Flush(uint32_t place);
    void Begin();
    void Close(std::size_t server);
    void FillSlots();
    void SendWaiting();
    void Send(uint32_t slot, Batch batch);
    void ScheduleArrival();
    void OnReply(uint64_t address);
    void OnCompletion(const WorkCompletion& completion);
    void EndBatch(uint32_t slot, RpcStatus status);
    void End(const Begun& operation, RpcStatus status, uint32_t bytes);
    RpcStatus Classify(const Begun& operation, const KvAnswer& answer);
    uint64_t GetSendSlot(uint32_t slot) const;

    FabricEngine& m_engine;
    const KvPlan& m_plan;
    uint32_t m_node;
    uint32_t m_target;
    KvWorkload m_workload;
    PoissonArrivals m_arrivals;
    KvPairs m_pairs; ///< For the values that are expected.
    uint32_t m_sendBytes;
    uint32_t m_replyBytes;
    Ptr<ProtectionDomain> m_domain;
    MemoryRegion m_region;
    PolledQueue m_completions;
    std::map<const RdmaNic*, Ptr<ReplyWatch>> m_watches; ///< Not iterated but to stop them.
    std::vector<Server> m_servers;
    std::vector<Batch> m_batches; ///< By slot.
    std::vector<uint32_t> m_free; ///< Slots.
    std::deque<Batch> m_waiting;
    RequestBook m_book;
    uint64_t m_progress{0};
};

} // namespace ns3::rdma

#endif // RDMA_KV_CLIENT_H
