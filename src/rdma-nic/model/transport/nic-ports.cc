// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/nic-ports.h"

#include "ns3/callback.h"
#include "ns3/opcode.h"
#include "ns3/policy-error.h"
#include "ns3/verbs-error.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

NicPorts::NicPorts(FabricCore& core, QueuePairTable& table, Ptr<const PathSelector> selector)
    : m_core(core),
      m_table(table),
      m_selector(std::move(selector))
{
}

NicPorts::~NicPorts() = default;

void
NicPorts::Add(std::unique_ptr<PacketPath> path)
{
    if (!m_first)
    {
        m_first = std::move(path);
        return;
    }
    m_several = m_several ? std::move(m_several) : std::make_unique<Several>();
    m_several->others.push_back(std::move(path));
}

void
NicPorts::Join(bool sprays)
{
    if (m_several && sprays)
    {
        std::vector<PacketPath*> paths;
        for (uint32_t port = 0; port < GetCount(); ++port)
        {
            paths.push_back(&GetPath(port));
        }
        m_several->turns = std::make_unique<SpreadTurns>(m_core, m_table, std::move(paths));
        ReadLinks();
        m_several->hasChanged = m_several->up != (uint64_t{1} << GetCount()) - 1;
    }
    else if (m_several)
    {
        m_several->returns = std::make_unique<PortReturns>(m_core, m_table, *this);
    }
    for (uint32_t port = 0; port < GetCount() && GetCount() > 1; ++port)
    {
        GetDevice(port)->AddLinkChangeCallback(MakeCallback(&NicPorts::OnLinkChange, this));
    }
}

void
NicPorts::Clear()
{
    for (uint32_t port = 0; port < GetCount(); ++port)
    {
        // Frames to this port may still be in flight.
        GetDevice(port)->TakePortBack();
        m_core.destinations.ClearEndpoint(GetEndpoint(port));
    }
    m_several = nullptr;
    m_first = nullptr;
}

QueuePair&
NicPorts::Create(uint32_t port, std::optional<uint32_t> number)
{
    if (port >= GetCount())
    {
        throw VerbsError("the NIC has no port " + std::to_string(port));
    }
    QueuePair& made = number ? m_table.Create(*number) : m_table.Create();
    made.MoveToPort(port, made.GetConnection().remoteEndpoint);
    if (SpreadTurns* turns = FindTurns())
    {
        turns->Add(made);
    }
    if (m_several && m_several->returns)
    {
        m_several->returns->Add(made);
    }
    for (uint32_t one = 0; one < GetCount(); ++one)
    {
        m_core.destinations.Set(GetEndpoint(one), made.GetNumber(), &made);
    }
    return made;
}

void
NicPorts::Destroy(QueuePair& queuePair)
{
    for (uint32_t port = 0; port < GetCount(); ++port)
    {
        GetPath(port).Leave(queuePair);
        m_core.destinations.Clear(GetEndpoint(port), queuePair.GetNumber(), &queuePair);
    }
    ForgetMoveTime(queuePair);
    m_table.Destroy(queuePair.GetNumber());
}

void
NicPorts::Forget(const QueuePair& queuePair)
{
    for (uint32_t port = 0; port < GetCount(); ++port)
    {
        GetPath(port).Forget(queuePair);
    }
    if (SpreadTurns* turns = FindTurns())
    {
        turns->Forget(queuePair);
    }
    ForgetMoveTime(queuePair);
}

void
NicPorts::LeaveSchedulers(QueuePair& queuePair)
{
    for (uint32_t port = 0; port < GetCount(); ++port)
    {
        GetPath(port).Leave(queuePair);
        if (SpreadTurns* turns = FindTurns())
        {
            turns->SetScheduled(queuePair, port, false);
        }
    }
    queuePair.SetScheduled(false);
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
    const uint32_t port = CallPolicy(*m_selector, "ChoosePort()", [&] {
        return m_selector->ChoosePort(connection, GetStates());
    });
    if (port >= GetCount())
    {
        FailPolicy(*m_selector,
                   "ChoosePort()",
                   "a number below " + std::to_string(GetCount()),
                   std::to_string(port));
    }
    return port;
}

Tick
NicPorts::GetMoveTime(const QueuePair& queuePair) const
{
    const uint32_t place = m_table.GetPlace(queuePair.GetNumber());
    return m_several && place < m_several->movedAt.size() ? m_several->movedAt[place] : 0;
}

void
NicPorts::SetMoveTime(const QueuePair& queuePair, Tick when)
{
    const uint32_t place = m_table.GetPlace(queuePair.GetNumber());
    std::vector<Tick>& movedAt = m_several->movedAt;
    movedAt.resize(std::max<std::size_t>(movedAt.size(), place + 1));
    movedAt[place] = when;
}

void
NicPorts::ForgetMoveTime(const QueuePair& queuePair)
{
    if (GetMoveTime(queuePair) > 0)
    {
        SetMoveTime(queuePair, 0);
    }
}

void
NicPorts::Move(QueuePair& queuePair, uint32_t to, uint32_t remote, Tick now)
{
    FindPath(queuePair).Leave(queuePair);
    queuePair.MoveToPort(to, remote);
    SetMoveTime(queuePair, now);
    GetPath(to).Enter(queuePair);
}

bool
NicPorts::MoveIfSelected(QueuePair& queuePair, uint32_t expiries)
{
    const auto to = CallPolicy(*m_selector, "Move()", [&] {
        return m_selector->Move({queuePair.GetPort(), expiries, GetStates()});
    });
    if (!to || *to == queuePair.GetPort())
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
    if (!MoveTo(queuePair, *to))
    {
        return false; // Datagrams have no peer, and the peer may have fewer ports.
    }
    if (m_several->returns)
    {
        m_several->returns->OnLeft(queuePair);
    }
    return true;
}

bool
NicPorts::MoveTo(QueuePair& queuePair, uint32_t port)
{
    const uint32_t remote =
        queuePair.IsConnected()
            ? m_core.endpoints.FindPort(queuePair.GetConnection().remoteEndpoint, port)
            : EndpointMap::NONE;
    if (remote == EndpointMap::NONE)
    {
        return false;
    }
    Move(queuePair, port, remote, m_core.engine->Now());
    return true;
}

bool
NicPorts::MoveAfterExpiry(QueuePair& queuePair)
{
    return GetCount() > 1 && MoveIfSelected(queuePair, queuePair.GetRequester()->GetRetries());
}

void
NicPorts::LeaveDeadPort(QueuePair& queuePair)
{
    const auto first = static_cast<uint32_t>(__builtin_ctz(m_several->up));
    const uint32_t remote =
        m_core.endpoints.FindPort(queuePair.GetConnection().remoteEndpoint, first);
    if (((m_several->up >> queuePair.GetPort()) & 1) == 0 && remote != EndpointMap::NONE)
    {
        Move(queuePair, first, remote, m_core.engine->Now());
    }
}

void
NicPorts::OnConnected(QueuePair& queuePair)
{
    if (!FindTurns() || !queuePair.IsConnected())
    {
        return;
    }
    FindTurns()->Connect(queuePair);
    if (m_several->up != 0 && m_several->hasChanged)
    {
        LeaveDeadPort(queuePair);
        FindPath(queuePair).SendPorts(queuePair, m_several->up);
    }
}

void
NicPorts::ReadLinks()
{
    m_several->up = static_cast<uint32_t>(GetStates().up);
    m_several->turns->SetUp(m_several->up);
}

void
NicPorts::OnLinkChangeOfSpray()
{
    ReadLinks();
    m_several->hasChanged = true;
    if (m_several->up == 0)
    {
        return; // Nothing can be sent until a link is up again.
    }
    for (const uint32_t number : m_table.GetNumbers())
    {
        QueuePair* queuePair = m_table.Find(number);
        if (!queuePair || !queuePair->IsConnected())
        {
            continue;
        }
        LeaveDeadPort(*queuePair);
        FindPath(*queuePair).SendPorts(*queuePair, m_several->up);
        if (queuePair->GetRequester())
        {
            FindPath(*queuePair).Activate(*queuePair);
        }
    }
}

void
NicPorts::OnLinkChange()
{
    if (m_several->turns)
    {
        OnLinkChangeOfSpray();
        return;
    }
    for (uint32_t port = 0; port < GetCount(); ++port)
    {
        if (GetDevice(port)->GetPort().IsLinkUp())
        {
            continue;
        }
        for (const uint32_t number : m_table.GetNumbers())
        {
            QueuePair* queuePair = m_table.Find(number); // A handler may destroy queue pairs.
            if (queuePair && queuePair->GetPort() == port)
            {
                MoveIfSelected(*queuePair, 0);
            }
        }
    }
    m_several->returns->OnLinkChange();
}

void
NicPorts::OnOtherPort(QueuePair& queuePair, const Frame& frame, uint32_t port)
{
    const EndpointMap& endpoints = m_core.endpoints;
    const bool isOfPeer =
        queuePair.IsConnected() && endpoints.FindPort(queuePair.GetConnection().remoteEndpoint,
                                                      endpoints.Get(frame.src).port) == frame.src;
    // An answer does not change the port, nor does a packet sent before the last change.
    if (isOfPeer && opcode::IsRequest(frame.opcode) && frame.sendTime > GetMoveTime(queuePair))
    {
        Move(queuePair, port, frame.src, frame.sendTime);
    }
}

} // namespace ns3::rdma
