// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/receive-buffer.h"

#include "ns3/type-attributes.h"

#include <algorithm>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(ReceiveBuffer);

TypeId
ReceiveBuffer::GetTypeId()
{
    static TypeId tid =
        TypeAttributes::Of<ReceiveBuffer, Object>("ns3::rdma::ReceiveBuffer", "RdmaNic")
            .Add("Capacity",
                 Member(&ReceiveBuffer::m_capacity, 629146),
                 "Bytes of packets on the chip, including those in transfer to the host; 0: no "
                 "limit (629146: 0.6 MiB, SRNIC Table 2)")
            .Add("Credits",
                 Member(&ReceiveBuffer::m_credits, 0),
                 "Payload in transfer to the host at most, bytes; a packet beyond it is "
                 "dropped (BALBOA section 4.3, which prints no size); 0: no limit")
            .Add("PauseAt",
                 Member(&ReceiveBuffer::m_pauseAt, 0),
                 "Bytes in the buffer above which the NIC pauses the data priority of its link "
                 "(PFC); 0: never, a full buffer drops")
            .Add("ResumeAt",
                 Member(&ReceiveBuffer::m_resumeAt, 0),
                 "Bytes in the buffer at which the NIC ends a pause of its link");
    return tid;
}

void
ReceiveBuffer::Start()
{
    m_ample = UINT64_MAX;
    for (const uint64_t limit : {m_capacity, m_credits, m_pauseAt})
    {
        m_ample = limit > 0 ? std::min(m_ample, limit) : m_ample;
    }
}

std::string
ReceiveBuffer::FindFault() const
{
    if (m_pauseAt > 0 && (m_resumeAt >= m_pauseAt || (m_capacity > 0 && m_pauseAt >= m_capacity)))
    {
        return "ns3::rdma::ReceiveBuffer: expected ResumeAt < PauseAt < Capacity, got " +
               std::to_string(m_resumeAt) + ", " + std::to_string(m_pauseAt) + " and " +
               std::to_string(m_capacity);
    }
    return "";
}

} // namespace ns3::rdma
