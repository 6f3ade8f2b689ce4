// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_NIC_PARTS_H
#define RDMA_NIC_PARTS_H

#include "ns3/fabric-device.h"
#include "ns3/frame-maker.h"
#include "ns3/path-keeper.h"
#include "ns3/queue-pair-traces.h"
#include "ns3/work-reporter.h"

namespace ns3::rdma
{

/// What all parts of a NIC at one of its ports work with. What packets need is in the first cache
/// line.
struct NicParts
{
    NicParts(FabricCore& core,
             FabricDevice& device,
             const TransportFactory& factory,
             const FrameStyle& style)
        : core(core),
          port(device.GetPort()),
          frames(core.pool, style),
          reporter(table, factory),
          device(device)
    {
    }

    /// @return null if there is none of that number (any more).
    QueuePair* Find(uint32_t number)
    {
        auto* likely =
            static_cast<QueuePair*>(core.destinations.Get(frames.GetStyle().endpoint, number));
        return likely && likely->number == number ? likely : table.Find(number);
    }

    /// @return time since a packet came to a timed chip, modulo 2^32 ps.
    static Tick GetElapsed(const Frame& frame, Tick now)
    {
        return static_cast<uint32_t>(now) - frame.arrivedAt;
    }

    FabricCore& core;
    FabricPort& port;
    QueuePairTraces* traces{nullptr}; ///< Null: the queue pairs are not traced.
    FrameMaker frames;
    QueuePairTable table;
    WorkReporter reporter;
    FabricDevice& device;
    PathKeeper* paths{nullptr}; ///< Of a NIC with several ports; null: there is one.
};

} // namespace ns3::rdma

#endif // RDMA_NIC_PARTS_H
