// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/tcp-get.h"

#include <utility>

namespace ns3::rdma
{

namespace
{
constexpr uint64_t BUFFERS{uint64_t{1} << 40}; ///< Where answers are received, behind all slots.
} // namespace

TcpGet::TcpGet(FabricEngine& engine, const RpcPlan& plan, uint32_t slots, Handler handler)
    : RpcMethod(engine, plan, slots, std::move(handler)),
      m_engine(engine),
      m_slots(slots),
      m_target(engine.Register(this)),
      m_cores(plan.cores, *plan.costs.Create<KernelTcp>(), *plan.costs.Create<SoftwareCosts>()),
      m_used(slots, nullptr),
      m_bufferBytes(TcpGetMessage::ANSWER_BYTES + plan.valueBytes),
      m_buffers(GetDomain().Register(BUFFERS,
                                     plan.servers.size() * slots * m_bufferBytes,
                                     memory_access::LOCAL_WRITE)),
      m_received([this](const WorkCompletion& completion) { OnReceived(completion); })
{
}

TcpGet::~TcpGet()
{
    m_engine.Unregister(m_target);
}

QueuePairInit
TcpGet::MakeEnd(Ptr<RdmaNic> nic)
{
    QueuePairInit init = RpcMethod::MakeEnd(nic);
    init.receiveCompletions = m_received.Get();
    return init;
}

void
TcpGet::OnConnected(const RpcConnection& connection)
{
    m_connections.push_back(connection);
    for (uint64_t i = 0; i < m_slots; ++i)
    {
        PostReceive((m_connections.size() - 1) * m_slots + i);
    }
}

void
TcpGet::PostReceive(uint64_t buffer)
{
    const RpcConnection& connection = m_connections[buffer / m_slots];
    ReceiveWorkRequest request;
    request.wrId = buffer;
    request.sgList = {{BUFFERS + buffer * m_bufferBytes, m_bufferBytes, m_buffers.localKey}};
    connection.nic->PostReceive(connection.queuePair, request);
}

bool
TcpGet::Look(uint32_t slot, const RpcConnection& connection, uint64_t key, uint32_t)
{
    m_used[slot] = &connection;
    GetMemory().Write64(GetSlot(slot) + TcpGetMessage::SLOT, slot);
    GetMemory().Write64(GetSlot(slot) + TcpGetMessage::KEY, key);
    const Tick at = m_cores.Send(m_engine.Now(), slot, TcpGetMessage::CALL_BYTES);
    m_engine.Schedule(at, FabricEngine::MakeOwner(m_target, SEND), slot);
    return true;
}

void
TcpGet::SendCall(uint32_t slot)
{
    SendWorkRequest request;
    request.wrId = slot;
    request.opcode = WrOpcode::SEND;
    request.sgList = {{GetSlot(slot), TcpGetMessage::CALL_BYTES, GetRegion().localKey}};
    const RpcConnection& connection = *m_used[slot];
    if (connection.nic->PostSend(connection.queuePair, request) != PostResult::OK)
    {
        Fail(slot);
    }
}

void
TcpGet::Fail(uint32_t slot)
{
    if (std::exchange(m_used[slot], nullptr))
    {
        End(slot, {RpcLook::Result::FAILED, {}});
    }
}

void
TcpGet::OnCompletion(const WorkCompletion& completion)
{
    if (completion.status != WcStatus::SUCCESS)
    {
        Fail(static_cast<uint32_t>(completion.wrId));
    }
}

void
TcpGet::OnReceived(const WorkCompletion& completion)
{
    if (completion.status != WcStatus::SUCCESS)
    {
        return; // The queue pair is broken: its requests have failed.
    }
    const uint64_t address = BUFFERS + completion.wrId * m_bufferBytes;
    const auto slot = static_cast<uint32_t>(GetMemory().Read64(address + TcpGetMessage::SLOT));
    const auto bytes =
        static_cast<uint32_t>(GetMemory().Read64(address + TcpGetMessage::VALUE_BYTES));
    const Tick at = m_cores.Receive(m_engine.Now(), slot, completion.byteLength);
    m_engine.Schedule(
        at,
        FabricEngine::MakeOwner(m_target, RECEIVED),
        m_answers.Put({slot, ReadMemory(address + TcpGetMessage::ANSWER_BYTES, bytes)}));
    PostReceive(completion.wrId);
}

void
TcpGet::HandleEvent(uint32_t kind, uint32_t argument)
{
    if (kind == SEND)
    {
        SendCall(argument);
        return;
    }
    Answer answer = m_answers.Take(argument);
    if (std::exchange(m_used[answer.slot], nullptr))
    {
        const auto result = answer.value.empty() ? RpcLook::Result::ABSENT : RpcLook::Result::FOUND;
        End(answer.slot, {result, std::move(answer.value)});
    }
}

} // namespace ns3::rdma
