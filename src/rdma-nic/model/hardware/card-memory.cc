// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/card-memory.h"

#include "ns3/type-attributes.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(CardMemory);

TypeId
CardMemory::GetTypeId()
{
    static TypeId tid =
        TypeAttributes::Of<CardMemory, Object>("ns3::rdma::CardMemory", "RdmaNic")
            .Add(
                "KeepsPayload",
                Member(&CardMemory::m_isUsed, false),
                "Whether payload is kept on the card until it is acknowledged (BALBOA section 4.2)")
            .Add("Latency",
                 Member(&CardMemory::m_latency, NanoSeconds(300), Time(0), MilliSeconds(1)),
                 "Latency of a read (300 ns: our estimate for HBM behind an interconnect of an "
                 "FPGA; the paper prints none)");
    return tid;
}

} // namespace ns3::rdma
