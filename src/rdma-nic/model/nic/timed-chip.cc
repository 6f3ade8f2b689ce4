// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/timed-chip.h"

namespace ns3::rdma
{

TimedChip::TimedChip(FabricCore& core,
                     FabricDevice& device,
                     const TransportFactory& factory,
                     const FrameStyle& style,
                     Ptr<SendScheduler> scheduler,
                     Tick cnpInterval,
                     const std::optional<RateLimiter>& limiter,
                     NicHardware& hardware)
    : NicChip(core, device, factory, style, scheduler, cnpInterval),
      m_hardware(hardware),
      m_sendPath(parts, transmitter, hardware, limiter),
      m_controlPath(core, parts.port, hardware.GetControlLatency()),
      m_slowPath(parts, transport, transmitter, hardware, m_controlPath),
      m_receivePath(parts, transport, transmitter, hardware, m_slowPath, m_controlPath),
      m_doorbells(parts, transmitter, hardware),
      m_completions(*core.engine, hardware, parts.table, parts.reporter)
{
}

void
TimedChip::Receive(FrameIndex index)
{
    if (!IsForDevice(index))
    {
        m_receivePath.Arrive(index);
    }
}

PulledFrame
TimedChip::Pull(FabricPort& port)
{
    if (port.IsPaused(parts.frames.GetStyle().dataPriority))
    {
        return {}; // The port pulls again when the pause ends.
    }
    return m_sendPath.Pull(parts.core.engine->Now());
}

void
TimedChip::OnReady(Tick now)
{
    m_sendPath.Fetch(now);
}

void
TimedChip::OnPosted(QueuePair& queuePair, uint32_t requests)
{
    m_doorbells.Ring(queuePair, requests);
}

void
TimedChip::OnPostedOnChip(QueuePair& queuePair)
{
    m_doorbells.MakeKnown(queuePair, queuePair.requester->GetPostedEnd(), true);
}

void
TimedChip::Forget(uint32_t queuePair)
{
    ForgetPackets(queuePair);
    m_completions.Forget(queuePair);
}

void
TimedChip::ForgetPackets(uint32_t queuePair)
{
    const uint32_t place = parts.table.GetPlace(queuePair);
    if (place != QueuePairTable::NO_PLACE)
    {
        m_hardware.GetContextCache().Forget(place);
    }
    m_slowPath.Forget(queuePair);
    m_doorbells.Forget(queuePair);
}

void
TimedChip::Leave(const QueuePair& queuePair)
{
    ForgetPackets(queuePair.number);
}

void
TimedChip::Enter(QueuePair& queuePair)
{
    if (queuePair.requester)
    {
        m_doorbells.MakeKnown(queuePair, queuePair.requester->GetPostedEnd(), false);
    }
}

void
TimedChip::ForgetDoorbells(uint32_t queuePair)
{
    m_doorbells.Forget(queuePair);
}

} // namespace ns3::rdma
