// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/receive-buffer.h"

#include "ns3/uinteger.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(ReceiveBuffer);

TypeId
ReceiveBuffer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::ReceiveBuffer")
            .SetParent<Object>()
            .SetGroupName("RdmaNic")
            .AddConstructor<ReceiveBuffer>()
            .AddAttribute(
                "Capacity",
                "Bytes of packets that wait on the chip, on their way to the host too; 0: "
                "no limit (629146: 0.6 MiB, SRNIC Table 2)",
                UintegerValue(629146),
                MakeUintegerAccessor(&ReceiveBuffer::m_capacity),
                MakeUintegerChecker<uint64_t>())
            .AddAttribute("Credits",
                          "Payload that the way to the host takes at once, bytes; a packet beyond "
                          "is dropped (BALBOA section 4.3, which prints no size); 0: no limit",
                          UintegerValue(0),
                          MakeUintegerAccessor(&ReceiveBuffer::m_credits),
                          MakeUintegerChecker<uint64_t>());
    return tid;
}

} // namespace ns3::rdma
