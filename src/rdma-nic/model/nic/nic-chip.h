// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_NIC_CHIP_H
#define RDMA_NIC_CHIP_H

#include "ns3/nic-receiver.h"
#include "ns3/slab.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-nic
 * @brief All of a NIC that packets touch, in neighbouring cache lines.
 *
 * The receiver comes first, since the engine fetches the first two lines of whomever an event is
 * for; what the others begin with follows.
 */
struct alignas(64) NicChip : public InSlab<NicChip>
{
    NicChip(FabricCore& core,
            FabricDevice& device,
            const TransportFactory& factory,
            const FrameStyle& style,
            Ptr<SendScheduler> scheduler,
            Tick cnpInterval)
        : receiver(device, factory, transmitter, cnpInterval),
          transmitter({core, device.GetPort(), table, frames, reporter},
                      scheduler,
                      style.dataPriority),
          frames(core.pool, style),
          reporter(table, factory)
    {
    }

    NicReceiver receiver;
    NicTransmitter transmitter;
    FrameMaker frames;
    QueuePairTable table;
    WorkReporter reporter;
};

} // namespace ns3::rdma

#endif // RDMA_NIC_CHIP_H
