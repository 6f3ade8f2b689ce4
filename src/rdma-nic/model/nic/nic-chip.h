// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_NIC_CHIP_H
#define RDMA_NIC_CHIP_H

#include "ns3/nic-transmitter.h"
#include "ns3/nic-transport.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-nic
 * @brief All of a NIC that packets of one port touch, in neighbouring cache lines: transports and
 * the path between them and the port.
 *
 * InstantChip and TimedChip are the paths that there are.  What arriving packets need first comes
 * first, since the engine fetches the first two lines of whomever an event is for.
 */
class NicChip : public PacketPath
{
  public:
    NicChip(FabricCore& core,
            FabricDevice& device,
            const TransportFactory& factory,
            const FrameStyle& style,
            Ptr<SendScheduler> scheduler,
            Tick cnpInterval)
        : transport(parts, factory, cnpInterval),
          parts(core, device, factory, style),
          transmitter(parts, *this, scheduler)
    {
    }

    bool IsDestination() const override
    {
        return true;
    }

    /// Its queue pairs are observed from here on. @param traces outlives this
    void SetTraces(QueuePairTraces& traces)
    {
        parts.traces = &traces;
        parts.reporter.SetTraces(traces);
    }

    void OnDequeue(FabricPort&, Frame&) override
    {
    }

    NicTransport transport;
    NicParts parts;
    NicTransmitter transmitter;

  protected:
    /// Counts a frame that has arrived.
    /// @return whether it was of another protocol than RoCE: then it is the device's now.
    bool IsForDevice(FrameIndex index)
    {
        FetchLines<2>(&parts.port); // For the answer.
        ++parts.core.packetHops;
        if (parts.core.pool[index].opcode != OPAQUE_OPCODE)
        {
            return false;
        }
        parts.device.Deliver(index);
        return true;
    }
};

} // namespace ns3::rdma

#endif // RDMA_NIC_CHIP_H
