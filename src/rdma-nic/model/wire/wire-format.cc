// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/wire-format.h"

#include "ns3/opcode-table.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(WireFormat);
NS_OBJECT_ENSURE_REGISTERED(IbtaFormat);
NS_OBJECT_ENSURE_REGISTERED(IrnFormat);
NS_OBJECT_ENSURE_REGISTERED(SrnicFormat);

TypeId
WireFormat::GetTypeId()
{
    static TypeId tid = TypeId("ns3::rdma::WireFormat").SetParent<Object>().SetGroupName("RdmaNic");
    return tid;
}

bool
WireFormat::HasPsnOffset() const
{
    return false;
}

TypeId
IbtaFormat::GetTypeId()
{
    static TypeId tid = TypeId("ns3::rdma::IbtaFormat")
                            .SetParent<WireFormat>()
                            .SetGroupName("RdmaNic")
                            .AddConstructor<IbtaFormat>();
    return tid;
}

HeaderList
IbtaFormat::GetHeaders(uint8_t code) const
{
    return OpcodeTable::GetHeaders(code);
}

TypeId
IrnFormat::GetTypeId()
{
    static TypeId tid = TypeId("ns3::rdma::IrnFormat")
                            .SetParent<WireFormat>()
                            .SetGroupName("RdmaNic")
                            .AddConstructor<IrnFormat>();
    return tid;
}

HeaderList
IrnFormat::GetHeaders(uint8_t code) const
{
    HeaderList headers = OpcodeTable::GetHeaders(code);
    const OpcodeInfo& info = opcode::Get(code);
    if (info.service != Service::RC)
    {
        return headers;
    }
    if (info.kind == OpcodeKind::WRITE && !info.isFirst)
    {
        headers.insert(headers.begin(), HeaderKind::RETH);
    }
    if (code == opcode::ACK || code == opcode::READ_ACK)
    {
        headers.push_back(HeaderKind::IRN_SACK);
    }
    return headers;
}

TypeId
SrnicFormat::GetTypeId()
{
    static TypeId tid = TypeId("ns3::rdma::SrnicFormat")
                            .SetParent<WireFormat>()
                            .SetGroupName("RdmaNic")
                            .AddConstructor<SrnicFormat>();
    return tid;
}

bool
SrnicFormat::HasPsnOffset() const
{
    return true;
}

HeaderList
SrnicFormat::GetHeaders(uint8_t code) const
{
    HeaderList headers = OpcodeTable::GetHeaders(code);
    const OpcodeInfo& info = opcode::Get(code);
    if (info.service != Service::RC)
    {
        return headers;
    }
    if (info.kind == OpcodeKind::WRITE)
    {
        if (info.isFirst)
        {
            headers.erase(headers.begin()); // The RETH.
        }
        headers.insert(headers.begin(), HeaderKind::SRNIC_WRITE);
    }
    else if (info.kind == OpcodeKind::SEND || info.kind == OpcodeKind::READ_REQUEST ||
             info.kind == OpcodeKind::READ_RESPONSE)
    {
        headers.push_back(HeaderKind::SRNIC_META);
    }
    else if (code == opcode::ACK || code == opcode::READ_ACK)
    {
        headers.push_back(HeaderKind::SRNIC_ECHO);
    }
    return headers;
}

} // namespace ns3::rdma
