// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_NIC_CHIP_H
#define RDMA_NIC_CHIP_H

#include "ns3/nic-core.h"
#include "ns3/nic-transmitter.h"

#include <memory>

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
 * It has a transmitter for each class of queue pairs: the NIC's usual class, and those that
 * AddClass() adds.
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
          m_number(static_cast<uint8_t>(setup.number)),
          m_classes(static_cast<uint8_t>(1U << setup.style.data.priority)),
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
        FindTransmitter(queuePair).Activate(queuePair);
    }

    void ActivateHere(QueuePair& queuePair, bool isSooner) override
    {
        FindTransmitter(queuePair).ActivateHere(queuePair, isSooner);
    }

    void SetTraces(QueuePairTraces& traces) override
    {
        m_transmitter.SetTraces(traces);
        for (uint32_t classNumber = 1; classNumber < PRIORITIES; ++classNumber)
        {
            if (NicTransmitter* other = FindOther(classNumber))
            {
                other->SetTraces(traces);
            }
        }
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
        uint64_t frames = m_transmitter.GetDataFrames();
        for (uint32_t classNumber = 1; classNumber < PRIORITIES; ++classNumber)
        {
            const NicTransmitter* other = FindOther(classNumber);
            frames += other ? other->GetDataFrames() : 0;
        }
        return frames;
    }

  protected:
    /// @return the transmitter of a class that was added; null: it was not. @param classNumber not
    /// 0
    virtual NicTransmitter* FindOther(uint32_t classNumber) const = 0;

    /// @return the transmitter of a queue pair that sends by this port.
    NicTransmitter& FindTransmitter(const QueuePair& queuePair)
    {
        return queuePair.GetClassNumber() == 0 ? m_transmitter
                                               : *FindOther(queuePair.GetClassNumber());
    }

    /// @return a transmitter for queue pairs of another class.
    std::unique_ptr<NicTransmitter> MakeTransmitter(uint32_t classNumber,
                                                    const Ptr<SendScheduler>& scheduler)
    {
        auto made = std::make_unique<NicTransmitter>(m_core,
                                                     m_nic,
                                                     m_port,
                                                     m_number,
                                                     m_frames,
                                                     *this,
                                                     scheduler,
                                                     classNumber);
        if (QueuePairTraces* traces = m_transmitter.GetTraces())
        {
            made->SetTraces(*traces);
        }
        return made;
    }

    /// @return the class number of a priority that Pull() is called for.
    uint32_t FindClassNumber(uint32_t priority) const
    {
        return m_frames.GetStyle().GetClassNumber(static_cast<uint8_t>(priority));
    }

    /// Adds the priority of a class to those that the port pulls.
    void PullAlso(uint32_t classNumber)
    {
        m_classes |= static_cast<uint8_t>(1U << m_frames.GetStyle().GetPriority(classNumber));
        m_port.SetOwner(this, m_classes);
    }

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
    uint8_t m_number;     ///< Of the port.
    uint8_t m_classes{0}; ///< Bits of the priorities of its transmitters.
    FrameMaker m_frames;
    NicTransmitter m_transmitter;
};

} // namespace ns3::rdma

#endif // RDMA_NIC_CHIP_H
