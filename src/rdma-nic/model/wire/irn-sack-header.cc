// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/irn-sack-header.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(IrnSackHeader);

namespace
{
constexpr uint32_t VALID{0x80000000};
} // namespace

TypeId
IrnSackHeader::GetTypeId()
{
    static TypeId tid = MakeTypeId("IrnSackHeader");
    return tid;
}

void
IrnSackHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU32((isValid ? VALID : 0) | (psn & 0xffffff));
}

void
IrnSackHeader::Read(Buffer::Iterator start)
{
    const uint32_t word = start.ReadNtohU32();
    isValid = (word & VALID) != 0;
    psn = word & 0xffffff;
}

void
IrnSackHeader::Print(std::ostream& os) const
{
    os << (isValid ? "selective PSN " : "no selective PSN ") << psn;
}

} // namespace ns3::rdma
