// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/wire-format.h"

#include "ns3/opcode.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(WireFormat);
NS_OBJECT_ENSURE_REGISTERED(IbtaFormat);
NS_OBJECT_ENSURE_REGISTERED(IrnFormat);
NS_OBJECT_ENSURE_REGISTERED(SrnicFormat);

namespace
{
/// What the specification has behind the BTH (IBTA Vol. 1, Table 38).
HeaderList
GetIbtaHeaders(uint8_t code)
{
    HeaderList headers;
    if (code == opcode::CNP)
    {
        headers.push_back(HeaderKind::CNP_RESERVED);
        return headers;
    }
    const uint8_t operation = opcode::GetOperation(code);
    if (opcode::GetService(code) == Service::UD)
    {
        headers.push_back(HeaderKind::DETH);
    }
    if (operation == opcode::READ_REQUEST || opcode::IsStromRpcWithReth(code) ||
        (opcode::IsWrite(operation) && opcode::IsFirst(operation)))
    {
        headers.push_back(HeaderKind::RETH);
    }
    if (opcode::IsAtomic(operation))
    {
        headers.push_back(HeaderKind::ATOMIC_ETH);
    }
    const bool isAnswer =
        operation == opcode::ACK || operation == opcode::ATOMIC_ACK ||
        operation == opcode::READ_ACK ||
        (opcode::IsReadResponse(operation) && operation != opcode::READ_RESPONSE_MIDDLE);
    if (isAnswer)
    {
        headers.push_back(HeaderKind::AETH);
    }
    if (operation == opcode::ATOMIC_ACK)
    {
        headers.push_back(HeaderKind::ATOMIC_ACK_ETH);
    }
    if (opcode::HasImmediate(operation))
    {
        headers.push_back(HeaderKind::IMM_DT);
    }
    return headers;
}
} // namespace

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
    return GetIbtaHeaders(code);
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
    HeaderList headers = GetIbtaHeaders(code);
    if (opcode::GetService(code) != Service::RC)
    {
        return headers;
    }
    if (opcode::IsWrite(code) && !opcode::IsFirst(code))
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
    HeaderList headers = GetIbtaHeaders(code);
    if (opcode::GetService(code) != Service::RC)
    {
        return headers;
    }
    if (opcode::IsWrite(code))
    {
        if (opcode::IsFirst(code))
        {
            headers.erase(headers.begin()); // The RETH.
        }
        headers.insert(headers.begin(), HeaderKind::SRNIC_WRITE);
    }
    else if (opcode::IsSend(code) || code == opcode::READ_REQUEST || opcode::IsReadResponse(code))
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
