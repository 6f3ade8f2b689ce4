// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/dcp-format.h"

#include "ns3/header-sizes.h"
#include "ns3/opcode-table.h"
#include "ns3/opcode.h"
#include "ns3/register-type.h"

namespace ns3::rdma
{

RDMA_REGISTER_CLASS(DcpFormat, WireFormat, "RdmaNic");

namespace
{
constexpr uint32_t NUMBER_BYTES{3}; ///< Of a message number or a send sequence number.
constexpr uint32_t ICRC_BYTES{4};
constexpr uint32_t RETH_BYTES{16};
constexpr uint32_t IMM_DT_BYTES{4};
constexpr uint32_t AETH_BYTES{4}; ///< With the number of complete messages.
/// Ours, of the codes that IBTA leaves to manufacturers.
constexpr uint8_t RETURNED_HEADER{0xc0};
} // namespace

HeaderList
DcpFormat::GetHeaders(uint8_t code) const
{
    return OpcodeTable::GetHeaders(code);
}

uint32_t
DcpFormat::GetFixedBytes(uint8_t code) const
{
    if (code == RETURNED_HEADER)
    {
        return HeaderSizes::COMMON - ICRC_BYTES + NUMBER_BYTES;
    }
    const OpcodeInfo& info = opcode::Get(code);
    if (info.service != Service::RC)
    {
        return 0;
    }
    const uint32_t immediate = info.hasImmediate ? IMM_DT_BYTES : 0;
    const uint32_t plain = HeaderSizes::COMMON + NUMBER_BYTES + immediate;
    switch (info.kind)
    {
    case OpcodeKind::SEND:
        return plain + NUMBER_BYTES;
    case OpcodeKind::WRITE:
        return plain + RETH_BYTES + (info.hasImmediate ? NUMBER_BYTES : 0);
    case OpcodeKind::READ_RESPONSE:
        return plain;
    case OpcodeKind::ACK:
    case OpcodeKind::READ_ACK:
        return HeaderSizes::COMMON + AETH_BYTES;
    default:
        return 0;
    }
}

uint8_t
DcpFormat::GetNackOpcode() const
{
    return RETURNED_HEADER;
}

} // namespace ns3::rdma
