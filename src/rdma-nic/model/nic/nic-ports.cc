// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/nic-ports.h"

#include "ns3/callback.h"
#include "ns3/opcode.h"
#include "ns3/policy-error.h"
#include "ns3/verbs-error.h"

#include <utility>

namespace ns3::rdma
{

NicPorts::NicPorts() = default;

NicPorts::~NicPorts() = default;

void
NicPorts::Start(Ptr<const PathSelector> selector)
{
    m_selector = std::move(selector);
}

void
NicPorts::Add(std::unique_ptr<NicChip> chip, Ptr<FabricDevice> device)
{
    m_ports.push_back({std::move(chip), std::move(device)});
}

void
NicPorts::Join()
{
    for (uint32_t port = 0; port < GetCount() && GetCount() > 1; ++port)
    {
        NicParts& parts = GetChip(port).parts;
        parts.paths = this;
        parts.table.SharePlaces(port, GetCount());
        GetDevice(port)->AddLinkChangeCallback(MakeCallback(&NicPorts::OnLinkChange, this));
    }
}

void
NicPorts::Clear()
{
    for (Port& port : m_ports)
    {
        // Frames may still be on their way here.
        port.device->TakePortBack();
        NicParts& parts = port.chip->parts;
        parts.core.destinations.ClearEndpoint(parts.frames.GetStyle().endpoint);
    }
    m_ports.clear();
}

uint32_t
NicPorts::GetEndpoint(uint32_t port) const
{
    return GetChip(port).parts.frames.GetStyle().endpoint;
}

uint32_t
NicPorts::FindPort(uint32_t queuePair) const
{
    if (m_ports.empty())
    {
        throw VerbsError("the NIC has no port: it is not started, or disposed of");
    }
    for (uint32_t port = 1; port < GetCount(); ++port)
    {
        if (GetChip(port).parts.table.Find(queuePair))
        {
            return port;
        }
    }
    return 0;
}

QueuePair&
NicPorts::Create(uint32_t port, std::optional<uint32_t> number)
{
    if (port >= GetCount())
    {
        throw VerbsError("the NIC has no port " + std::to_string(port));
    }
    const auto isInUse = [this](uint32_t one) { return FindChip(one).parts.table.Find(one); };
    NicParts& parts = GetChip(port).parts;
    if (!number && GetCount() > 1)
    {
        while (isInUse(QueuePairTable::GetNumber(m_made)))
        {
            ++m_made;
        }
        number = QueuePairTable::GetNumber(m_made++);
    }
    if (number && GetCount() > 1 && isInUse(*number))
    {
        throw VerbsError("queue pair number " + std::to_string(*number) + " is in use");
    }
    QueuePair& made = number ? parts.table.Create(*number) : parts.table.Create();
    parts.core.destinations.Set(GetEndpoint(port), made.number, &made);
    return made;
}

void
NicPorts::Destroy(uint32_t queuePair)
{
    const uint32_t port = FindPort(queuePair);
    NicParts& parts = GetChip(port).parts;
    const QueuePair* going = parts.table.Find(queuePair);
    if (!going)
    {
        return;
    }
    Forget(queuePair);
    parts.core.destinations.Clear(GetEndpoint(port), queuePair, going);
    GetChip(port).transmitter.Forget(*going);
    parts.table.Destroy(queuePair);
}

void
NicPorts::Forget(uint32_t queuePair)
{
    for (const Port& port : m_ports)
    {
        port.chip->Forget(queuePair); // At its former ports completions may be under way.
    }
}

uint32_t
NicPorts::CountQueuePairs() const
{
    uint32_t count = 0;
    for (const Port& port : m_ports)
    {
        count += port.chip->parts.table.GetCount();
    }
    return count;
}

PortStates
NicPorts::GetStates() const
{
    PortStates states{GetCount(), 0};
    for (uint32_t port = 0; port < GetCount(); ++port)
    {
        states.up |= uint64_t{GetDevice(port)->GetPort().IsLinkUp()} << port;
    }
    return states;
}

uint32_t
NicPorts::Choose(uint64_t connection) const
{
    const uint32_t port = m_selector->ChoosePort(connection, GetStates());
    if (port >= GetCount())
    {
        FailPolicy(*m_selector,
                   "ChoosePort()",
                   "a number below " + std::to_string(GetCount()),
                   std::to_string(port));
    }
    return port;
}

QueuePair&
NicPorts::Move(uint32_t number, uint32_t from, uint32_t to, uint32_t remote)
{
    NicChip& source = GetChip(from);
    NicChip& target = GetChip(to);
    QueuePair* queuePair = source.parts.table.Find(number);
    DestinationHints& hints = source.parts.core.destinations;
    source.Leave(*queuePair);
    source.transmitter.Forget(*queuePair);
    hints.Clear(GetEndpoint(from), number, queuePair);
    target.parts.table.Put(source.parts.table.Take(number));
    hints.Set(GetEndpoint(to), number, queuePair);
    queuePair->isScheduled = false;
    queuePair->timerAt = TICK_NEVER;
    queuePair->connection.remoteEndpoint = remote;
    QueuePairExtras& extras = queuePair->GetExtras();
    extras.heldWqes = {};
    extras.movedAt = source.parts.core.engine->Now();
    return *queuePair;
}

bool
NicPorts::MoveIfSelected(uint32_t number, uint32_t port, uint32_t expiries)
{
    const auto to = m_selector->Move({port, expiries, GetStates()});
    if (!to || *to == port)
    {
        return false;
    }
    if (*to >= GetCount())
    {
        FailPolicy(*m_selector,
                   "Move()",
                   "a number below " + std::to_string(GetCount()),
                   std::to_string(*to));
    }
    const QueuePair* queuePair = GetChip(port).parts.table.Find(number);
    if (!queuePair)
    {
        return false; // A handler of another one has destroyed it.
    }
    const EndpointMap& endpoints = GetChip(port).parts.core.endpoints;
    const uint32_t remote = queuePair->isConnected
                                ? endpoints.FindPort(queuePair->connection.remoteEndpoint, *to)
                                : EndpointMap::NONE;
    if (remote == EndpointMap::NONE)
    {
        return false; // Datagrams have no peer, and the peer may have fewer ports.
    }
    NicChip& target = GetChip(*to);
    target.Enter(Move(number, port, *to, remote));
    return true;
}

bool
NicPorts::MoveAfterExpiry(QueuePair& queuePair)
{
    return MoveIfSelected(queuePair.number,
                          FindPort(queuePair.number),
                          queuePair.requester->GetRetries());
}

void
NicPorts::OnLinkChange()
{
    for (uint32_t port = 0; port < GetCount(); ++port)
    {
        if (GetDevice(port)->GetPort().IsLinkUp())
        {
            continue;
        }
        for (const uint32_t number : GetChip(port).parts.table.GetNumbers())
        {
            MoveIfSelected(number, port, 0);
        }
    }
}

QueuePair*
NicPorts::Adopt(const Frame& frame)
{
    const uint32_t from = FindPort(frame.dstQp);
    const QueuePair* queuePair = GetChip(from).parts.table.Find(frame.dstQp);
    const EndpointMap& endpoints = GetChip(from).parts.core.endpoints;
    const uint32_t to = endpoints.Get(frame.dst).port;
    const bool isOfPeer = queuePair && queuePair->isConnected &&
                          endpoints.FindPort(queuePair->connection.remoteEndpoint,
                                             endpoints.Get(frame.src).port) == frame.src;
    const Tick movedAt = isOfPeer && queuePair->extras ? queuePair->extras->movedAt : 0;
    // An answer, or a packet from before: the queue pair has gone since.
    if (!isOfPeer || from == to || !opcode::IsRequest(frame.opcode) || frame.sendTime <= movedAt)
    {
        return nullptr;
    }
    QueuePair& moved = Move(frame.dstQp, from, to, frame.src);
    moved.extras->movedAt = frame.sendTime;
    GetChip(to).Enter(moved);
    return &moved;
}

} // namespace ns3::rdma
