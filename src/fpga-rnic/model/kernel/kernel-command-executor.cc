// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kernel-command-executor.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

void
KernelCommandClient::OnKernelRoom(uint32_t)
{
}

SendWorkRequest
MakeWrite(KernelCommand& command)
{
    SendWorkRequest request;
    request.wrId = command.tag;
    request.opcode = WrOpcode::RDMA_WRITE;
    request.sgList = {{0, static_cast<uint32_t>(command.bytes.size()), 0}};
    request.remoteAddress = command.address;
    request.remoteKey = command.remoteKey;
    request.origin = PayloadOrigin::CHIP;
    request.isSignaled = command.isSignaled;
    request.bytes = std::make_shared<const std::vector<uint8_t>>(std::move(command.bytes));
    return request;
}

KernelCommandExecutor::KernelCommandExecutor(const KernelExecutorParts& parts,
                                             KernelCommandClient& client,
                                             const KernelBounds& bounds,
                                             const Trace& trace)
    : m_parts(parts),
      m_client(client),
      m_bounds(bounds),
      m_trace(trace),
      m_target(parts.engine.Register(this)),
      m_dma(parts.engine, parts.pcie, parts.tlb, parts.memory, static_cast<DmaClient&>(*this))
{
}

KernelCommandExecutor::~KernelCommandExecutor()
{
    m_parts.engine.Unregister(m_target);
}

void
KernelCommandExecutor::SetListener(Listener listener)
{
    m_listener = std::move(listener);
}

void
KernelCommandExecutor::Schedule(Tick at, Event kind, uint32_t argument)
{
    m_parts.engine.Schedule(std::max(at, m_parts.engine.Now()),
                            FabricEngine::MakeOwner(m_target, kind),
                            argument);
}

void
KernelCommandExecutor::Give(uint32_t slot, KernelCommand command)
{
    if (command.at > m_parts.engine.Now())
    {
        GiveLater(slot, std::move(command));
        return;
    }
    RunDue();
    if (MustWait(slot, command))
    {
        GiveLater(slot, std::move(command));
        return;
    }
    Execute(slot, command);
}

void
KernelCommandExecutor::GiveLater(uint32_t slot, KernelCommand command)
{
    const Tick at = std::max(command.at, m_parts.engine.Now());
    Push({at, m_order++, slot, std::move(command)});
}

void
KernelCommandExecutor::Push(Pending pending)
{
    Schedule(pending.at, COMMAND, 0);
    m_commands.push_back(std::move(pending));
    std::push_heap(m_commands.begin(), m_commands.end(), IsLater());
}

void
KernelCommandExecutor::RunDue()
{
    while (!m_commands.empty() && m_commands.front().at <= m_parts.engine.Now())
    {
        std::pop_heap(m_commands.begin(), m_commands.end(), IsLater());
        Pending due = std::move(m_commands.back());
        m_commands.pop_back();
        if (!due.hasWaited && MustWait(due.slot, due.command))
        {
            due.at = m_transfers[due.slot].visibleAt;
            due.hasWaited = true; // Later writes do not delay it.
            Push(std::move(due));
            continue;
        }
        Execute(due.slot, due.command);
    }
}

bool
KernelCommandExecutor::MustWait(uint32_t slot, const KernelCommand& command) const
{
    return command.kind == KernelCommand::Kind::SEND_WRITE && slot < m_transfers.size() &&
           m_transfers[slot].visibleAt > m_parts.engine.Now();
}

void
KernelCommandExecutor::Execute(uint32_t slot, KernelCommand& command)
{
    ++m_parts.stats.commands[static_cast<std::size_t>(command.kind)];
    m_trace(command);
    switch (command.kind)
    {
    case KernelCommand::Kind::READ_HOST:
        ReadHost(slot, command);
        return;
    case KernelCommand::Kind::WRITE_HOST:
        WriteHost(slot, command);
        return;
    case KernelCommand::Kind::READ_CARD:
    case KernelCommand::Kind::WRITE_CARD:
        AccessCard(slot, command);
        return;
    case KernelCommand::Kind::SEND_WRITE:
        SendWrite(command);
        return;
    default:
        Notify(slot, command);
    }
}

KernelCommandExecutor::Transfers&
KernelCommandExecutor::GetTransfers(uint32_t slot)
{
    if (slot >= m_transfers.size())
    {
        m_transfers.resize(slot + 1);
    }
    return m_transfers[slot];
}

bool
KernelCommandExecutor::IsFull(uint32_t slot) const
{
    return slot < m_transfers.size() && (!m_transfers[slot].held.empty() ||
                                         m_transfers[slot].writtenBytes >= m_bounds.writeBytes);
}

void
KernelCommandExecutor::Fail(uint32_t slot, uint64_t tag)
{
    ++m_parts.stats.faults;
    Schedule(m_parts.engine.Now(), FAULT, m_accesses.Put({slot, tag, 0}));
}

void
KernelCommandExecutor::ReadHost(uint32_t slot, const KernelCommand& command)
{
    Transfers& reads = GetTransfers(slot);
    if (reads.outstanding >= m_bounds.reads)
    {
        reads.held.push_back(command);
        return;
    }
    const uint32_t access = m_accesses.Put({slot, command.tag, 0});
    if (command.length == 0 || m_dma.Read(command.address, command.length, access) == TICK_NEVER)
    {
        m_accesses.Take(access);
        Fail(slot, command.tag);
        return;
    }
    ++reads.outstanding;
}

void
KernelCommandExecutor::WriteHost(uint32_t slot, KernelCommand& command)
{
    const uint64_t bytes = command.bytes.size();
    const uint32_t access = m_accesses.Put({slot, command.tag, bytes});
    const Tick visibleAt = command.bytes.empty()
                               ? TICK_NEVER
                               : m_dma.Write(command.address, std::move(command.bytes), access);
    if (visibleAt == TICK_NEVER)
    {
        m_accesses.Take(access);
        Fail(slot, command.tag);
    }
    else if (slot != NO_SLOT)
    {
        Transfers& transfers = GetTransfers(slot);
        transfers.writtenBytes += bytes;
        transfers.visibleAt = std::max(transfers.visibleAt, visibleAt);
    }
}

void
KernelCommandExecutor::AccessCard(uint32_t slot, KernelCommand& command)
{
    const bool isRead = command.kind == KernelCommand::Kind::READ_CARD;
    const auto bytes = isRead ? command.length : static_cast<uint32_t>(command.bytes.size());
    const Tick now = m_parts.engine.Now();
    if (bytes == 0 || !m_parts.card.Contains(command.address, bytes))
    {
        Fail(slot, command.tag);
        return;
    }
    const Tick at = m_parts.card.Access(now, now, command.address, bytes);
    Schedule(at, CARD, m_waiting.Put({slot, std::move(command)}));
}

void
KernelCommandExecutor::FinishCard(uint32_t place)
{
    const Waiting access = m_waiting.Take(place);
    const KernelCommand& command = access.command;
    if (command.kind == KernelCommand::Kind::WRITE_CARD)
    {
        m_parts.card.GetBytes().Write(command.address, command.bytes.data(), command.bytes.size());
        return;
    }
    std::vector<uint8_t> bytes(command.length);
    m_parts.card.GetBytes().Read(command.address, bytes.data(), bytes.size());
    m_client.OnKernelData(access.slot, command.tag, ByteView(bytes));
}

void
KernelCommandExecutor::SendWrite(KernelCommand& command)
{
    if (!m_parts.nic.FindQueuePair(command.queuePair))
    {
        ++m_parts.stats.failedPosts;
        return;
    }
    m_parts.stats.failedPosts +=
        m_parts.nic.PostOnChip(command.queuePair, MakeWrite(command)) != PostResult::OK;
}

void
KernelCommandExecutor::Notify(uint32_t slot, KernelCommand& command)
{
    // A word in memory or a message-signaled interrupt. Either is a PCIe write, ordered after the
    // earlier ones.
    const Tick now = m_parts.engine.Now();
    const Tick at = m_parts.pcie.Write(now, now, DmaKind::COMPLETION, 0, sizeof(uint64_t));
    Schedule(at, NOTIFIED, m_waiting.Put({slot, std::move(command)}));
}

void
KernelCommandExecutor::OnRead(uint64_t tag, std::vector<uint8_t> bytes)
{
    const Access access = m_accesses.Take(static_cast<uint32_t>(tag));
    EndRead(access.slot);
    m_client.OnKernelData(access.slot, access.tag, ByteView(bytes));
}

void
KernelCommandExecutor::OnWritten(uint64_t tag)
{
    const Access access = m_accesses.Take(static_cast<uint32_t>(tag));
    if (access.slot == NO_SLOT)
    {
        return;
    }
    const bool wasFull = IsFull(access.slot);
    m_transfers[access.slot].writtenBytes -= access.writtenBytes;
    if (wasFull && !IsFull(access.slot))
    {
        m_client.OnKernelRoom(access.slot);
    }
}

void
KernelCommandExecutor::EndRead(uint32_t slot)
{
    --GetTransfers(slot).outstanding;
    while (!m_transfers[slot].held.empty() && m_transfers[slot].outstanding < m_bounds.reads)
    {
        const KernelCommand command = std::move(m_transfers[slot].held.front());
        m_transfers[slot].held.pop_front();
        ReadHost(slot, command);
    }
}

void
KernelCommandExecutor::HandleEvent(uint32_t kind, uint32_t argument)
{
    if (kind == COMMAND)
    {
        RunDue();
        return;
    }
    if (kind == CARD)
    {
        FinishCard(argument);
        return;
    }
    if (kind == NOTIFIED)
    {
        const Waiting notification = m_waiting.Take(argument);
        if (m_listener)
        {
            m_listener(notification.command, m_parts.engine.Now());
        }
        return;
    }
    const Access access = m_accesses.Take(argument);
    m_client.OnKernelFault(access.slot, access.tag);
}

} // namespace ns3::rdma
