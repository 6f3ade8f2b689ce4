// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/timed-chip.h"

namespace ns3::rdma
{

TimedChip::TimedChip(NicCore& nic,
                     const ChipSetup& setup,
                     const std::optional<RateLimiter>& limiter,
                     NicHardware& hardware)
    : NicChip(nic, setup),
      m_table(nic.table),
      m_hardware(hardware),
      m_sendPath(m_core,
                 m_port,
                 nic.table,
                 m_transmitter,
                 hardware,
                 limiter ? std::make_shared<RateLimiter>(*limiter) : nullptr),
      m_controlPath(m_core, m_port, hardware.GetControlLatency()),
      m_slowPath(m_core,
                 nic.table,
                 nic.transport,
                 nic.ports,
                 nic.reporter,
                 m_frames,
                 hardware,
                 m_controlPath),
      m_receivePath(m_core,
                    m_port,
                    nic.table,
                    nic.transport,
                    m_transmitter,
                    nic.ports,
                    nic.reporter,
                    m_frames,
                    hardware,
                    m_slowPath,
                    m_controlPath,
                    nic.dataPriorities),
      m_doorbells(*m_core.engine, nic.table, m_transmitter, nic.reporter, m_sendPath, hardware)
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
TimedChip::Pull(FabricPort& port, uint32_t classNumber)
{
    if (port.IsPaused(static_cast<uint8_t>(classNumber)))
    {
        return {}; // The port pulls again when the pause ends.
    }
    return FindSendPath(FindClassNumber(classNumber)).Pull(m_core.engine->Now());
}

void
TimedChip::OnReady(Tick now, uint8_t classes)
{
    const auto priority = static_cast<uint32_t>(__builtin_ctz(classes));
    FindSendPath(FindClassNumber(priority)).Fetch(now);
}

void
TimedChip::AddClass(uint32_t classNumber, const Ptr<SendScheduler>& scheduler)
{
    m_lanes[classNumber] = std::make_unique<Lane>(*this, MakeTransmitter(classNumber, scheduler));
    PullAlso(classNumber);
}

NicTransmitter*
TimedChip::FindOther(uint32_t classNumber) const
{
    return m_lanes[classNumber] ? m_lanes[classNumber]->transmitter.get() : nullptr;
}

void
TimedChip::OnPosted(QueuePair& queuePair, uint32_t requests)
{
    FindDoorbells(queuePair).Ring(queuePair, requests);
}

void
TimedChip::OnPostedOnChip(QueuePair& queuePair)
{
    FindDoorbells(queuePair).MakeKnown(queuePair,
                                       queuePair.GetRequester()->GetWindow().GetQueue().GetEnd(),
                                       true);
}

void
TimedChip::SendCredit(const QueuePair& queuePair, uint32_t granted)
{
    m_controlPath.Send(m_frames.MakeCredit(queuePair, granted));
}

void
TimedChip::SendPorts(const QueuePair& queuePair, uint32_t up)
{
    m_controlPath.Send(m_frames.MakePorts(queuePair, up));
}

void
TimedChip::Forget(const QueuePair& queuePair)
{
    m_hardware.GetContextCache().Forget(m_table.GetPlace(queuePair.GetNumber()));
    m_slowPath.Forget(queuePair.GetNumber());
    m_receivePath.Forget(queuePair);
    ForgetDoorbells(queuePair);
}

void
TimedChip::Leave(const QueuePair& queuePair)
{
    Forget(queuePair);
    FindTransmitter(queuePair).Forget(queuePair);
}

void
TimedChip::Enter(QueuePair& queuePair)
{
    if (queuePair.GetRequester())
    {
        FindDoorbells(queuePair).MakeKnown(
            queuePair,
            queuePair.GetRequester()->GetWindow().GetQueue().GetEnd(),
            false);
    }
}

void
TimedChip::ForgetDoorbells(const QueuePair& queuePair)
{
    FindDoorbells(queuePair).Forget(queuePair.GetNumber());
    FindSendPath(queuePair.GetClassNumber()).ForgetHeld(queuePair);
}

} // namespace ns3::rdma
