// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/card-memory.h"

#include "ns3/boolean.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(CardMemory);

TypeId
CardMemory::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::CardMemory")
            .SetParent<Object>()
            .SetGroupName("RdmaNic")
            .AddConstructor<CardMemory>()
            .AddAttribute("KeepsPayload",
                          "Whether payload is kept on the card until it is acknowledged (BALBOA "
                          "section 4.2)",
                          BooleanValue(false),
                          MakeBooleanAccessor(&CardMemory::m_isUsed),
                          MakeBooleanChecker())
            .AddAttribute("Latency",
                          "Latency of a read (300 ns: our estimate for HBM behind an interconnect "
                          "of an FPGA; the paper prints none)",
                          TimeValue(NanoSeconds(300)),
                          MakeTimeAccessor(&CardMemory::m_latency),
                          MakeTimeChecker(Time(0), MilliSeconds(1)));
    return tid;
}

} // namespace ns3::rdma
