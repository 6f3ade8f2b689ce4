// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/counting-receiver.h"

#include "ns3/register-type.h"

namespace ns3::rdma
{

RDMA_REGISTER_CLASS(CountingReceiver, ReceiverControl, "RdmaNic");

ReceiverAnswer
CountingReceiver::OnPacket(const ArrivedPacket& packet)
{
    using Arrival = ArrivedPacket::Kind;
    using Kind = ReceiverAnswer::Kind;
    m_arrived += packet.kind != Arrival::PROBE; // It is no packet of the sender's window.
    ReceiverAnswer answer;
    answer.report.receivedBytes = m_arrived;
    answer.report.bitmap.base = packet.psn;
    switch (packet.kind)
    {
    case Arrival::REFUSED:
        answer.kind = packet.hasRefusal ? Kind::NONE : Kind::TRIM_NOTICE;
        break;
    case Arrival::BEYOND:
    case Arrival::TRIMMED:
        answer.kind = Kind::TRIM_NOTICE;
        break;
    default:
        answer.kind = Kind::REPORT;
    }
    return answer;
}

} // namespace ns3::rdma
