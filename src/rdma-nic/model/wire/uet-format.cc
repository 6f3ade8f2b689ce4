// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/uet-format.h"

#include "ns3/opcode-table.h"
#include "ns3/type-attributes.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(UetFormat);

TypeId
UetFormat::GetTypeId()
{
    constexpr uint32_t MOST{255}; // Beyond the longest payload.
    static TypeId tid =
        TypeAttributes::Of<UetFormat, WireFormat>("ns3::rdma::UetFormat", "RdmaNic")
            .Add(
                "HeaderBytes",
                Member(&UetFormat::m_headerBytes, 64, 1, MOST),
                "Headers of a packet with payload, and size of one without, bytes (64: uet-htsim)");
    return tid;
}

HeaderList
UetFormat::GetHeaders(uint8_t code) const
{
    return OpcodeTable::GetHeaders(code);
}

uint32_t
UetFormat::GetFixedBytes(uint8_t code) const
{
    switch (opcode::GetKind(code))
    {
    case OpcodeKind::SEND:
    case OpcodeKind::WRITE:
    case OpcodeKind::READ_RESPONSE:
    case OpcodeKind::ACK:
    case OpcodeKind::READ_ACK:
    case OpcodeKind::CNP:
        return m_headerBytes;
    default:
        return 0;
    }
}

} // namespace ns3::rdma
