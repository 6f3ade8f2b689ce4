// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/srnic-headers.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(SrnicMetaHeader);
NS_OBJECT_ENSURE_REGISTERED(SrnicWriteHeader);
NS_OBJECT_ENSURE_REGISTERED(SrnicEchoHeader);

namespace
{
constexpr uint32_t VALID{0x80000000};
} // namespace

TypeId
SrnicMetaHeader::GetTypeId()
{
    static TypeId tid = MakeTypeId("SrnicMetaHeader");
    return tid;
}

void
SrnicMetaHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU32(ssn & 0xffffff);
    start.WriteHtonU32(psnOffset);
}

void
SrnicMetaHeader::Read(Buffer::Iterator start)
{
    ssn = start.ReadNtohU32() & 0xffffff;
    psnOffset = start.ReadNtohU32();
}

void
SrnicMetaHeader::Print(std::ostream& os) const
{
    os << "SSN " << ssn << " PSN offset " << psnOffset;
}

TypeId
SrnicWriteHeader::GetTypeId()
{
    static TypeId tid = MakeTypeId("SrnicWriteHeader");
    return tid;
}

void
SrnicWriteHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU64(virtualAddress);
    start.WriteHtonU32(remoteKey);
    start.WriteHtonU32(ssn & 0xffffff);
    start.WriteHtonU32(psnOffset);
}

void
SrnicWriteHeader::Read(Buffer::Iterator start)
{
    virtualAddress = start.ReadNtohU64();
    remoteKey = start.ReadNtohU32();
    ssn = start.ReadNtohU32() & 0xffffff;
    psnOffset = start.ReadNtohU32();
}

void
SrnicWriteHeader::Print(std::ostream& os) const
{
    os << "VA " << virtualAddress << " R_Key " << remoteKey << " SSN " << ssn << " PSN offset "
       << psnOffset;
}

TypeId
SrnicEchoHeader::GetTypeId()
{
    static TypeId tid = MakeTypeId("SrnicEchoHeader");
    return tid;
}

void
SrnicEchoHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU32((isValid ? VALID : 0) | (psn & 0xffffff));
    start.WriteHtonU32(psnOffset);
}

void
SrnicEchoHeader::Read(Buffer::Iterator start)
{
    const uint32_t word = start.ReadNtohU32();
    isValid = (word & VALID) != 0;
    psn = word & 0xffffff;
    psnOffset = start.ReadNtohU32();
}

void
SrnicEchoHeader::Print(std::ostream& os) const
{
    os << (isValid ? "echo of PSN " : "no echo, PSN ") << psn << " PSN offset " << psnOffset;
}

} // namespace ns3::rdma
