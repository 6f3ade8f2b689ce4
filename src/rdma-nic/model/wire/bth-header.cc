// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/bth-header.h"

#include "ns3/opcode-table.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(BthHeader);

namespace
{
constexpr uint32_t TOP_BIT{0x80000000};
} // namespace

TypeId
BthHeader::GetTypeId()
{
    static TypeId tid = MakeTypeId("BthHeader");
    return tid;
}

void
BthHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteU8(opcode);
    start.WriteU8(static_cast<uint8_t>((isSolicited ? 0x80 : 0) | (isMigrated ? 0x40 : 0) |
                                       (padCount & 3) << 4 | (version & 0xf)));
    start.WriteHtonU16(partitionKey);
    start.WriteHtonU32((isFecn ? TOP_BIT : 0) | (isBecn ? TOP_BIT >> 1 : 0) | (destQp & 0xffffff));
    start.WriteHtonU32((isAckRequested ? TOP_BIT : 0) | (psn & 0xffffff));
}

void
BthHeader::Read(Buffer::Iterator start)
{
    opcode = start.ReadU8();
    const uint8_t bits = start.ReadU8();
    isSolicited = (bits & 0x80) != 0;
    isMigrated = (bits & 0x40) != 0;
    padCount = (bits >> 4) & 3;
    version = bits & 0xf;
    partitionKey = start.ReadNtohU16();
    const uint32_t queuePair = start.ReadNtohU32();
    isFecn = (queuePair & TOP_BIT) != 0;
    isBecn = (queuePair & TOP_BIT >> 1) != 0;
    destQp = queuePair & 0xffffff;
    const uint32_t sequence = start.ReadNtohU32();
    isAckRequested = (sequence & TOP_BIT) != 0;
    psn = sequence & 0xffffff;
}

void
BthHeader::Print(std::ostream& os) const
{
    os << OpcodeTable::GetName(opcode) << " to QP " << destQp << " PSN " << psn << " pad "
       << uint32_t{padCount} << (isSolicited ? " solicited" : "") << (isFecn ? " FECN" : "")
       << (isBecn ? " BECN" : "") << (isAckRequested ? " AckReq" : "");
}

} // namespace ns3::rdma
