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
struct alignas(64) NicChip final : public InSlab<NicChip>
{
    NicChip(FabricCore& core,
            FabricDevice& device,
            const TransportFactory& factory,
            const FrameStyle& style,
            Ptr<SendScheduler> scheduler,
            Tick cnpInterval)
        : receiver(parts, factory, transmitter, cnpInterval),
          parts(core, device, factory, style),
          transmitter(parts, scheduler)
    {
    }

    NicReceiver receiver;
    NicParts parts;
    NicTransmitter transmitter;
};

static_assert(sizeof(NicReceiver) == 64, "what packets need behind it is in the next line");
static_assert(sizeof(NicChip) == 320, "FabricPort fetches five lines of its owner");

} // namespace ns3::rdma

#endif // RDMA_NIC_CHIP_H
