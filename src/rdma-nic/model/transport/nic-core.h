// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_NIC_CORE_H
#define RDMA_NIC_CORE_H

#include "ns3/nic-transport.h"

namespace ns3::rdma
{

/// The parts that a NIC has once, for all of its ports.
struct NicCore
{
    /// @param fabric, factory outlive this @param cnpInterval as of NicTransport
    NicCore(FabricCore& fabric, const TransportFactory& factory, Tick cnpInterval)
        : transport(fabric, factory, ports, reporter, cnpInterval),
          ports(fabric, table, factory.GetDefaults().pathSelector),
          reporter(table, factory),
          factory(factory)
    {
    }

    NicTransport transport;
    QueuePairTable table;
    NicPorts ports;
    WorkReporter reporter;
    const TransportFactory& factory;
    uint8_t dataPriorities{0}; ///< Bits of the priorities that its queue pairs have had.
};

} // namespace ns3::rdma

#endif // RDMA_NIC_CORE_H
