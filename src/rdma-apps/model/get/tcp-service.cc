// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/tcp-service.h"

#include "ns3/tcp-get.h"

namespace ns3::rdma
{

namespace
{
constexpr uint64_t BASE{uint64_t{1} << 40}; ///< Behind all tables.
} // namespace

TcpService::TcpService(FabricEngine& engine,
                       const RpcPlan& plan,
                       const RpcStore& store,
                       Ptr<HostMemory> memory)
    : m_engine(engine),
      m_store(store),
      m_memory(std::move(memory)),
      m_slots(plan.outstanding),
      m_target(engine.Register(this)),
      m_cores(plan.cores, *plan.costs.Create<KernelTcp>(), *plan.costs.Create<SoftwareCosts>()),
      m_stride(TcpGetMessage::CALL_BYTES + plan.valueBytes),
      m_domain(Create<ProtectionDomain>(m_memory)),
      m_region(m_domain->Register(plan.area + BASE,
                                  2 * plan.clients.size() * m_slots * m_stride,
                                  memory_access::LOCAL_WRITE)),
      m_sent(PolledQueue::MakeUnpolled()),
      m_received([this](const WorkCompletion& completion) { OnReceived(completion); })
{
}

TcpService::~TcpService()
{
    m_engine.Unregister(m_target);
}

QueuePairInit
TcpService::MakeEnd() const
{
    QueuePairInit init;
    init.domain = m_domain;
    init.sendCompletions = m_sent;
    init.receiveCompletions = m_received.Get();
    return init;
}

void
TcpService::Add(Ptr<RdmaNic> nic, uint32_t queuePair)
{
    m_peers.push_back({nic, queuePair});
    for (uint64_t i = 0; i < m_slots; ++i)
    {
        PostReceive((m_peers.size() - 1) * m_slots + i);
    }
}

void
TcpService::PostReceive(uint64_t buffer)
{
    const Peer& peer = m_peers[buffer / m_slots];
    ReceiveWorkRequest request;
    request.wrId = buffer;
    request.sgList = {
        {m_region.address + 2 * buffer * m_stride, TcpGetMessage::CALL_BYTES, m_region.localKey}};
    peer.nic->PostReceive(peer.queuePair, request);
}

void
TcpService::OnReceived(const WorkCompletion& completion)
{
    if (completion.status != WcStatus::SUCCESS)
    {
        return; // The queue pair is broken.
    }
    Answer answer{completion.wrId, 0};
    const uint32_t entries = LookUp(answer.buffer, answer.bytes);
    const uint32_t core = completion.qpNumber;
    const Tick readAt = m_cores.Receive(m_engine.Now(),
                                        core,
                                        completion.byteLength,
                                        m_cores.GetLookupTime(entries));
    m_engine.Schedule(m_cores.Send(readAt, core, answer.bytes),
                      FabricEngine::MakeOwner(m_target, 0),
                      m_answers.Put(answer));
}

uint32_t
TcpService::LookUp(uint64_t buffer, uint32_t& bytes)
{
    const uint64_t call = m_region.address + 2 * buffer * m_stride;
    const uint64_t answer = call + m_stride;
    const uint64_t key = m_memory->Read64(call + TcpGetMessage::KEY);
    uint32_t probe = 0;
    uint32_t valueBytes = 0;
    while (valueBytes == 0 && probe < m_store.GetIndex().GetMaxProbes())
    {
        std::vector<uint8_t> entryBytes(GetEntry::BYTES);
        m_memory->Read(m_store.GetIndex().GetEntryAddress(key, probe++),
                       entryBytes.data(),
                       entryBytes.size());
        const GetEntry entry = GetEntry::Decode(ByteView(entryBytes));
        if (const GetBucket* bucket = GetTable::Find(entry, key))
        {
            valueBytes = bucket->valueLen;
            std::vector<uint8_t> value(valueBytes);
            m_memory->Read(bucket->valuePtr, value.data(), valueBytes);
            m_memory->Write(answer + TcpGetMessage::ANSWER_BYTES, value.data(), valueBytes);
        }
    }
    m_memory->Write64(answer + TcpGetMessage::SLOT, m_memory->Read64(call + TcpGetMessage::SLOT));
    m_memory->Write64(answer + TcpGetMessage::VALUE_BYTES, valueBytes);
    bytes = TcpGetMessage::ANSWER_BYTES + valueBytes;
    return probe;
}

void
TcpService::HandleEvent(uint32_t, uint32_t argument)
{
    const Answer answer = m_answers.Take(argument);
    const Peer& peer = m_peers[answer.buffer / m_slots];
    PostReceive(answer.buffer); // The call has been read.
    SendWorkRequest request;
    request.wrId = answer.buffer;
    request.opcode = WrOpcode::SEND;
    request.isSignaled = false;
    request.sgList = {
        {m_region.address + (2 * answer.buffer + 1) * m_stride, answer.bytes, m_region.localKey}};
    peer.nic->PostSend(peer.queuePair,
                       request); // A broken queue pair: the client's own reports it.
}

} // namespace ns3::rdma
