// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/sack-receiver.h"

#include "ns3/type-attributes.h"

#include <algorithm>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(SackReceiver);

namespace
{
/// PSNs in a bitmap.
constexpr uint32_t BITMAP_LENGTH{64};
} // namespace

TypeId
SackReceiver::GetTypeId()
{
    const auto shared = [](auto field, const auto& initial, auto... bounds) {
        return Shared(&SackReceiver::m_parameters, field, initial, bounds...);
    };
    static TypeId tid =
        TypeAttributes::Of<SackReceiver, ReceiverControl>("ns3::rdma::SackReceiver", "RdmaNic")
            .Add("AckBytes",
                 shared(&Parameters::ackBytes, 16'384, 1),
                 "Data after which a report is due, headers included, bytes (16384: "
                 "ACK_GEN_TRIGGER of UE 1.0.3, uet-htsim)")
            .Add("LeastBytes",
                 shared(&Parameters::leastBytes, 0),
                 "Bytes that a packet adds to the data at least (0: uet-htsim; UE 1.0.3: 1024)")
            .Add("AcksMarks",
                 shared(&Parameters::acksMarks, true),
                 "Each packet with CE is reported at once (true: ACK_ON_ECN of UE 1.0.3, "
                 "uet-htsim)");
    return tid;
}

ReceiverAnswer
SackReceiver::OnPacket(const ArrivedPacket& packet)
{
    switch (packet.kind)
    {
    case ArrivedPacket::Kind::PROBE:
        return Report(packet);
    case ArrivedPacket::Kind::TRIMMED:
        return {ReceiverAnswer::Kind::TRIM_NOTICE};
    case ArrivedPacket::Kind::REFUSED:
    case ArrivedPacket::Kind::BEYOND:
        return {};
    case ArrivedPacket::Kind::DUPLICATE:
        break;
    default:
        if (!Accept(packet))
        {
            return {};
        }
    }
    m_unreportedBytes = 0;
    return Report(packet);
}

bool
SackReceiver::Accept(const ArrivedPacket& packet)
{
    m_receivedBytes += packet.wireBytes;
    m_unreportedBytes += std::max(packet.wireBytes, m_parameters->leastBytes);
    bool isDue = !m_hasStarted || packet.asksForAck ||
                 (packet.isMarked && m_parameters->acksMarks) ||
                 m_unreportedBytes >= m_parameters->ackBytes;
    m_hasStarted = true;
    m_isRequested |= packet.asksForAck;
    if (m_isRequested && packet.held == 0)
    {
        m_isRequested = false;
        isDue = true;
    }
    return isDue;
}

ReceiverAnswer
SackReceiver::Report(const ArrivedPacket& packet)
{
    ReceiverAnswer answer;
    answer.kind = ReceiverAnswer::Kind::REPORT;
    answer.report.receivedBytes = m_receivedBytes;
    if (packet.isMarked || (packet.asksForAck && packet.kind != ArrivedPacket::Kind::DUPLICATE))
    {
        answer.report.bitmap.base = packet.psn;
        return answer;
    }
    // In steps from the next missing PSN: the bitmap ends at the packet or begins at 1.
    const int32_t last = packet.psn - packet.expected;
    const int32_t first = std::max(last - static_cast<int32_t>(BITMAP_LENGTH - 1), 1);
    answer.report.bitmap.base = packet.expected + static_cast<uint32_t>(first);
    return answer;
}

} // namespace ns3::rdma
