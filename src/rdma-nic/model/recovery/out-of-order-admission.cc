// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/out-of-order-admission.h"

#include "ns3/policy-error.h"
#include "ns3/register-type.h"
#include "ns3/type-attributes.h"

namespace ns3::rdma
{

RDMA_REGISTER_BASE(OutOfOrderAdmission, Object, "RdmaNic");
NS_OBJECT_ENSURE_REGISTERED(OutOfOrderPool);

HeldCount::HeldCount(const Ptr<OutOfOrderAdmission>& admission)
    : m_admission(admission)
{
}

HeldCount::~HeldCount()
{
    Set(0);
}

bool
HeldCount::Admits(EarlyPacket packet) const
{
    if (!m_admission)
    {
        return true;
    }
    packet.heldByQueuePair = m_count;
    packet.heldByNic = m_admission->m_held;
    return CallPolicy(*m_admission, "Admits()", [&] { return m_admission->Admits(packet); });
}

void
HeldCount::Set(uint32_t packets)
{
    if (m_admission)
    {
        m_admission->m_held += packets - m_count;
        m_count = packets;
    }
}

TypeId
OutOfOrderPool::GetTypeId()
{
    static TypeId tid =
        TypeAttributes::Of<OutOfOrderPool, OutOfOrderAdmission>("ns3::rdma::OutOfOrderPool",
                                                                "RdmaNic")
            .Add("Packets",
                 Member(&OutOfOrderPool::m_packets, 32, 1, 1 << 20),
                 "Packets behind gaps that the NIC holds at most (32: no source; set it)");
    return tid;
}

bool
OutOfOrderPool::Admits(const EarlyPacket& packet)
{
    return packet.heldByNic < m_packets;
}

} // namespace ns3::rdma
