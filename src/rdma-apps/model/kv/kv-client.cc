// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kv-client.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

namespace
{
constexpr uint64_t BASE{uint64_t{1} << 32};
constexpr uint32_t CACHE_LINE{64};
/// Of client 0's operations, then its times; away from the streams of other parts.
constexpr uint64_t FIRST_STREAM{0x6b76000000000000ULL};

uint32_t
RoundUp(uint32_t bytes)
{
    return (bytes + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
}
} // namespace

KvClient::KvClient(FabricEngine& engine, const KvPlan& plan, uint32_t node)
    : m_engine(engine),
      m_plan(plan),
      m_node(node),
      m_target(engine.Register(this)),
      m_workload(plan.workload, RandomStream(plan.seed, FIRST_STREAM + 2 * uint64_t{node})),
      m_arrivals(plan.operationsPerSecond,
                 plan.times.until.GetPicoSeconds(),
                 RandomStream(plan.seed, FIRST_STREAM + 2 * uint64_t{node} + 1)),
      m_pairs(plan.workload.keyBytes, plan.workload.valueBytes),
      m_sendBytes(RoundUp(plan.GetBatchBytes())),
      m_replyBytes(RoundUp(plan.GetAnswerBytes())),
      m_domain(Create<ProtectionDomain>(Create<HostMemory>())),
      m_region(m_domain->Register(BASE,
                                  uint64_t{plan.outstanding} * (m_sendBytes + m_replyBytes),
                                  memory_access::LOCAL_WRITE | memory_access::REMOTE_WRITE)),
      m_completions([this](const WorkCompletion& completion) { OnCompletion(completion); }),
      m_batches(plan.outstanding)
{
    for (uint32_t slot = plan.outstanding; slot > 0; --slot)
    {
        m_free.push_back(slot - 1);
    }
}

KvClient::~KvClient()
{
    for (const auto& [nic, watch] : m_watches)
    {
        watch->Stop();
    }
    m_engine.Unregister(m_target);
}

QueuePairInit
KvClient::MakeEnd(Ptr<RdmaNic> nic)
{
    Ptr<ReplyWatch>& watch = m_watches[PeekPointer(nic)];
    if (!watch)
    {
        watch = Create<ReplyWatch>(nic, [this](uint32_t, uint64_t address) { OnReply(address); });
    }
    QueuePairInit init;
    init.domain = m_domain;
    init.sendCompletions = m_completions.Get();
    init.handlers = watch->GetHandlers();
    return init;
}

void
KvClient::AddConnection(const StoreConnection& connection)
{
    Server server;
    server.connection = connection;
    server.writer = KvBatchWriter(m_plan.isCompressed);
    m_servers.push_back(std::move(server));
}

KvReplyWindow
KvClient::GetReplyWindow() const
{
    return {BASE, m_replyBytes, m_plan.outstanding, m_region.remoteKey};
}

uint64_t
KvClient::GetSendSlot(uint32_t slot) const
{
    return BASE + uint64_t{m_plan.outstanding} * m_replyBytes + uint64_t{slot} * m_sendBytes;
}

void
KvClient::Start()
{
    m_engine.Schedule(m_plan.times.start.GetPicoSeconds(),
                      FabricEngine::MakeOwner(m_target, START),
                      0);
}

void
KvClient::HandleEvent(uint32_t kind, uint32_t argument)
{
    switch (kind)
    {
    case START:
        m_engine.Schedule(m_plan.times.until.GetPicoSeconds(),
                          FabricEngine::MakeOwner(m_target, END),
                          0);
        if (m_arrivals.IsOpenLoop())
        {
            ScheduleArrival();
            return;
        }
        FillSlots();
        return;
    case ARRIVE:
        Begin();
        SendWaiting();
        ScheduleArrival();
        return;
    case FLUSH:
        Flush(argument);
        return;
    case END:
        for (std::size_t server = 0; server < m_servers.size(); ++server)
        {
            Close(server);
        }
        SendWaiting();
        return;
    default:
        EndBatch(argument, RpcStatus::FAILED);
    }
}

void
KvClient::ScheduleArrival()
{
    if (const auto at = m_arrivals.Next(m_engine.Now()))
    {
        m_engine.Schedule(*at, FabricEngine::MakeOwner(m_target, ARRIVE), 0);
    }
}

void
KvClient::Begin()
{
    const KvOperation operation = m_workload.Next();
    Begun begun;
    begun.number = m_workload.GetNumber();
    begun.opcode = operation.opcode;
    const std::size_t place = m_plan.GetStore(begun.number);
    begun.record.client = m_node;
    begun.record.server = m_servers[place].connection.server;
    begun.record.serverNic = static_cast<uint16_t>(m_servers[place].connection.serverNic);
    m_book.Begin(begun.record, m_engine.Now());
    begun.record.probes = 1;
    Server& server = m_servers[place];
    server.writer.Add(operation);
    server.operations.push_back(begun);
    if (server.writer.GetCount() == m_plan.batch)
    {
        Close(place);
    }
    else if (m_arrivals.IsOpenLoop() && !server.isFlushing)
    {
        ScheduleFlush(static_cast<uint32_t>(place));
    }
}

void
KvClient::ScheduleFlush(uint32_t place)
{
    Server& server = m_servers[place];
    server.isFlushing = true;
    m_engine.Schedule(server.operations.front().record.startPs + m_plan.batchDelay.GetPicoSeconds(),
                      FabricEngine::MakeOwner(m_target, FLUSH),
                      place);
}

void
KvClient::Flush(uint32_t place)
{
    Server& server = m_servers[place];
    server.isFlushing = false;
    if (server.operations.empty())
    {
        return;
    }
    const Tick oldest = server.operations.front().record.startPs;
    if (oldest + m_plan.batchDelay.GetPicoSeconds() > m_engine.Now())
    {
        ScheduleFlush(place); // The batch that it was for became full before its time.
        return;
    }
    Close(place);
    SendWaiting();
}

void
KvClient::Close(std::size_t place)
{
    Server& server = m_servers[place];
    if (server.operations.empty())
    {
        return; // It became full before its time.
    }
    m_waiting.push_back(
        {place, server.writer.GetBatch(), std::exchange(server.operations, {}), false});
    server.writer.Begin(0);
}

void
KvClient::FillSlots()
{
    while (!m_free.empty() && m_engine.Now() < m_plan.times.until.GetPicoSeconds())
    {
        while (m_waiting.empty())
        {
            Begin();
        }
        SendWaiting();
    }
}

void
KvClient::SendWaiting()
{
    while (!m_waiting.empty() && !m_free.empty())
    {
        const uint32_t slot = m_free.back();
        m_free.pop_back();
        Batch batch = std::move(m_waiting.front());
        m_waiting.pop_front();
        Send(slot, std::move(batch));
    }
}

void
KvClient::Send(uint32_t slot, Batch batch)
{
    ++m_progress;
    const StoreConnection& store = m_servers[batch.server].connection;
    KvBatchWriter::SetTag(batch.bytes, slot);
    PayloadMemory& memory = *m_domain->GetMemory();
    memory.Write(GetSendSlot(slot), batch.bytes.data(), batch.bytes.size());
    // What is there of the last answer must not look like this one's.
    const std::vector<uint8_t> empty(kvbatch::HEADER_BYTES, 0);
    memory.Write(BASE + uint64_t{slot} * m_replyBytes, empty.data(), empty.size());
    SendWorkRequest request;
    request.wrId = slot;
    request.opcode = WrOpcode::RDMA_WRITE;
    request.sgList = {
        {GetSendSlot(slot), static_cast<uint32_t>(batch.bytes.size()), m_region.localKey}};
    request.remoteAddress = store.requestAddress + slot * store.requestStride;
    request.remoteKey = store.requestKey;
    m_batches[slot] = std::move(batch);
    m_batches[slot].isUnderWay = true;
    if (store.nic->PostSend(store.queuePair, request) != PostResult::OK)
    {
        ScheduleFailure(slot);
    }
}

void
KvClient::ScheduleFailure(uint32_t slot)
{
    // Not at once: with the queue pair broken for good, a closed loop would go on for ever at this
    // time.
    constexpr Tick BACK_OFF{1'000'000};
    m_engine.Schedule(m_engine.Now() + BACK_OFF, FabricEngine::MakeOwner(m_target, FAIL), slot);
}

void
KvClient::OnCompletion(const WorkCompletion& completion)
{
    // Success says that the server's NIC has the batch, sooner or later than answers come.
    if (completion.status != WcStatus::SUCCESS)
    {
        ScheduleFailure(static_cast<uint32_t>(completion.wrId));
    }
}

RpcStatus
KvClient::Classify(const Begun& operation, const KvAnswer& answer)
{
    if (answer.status != KvStatus::OK)
    {
        return answer.status == KvStatus::NOT_FOUND ? RpcStatus::WRONG : RpcStatus::REFUSED;
    }
    if (operation.opcode == KvOpcode::PUT)
    {
        return RpcStatus::OK;
    }
    if (operation.opcode != KvOpcode::GET && !m_plan.workload.hasReturn)
    {
        return answer.value.GetSize() == 0 ? RpcStatus::OK : RpcStatus::WRONG;
    }
    if (m_plan.workload.modifyShare > 0 || m_plan.isCounted)
    {
        const bool isRight = answer.value.GetSize() == m_plan.workload.valueBytes;
        return isRight ? RpcStatus::OK : RpcStatus::WRONG;
    }
    const ByteView expected = m_pairs.GetValue(operation.number);
    const bool isRight = std::equal(expected.GetData(),
                                    expected.GetData() + expected.GetSize(),
                                    answer.value.GetData(),
                                    answer.value.GetData() + answer.value.GetSize());
    return isRight ? RpcStatus::OK : RpcStatus::WRONG;
}

void
KvClient::OnReply(uint64_t address)
{
    const auto slot = static_cast<uint32_t>((address - BASE) / m_replyBytes);
    Batch& batch = m_batches[slot];
    if (!batch.isUnderWay)
    {
        return;
    }
    std::vector<uint8_t> bytes(m_replyBytes);
    m_domain->GetMemory()->Read(address, bytes.data(), bytes.size());
    KvAnswerReader reader{ByteView(bytes)};
    for (Begun& operation : batch.operations)
    {
        KvAnswer answer;
        const bool isThere = reader.Next(answer);
        End(operation,
            isThere ? Classify(operation, answer) : RpcStatus::WRONG,
            isThere ? static_cast<uint32_t>(answer.value.GetSize()) : 0);
    }
    batch.operations.clear();
    EndBatch(slot, RpcStatus::OK);
}

void
KvClient::End(const Begun& operation, RpcStatus status, uint32_t bytes)
{
    RpcRecord record = operation.record;
    record.bytes = bytes;
    m_book.End(record, status, m_engine.Now());
}

void
KvClient::EndBatch(uint32_t slot, RpcStatus status)
{
    Batch& batch = m_batches[slot];
    if (!batch.isUnderWay)
    {
        return;
    }
    ++m_progress;
    batch.isUnderWay = false;
    for (Begun& operation : batch.operations)
    {
        End(operation, status, 0);
    }
    batch.operations.clear();
    m_free.push_back(slot);
    SendWaiting();
    if (!m_arrivals.IsOpenLoop())
    {
        FillSlots();
    }
}

void
KvClient::Finish(RpcStatus status)
{
    const auto finish = [&](std::vector<Begun>& operations) {
        for (const Begun& operation : operations)
        {
            m_book.Abandon(operation.record, status);
        }
        operations.clear();
    };
    for (Batch& batch : m_batches)
    {
        finish(batch.operations);
    }
    for (Batch& batch : m_waiting)
    {
        finish(batch.operations);
    }
    for (Server& server : m_servers)
    {
        finish(server.operations);
    }
}

} // namespace ns3::rdma
