// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_NIC_CHIP_H
#define RDMA_NIC_CHIP_H

#include "ns3/nic-core.h"
#include "ns3/nic-transmitter.h"

namespace ns3::rdma
{

/// Parameters of the chip of a port, besides the NIC's core.
struct ChipSetup
{
    FabricCore& fabric;
    Ptr<FabricDevice> device; ///< Of the port.
    uint32_t number;          ///< Of the port, counted from 0.
    FrameStyle style;
    Ptr<SendScheduler> scheduler;
};

/**
 * @ingroup rdma-nic
 * @brief The state of one port of a NIC, in neighbouring cache lines.
 *
 * InstantChip and TimedChip are its datapaths.  The first members are those that arriving packets
 * use first, since the engine prefetches the first two lines of an event's target.
 */
class NicChip : public PacketPath
{
  public:
    /// @param nic outlives this
    NicChip(NicCore& nic, const ChipSetup& setup)
        : m_core(setup.fabric),
          m_port(setup.device->GetPort()),
          m_nic(nic),
          m_device(setup.device),
          m_number(setup.number),
          m_frames(setup.fabric.pool, setup.style),
          m_transmitter(m_core, nic, m_port, setup.number, m_frames, *this, setup.scheduler)
    {
    }

    bool IsDestination() const override
    {
        return true;
    }

    [[gnu::cold]] void OnDequeue(FabricPort&, Frame&) override
    {
    }

    void SendProbe(const QueuePair& queuePair, const ReportProbe& probe, Tick now) override
    {
        const FrameIndex index = m_frames.MakeProbe(queuePair, probe, now);
        m_transmitter.Address(m_core.pool[index]);
        m_port.Enqueue(index);
    }

    void Activate(QueuePair& queuePair) override
    {
        m_transmitter.Activate(queuePair);
    }

    void ActivateHere(QueuePair& queuePair, bool isSooner) override
    {
        m_transmitter.ActivateHere(queuePair, isSooner);
    }

    void SetTraces(QueuePairTraces& traces) override
    {
        m_transmitter.SetTraces(traces);
    }

    const FrameStyle& GetFrameStyle() const override
    {
        return m_frames.GetStyle();
    }

    Ptr<FabricDevice> GetDevice() const override
    {
        return m_device;
    }

    uint64_t GetDataFrames() const override
    {
        return m_transmitter.GetDataFrames();
    }

  protected:
    /// Counts a frame that has arrived.
    /// @return whether its protocol is not RoCE; such a frame was passed to the device.
    bool IsForDevice(FrameIndex index)
    {
        FetchLines<1>(&m_nic.transport);
        FetchLines<2>(&m_port); // The answer needs them.
        ++m_core.packetHops;
        if (m_core.pool[index].opcode != OPAQUE_OPCODE)
        {
            return false;
        }
        m_device->Deliver(index);
        return true;
    }

    FabricCore& m_core;
    FabricPort& m_port;
    NicCore& m_nic;
    Ptr<FabricDevice> m_device;
    uint32_t m_number; ///< Of the port.
    FrameMaker m_frames;
    NicTransmitter m_transmitter;
};

} // namespace ns3::rdma

#endif // RDMA_NIC_CHIP_H
