// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/dma-engine.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

DmaEngine::DmaEngine(FabricEngine& engine,
                     PcieLink& pcie,
                     AddressTranslator& translator,
                     PayloadMemory& memory,
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
    return Start(READ, {address, bytes, tag, {}}, earliest);
}

Tick
DmaEngine::Write(uint64_t address, std::vector<uint8_t> bytes, uint64_t tag, Tick earliest)
{
    const auto count = static_cast<uint32_t>(bytes.size());
    return Start(WRITTEN, {address, count, tag, std::move(bytes)}, earliest);
}

Tick
DmaEngine::Start(Event kind, Command command, Tick earliest)
{
    const Tick now = m_engine.Now();
    const DmaPieces pieces =
        m_translator.Translate(std::max(now, earliest), command.address, command.bytes);
    if (pieces.empty())
    {
        ++m_stats.faults;
        return TICK_NEVER;
    }
    const auto transfer = kind == READ ? &PcieLink::Read : &PcieLink::Write;
    Tick doneAt = now;
    for (const DmaPiece& piece : pieces)
    {
        const Tick pieceAt =
            (m_pcie.*transfer)(now, piece.knownAt, DmaKind::PAYLOAD, piece.address, piece.bytes);
        doneAt = std::max(doneAt, pieceAt);
    }
    ++(kind == READ ? m_stats.reads : m_stats.writes);
    m_stats.pieces += pieces.size();
    const uint32_t place = m_commands.Put(std::move(command));
    m_engine.Schedule(doneAt, FabricEngine::MakeOwner(m_target, kind), place);
    return doneAt;
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
