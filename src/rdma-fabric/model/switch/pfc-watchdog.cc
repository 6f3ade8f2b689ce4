// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/pfc-watchdog.h"

#include "ns3/log.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

NS_LOG_COMPONENT_DEFINE("PfcWatchdog");

PfcWatchdog::PfcWatchdog(std::shared_ptr<FabricCore> core,
                         const std::vector<FabricPort*>& ports,
                         const PfcWatchdogConfig& config,
                         Action action)
    : m_core(std::move(core)),
      m_ports(ports),
      m_config(config),
      m_action(std::move(action)),
      m_queues(ports.size() * PRIORITIES),
      m_target(m_core->engine->Register(this))
{
    for (FabricPort* port : m_ports)
    {
        port->SetPauseObserver(this);
    }
}

PfcWatchdog::~PfcWatchdog()
{
    for (FabricPort* port : m_ports)
    {
        port->SetPauseObserver(nullptr);
    }
    m_core->engine->Unregister(m_target);
}

bool
PfcWatchdog::HoldsFrames(uint32_t queue) const
{
    return GetPort(queue).GetQueueBytes(static_cast<uint8_t>(queue % PRIORITIES)) > 0;
}

void
PfcWatchdog::Schedule(Tick at, Event event, uint32_t queue)
{
    m_core->engine->Schedule(at, FabricEngine::MakeOwner(m_target, event), queue);
}

void
PfcWatchdog::OnPauseFrame(FabricPort& port, uint8_t priority, Tick until, bool isNew)
{
    const uint32_t number = port.GetNumber() * PRIORITIES + priority;
    Queue& queue = m_queues[number];
    const Tick now = m_core->engine->Now();
    queue.pausedUntil = until;
    if (until == now)
    {
        return; // A resume.
    }
    queue.lastPause = now;
    if (!isNew || queue.isStorm)
    {
        return;
    }
    queue.pausedSince = now;
    if (!queue.isExamined)
    {
        queue.isExamined = true;
        Schedule(queue.pausedSince + m_config.detection, EXAMINE, number);
    }
}

void
PfcWatchdog::HandleEvent(uint32_t kind, uint32_t argument)
{
    kind == EXAMINE ? Examine(argument) : Restore(argument);
}

bool
PfcWatchdog::IsUpkeep(uint32_t kind, uint32_t argument) const
{
    // A storm that is about to be detected frees frames.
    return kind != EXAMINE || !HoldsFrames(argument);
}

void
PfcWatchdog::Examine(uint32_t number)
{
    Queue& queue = m_queues[number];
    queue.isExamined = false;
    const Tick now = m_core->engine->Now();
    if (queue.isStorm || !GetPort(number).IsPaused(static_cast<uint8_t>(number % PRIORITIES)))
    {
        return;
    }
    const Tick due = queue.pausedSince + m_config.detection;
    if (now >= due && HoldsFrames(number))
    {
        SetStorm(number, true);
        return;
    }
    queue.isExamined = true;
    Schedule(now < due ? due : now + std::max<Tick>(m_config.detection / 4, 1), EXAMINE, number);
}

void
PfcWatchdog::Restore(uint32_t number)
{
    const Queue& queue = m_queues[number];
    const Tick due = std::max(queue.lastPause + m_config.restoration, queue.pausedUntil);
    if (m_core->engine->Now() < due)
    {
        Schedule(due, RESTORE, number);
        return;
    }
    SetStorm(number, false);
}

void
PfcWatchdog::SetStorm(uint32_t number, bool isStorm)
{
    FabricPort& port = GetPort(number);
    const auto priority = static_cast<uint8_t>(number % PRIORITIES);
    NS_LOG_INFO("port " << port.GetNumber() << " (id " << port.GetTarget() << "), priority "
                        << +priority << ": a pause storm " << (isStorm ? "begins" : "ends"));
    m_queues[number].isStorm = isStorm;
    isStorm ? ++m_storms : --m_storms;
    isStorm ? ++m_core->pauseStorms : ++m_core->pauseStormsEnded;
    if (isStorm)
    {
        Schedule(m_core->engine->Now() + m_config.restoration, RESTORE, number);
    }
    if (m_config.isForwarding)
    {
        port.IgnorePauses(priority, isStorm);
    }
    else
    {
        m_action(port, priority, isStorm);
    }
}

} // namespace ns3::rdma
