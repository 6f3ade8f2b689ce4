// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kv-core-service.h"

#include "ns3/polled-queue.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

namespace
{
constexpr uint64_t BASE{uint64_t{1} << 40}; ///< Below the stores.
/// KV-Direct section 2.2: 5.5 and 7.9 million operations per second and core.
constexpr Tick SINGLE_COST{181'818};
constexpr Tick BATCHED_COST{126'582};

/// @return bytes from one request to the next; its answers are in the second half.
uint64_t
GetStride(const KvPlan& plan)
{
    return 2 * uint64_t{std::max(plan.GetBatchBytes(), plan.GetAnswerBytes())};
}
} // namespace

KvCoreService::KvCoreService(FabricEngine& engine,
                             const KvPlan& plan,
                             uint32_t nic,
                             Ptr<HostMemory> memory)
    : m_engine(engine),
      m_plan(plan),
      m_target(engine.Register(this)),
      m_memory(std::move(memory)),
      m_domain(Create<ProtectionDomain>(m_memory)),
      m_region(m_domain->Register(plan.area + BASE,
                                  plan.clients.size() * plan.outstanding * GetStride(plan),
                                  memory_access::LOCAL_WRITE | memory_access::REMOTE_WRITE)),
      m_unread(PolledQueue::MakeUnpolled()),
      m_unit(m_functions),
      m_coreFree(plan.cores, 0)
{
    // What updates of the workload name.
    m_functions.Add(plan.MakeFunction());
    if (m_memory)
    {
        m_store = std::make_unique<KvStore>(plan.MakeStoreSettings(nic), *m_memory);
    }
}

KvCoreService::~KvCoreService()
{
    for (const auto& [nic, watch] : m_watches)
    {
        watch->Stop();
    }
    m_engine.Unregister(m_target);
}

uint64_t
KvCoreService::GetRequestAddress(std::size_t client, uint32_t slot) const
{
    return m_region.address + (uint64_t{client} * m_plan.outstanding + slot) * GetStride(m_plan);
}

QueuePairInit
KvCoreService::MakeEnd(Ptr<RdmaNic> nic)
{
    Ptr<ReplyWatch>& watch = m_watches[PeekPointer(nic)];
    if (!watch)
    {
        watch = Create<ReplyWatch>(nic, [this](uint32_t queuePair, uint64_t address) {
            OnRequest(queuePair, address);
        });
    }
    QueuePairInit init;
    init.domain = m_domain;
    init.sendCompletions = m_unread;
    init.handlers = watch->GetHandlers();
    return init;
}

void
KvCoreService::Add(Ptr<RdmaNic> nic, uint32_t queuePair, const KvReplyWindow& window)
{
    const auto core = static_cast<uint32_t>(m_peers.size() % m_coreFree.size());
    m_peers[queuePair] = {std::move(nic), window, core};
}

std::vector<uint8_t>
KvCoreService::ReadBatch(uint64_t address) const
{
    std::vector<uint8_t> bytes(m_plan.GetBatchBytes());
    m_memory->Read(address, bytes.data(), bytes.size());
    bytes.resize(KvBatchReader::FindEnd(ByteView(bytes)));
    return bytes;
}

void
KvCoreService::OnRequest(uint32_t queuePair, uint64_t address)
{
    const std::vector<uint8_t> bytes = ReadBatch(address);
    const uint32_t count = KvBatchReader(ByteView(bytes)).GetCount();
    Tick& free = m_coreFree[m_peers.at(queuePair).core];
    free = std::max(free, m_engine.Now()) + count * (count == 1 ? SINGLE_COST : BATCHED_COST);
    m_engine.Schedule(free, FabricEngine::MakeOwner(m_target, 0), m_work.Put({queuePair, address}));
}

void
KvCoreService::HandleEvent(uint32_t, uint32_t argument)
{
    const Work work = m_work.Take(argument);
    Peer& peer = m_peers.at(work.queuePair);
    const Tick now = m_engine.Now();
    m_batches.Add(work.queuePair, ReadBatch(work.address), peer.window.slotBytes, now);
    KvOperation operation;
    uint64_t tag = 0;
    while (m_batches.Next(now, operation, tag))
    {
        KvOperationVisitor visitor(m_unit, operation, m_stored, m_answer);
        m_accesses.clear();
        m_answer.clear();
        const KvStatus visited = m_store->Visit(operation.key, visitor, m_accesses);
        const KvStatus status = visitor.GetStatus(visited);
        m_batches.OnAnswer(tag, {status, ByteView(m_answer)}, now);
    }
    for (const KvReadyBatch& ready : m_batches.TakeReady())
    {
        Post(peer, work, ready);
    }
}

void
KvCoreService::Post(Peer& peer, const Work& work, const KvReadyBatch& ready)
{
    const uint64_t answers = work.address + GetStride(m_plan) / 2;
    m_memory->Write(answers, ready.bytes.data(), ready.bytes.size());
    SendWorkRequest request;
    request.wrId = ready.tag;
    request.opcode = WrOpcode::RDMA_WRITE;
    request.isSignaled = false;
    request.sgList = {{answers, static_cast<uint32_t>(ready.bytes.size()), m_region.localKey}};
    request.remoteAddress = peer.window.GetAddress(ready.tag);
    request.remoteKey = peer.window.remoteKey;
    peer.nic->PostSend(work.queuePair, request); // A broken queue pair: the client's reports it.
}

} // namespace ns3::rdma
