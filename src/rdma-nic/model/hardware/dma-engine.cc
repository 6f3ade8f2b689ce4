// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/dma-engine.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

DmaEngine::DmaEngine(FabricEngine& engine,
                     PcieLink& pcie,
                     AddressTranslator& translator,
                     HostMemory& memory,
                     DmaClient& client)
    : m_engine(engine),
      m_pcie(pcie),
      m_translator(translator),
      m_memory(memory),
      m_client(client),
      m_target(engine.Register(this))
{
}

DmaEngine::~DmaEngine()
{
    m_engine.Unregister(m_target);
}

Tick
DmaEngine::Read(uint64_t address, uint32_t bytes, uint64_t tag, Tick earliest)
{
    const Tick now = m_engine.Now();
    const DmaPieces pieces = m_translator.Translate(std::max(now, earliest), address, bytes);
    if (pieces.empty())
    {
        ++m_stats.faults;
        return TICK_NEVER;
    }
    Tick doneAt = now;
    for (const DmaPiece& piece : pieces)
    {
        const Tick readAt =
            m_pcie.Read(now, piece.knownAt, DmaKind::PAYLOAD, piece.address, piece.bytes);
        doneAt = std::max(doneAt, readAt);
    }
    ++m_stats.reads;
    m_stats.pieces += pieces.size();
    return Schedule(doneAt, READ, {address, bytes, tag, {}});
}

Tick
DmaEngine::Write(uint64_t address, std::vector<uint8_t> bytes, uint64_t tag, Tick earliest)
{
    const Tick now = m_engine.Now();
    const auto count = static_cast<uint32_t>(bytes.size());
    const DmaPieces pieces = m_translator.Translate(std::max(now, earliest), address, count);
    if (pieces.empty())
    {
        ++m_stats.faults;
        return TICK_NEVER;
    }
    Tick doneAt = now;
    for (const DmaPiece& piece : pieces)
    {
        const Tick writtenAt =
            m_pcie.Write(now, piece.knownAt, DmaKind::PAYLOAD, piece.address, piece.bytes);
        doneAt = std::max(doneAt, writtenAt);
    }
    ++m_stats.writes;
    m_stats.pieces += pieces.size();
    return Schedule(doneAt, WRITTEN, {address, count, tag, std::move(bytes)});
}

Tick
DmaEngine::Schedule(Tick when, Event kind, Command command)
{
    const uint32_t place = m_commands.Put(std::move(command));
    m_engine.Schedule(when, FabricEngine::MakeOwner(m_target, kind), place);
    return when;
}

void
DmaEngine::HandleEvent(uint32_t kind, uint32_t place)
{
    Command command = m_commands.Take(place);
    if (kind == READ)
    {
        command.payload.resize(command.bytes);
        m_memory.Read(command.address, command.payload.data(), command.bytes);
        m_client.OnRead(command.tag, std::move(command.payload));
        return;
    }
    m_memory.Write(command.address, command.payload.data(), command.payload.size());
    m_client.OnWritten(command.tag);
}

} // namespace ns3::rdma
