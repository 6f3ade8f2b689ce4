// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/wire-format.h"

#include "ns3/opcode-table.h"
#include "ns3/opcode.h"
#include "ns3/register-type.h"
#include "ns3/type-attributes.h"

namespace ns3::rdma
{

RDMA_REGISTER_BASE(WireFormat, Object, "RdmaNic");
RDMA_REGISTER_CLASS(IbtaFormat, WireFormat, "RdmaNic");
RDMA_REGISTER_CLASS(IrnFormat, WireFormat, "RdmaNic");
RDMA_REGISTER_CLASS(SrnicFormat, WireFormat, "RdmaNic");
NS_OBJECT_ENSURE_REGISTERED(HpccFormat);

bool
WireFormat::HasPsnOffset() const
{
    return false;
}

uint32_t
WireFormat::GetFixedBytes(uint8_t) const
{
    return 0;
}

uint8_t
WireFormat::GetReportOpcode() const
{
    return opcode::ACK;
}

uint8_t
WireFormat::GetNackOpcode() const
{
    return opcode::ACK;
}

uint8_t
WireFormat::GetProbeOpcode() const
{
    return opcode::WRITE_ONLY;
}

const HeaderLayout*
WireFormat::GetBthExtension() const
{
    return nullptr;
}

void
WireFormat::ToBth(Frame&) const
{
}

void
WireFormat::FromBth(Frame&, uint32_t) const
{
}

HeaderList
IbtaFormat::GetHeaders(uint8_t code) const
{
    return OpcodeTable::GetHeaders(code);
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

TypeId
HpccFormat::GetTypeId()
{
    constexpr uint32_t MOST{1024}; // Well below the capacity of a frame.
    static TypeId tid =
        TypeAttributes::Of<HpccFormat, WireFormat>("ns3::rdma::HpccFormat", "RdmaNic")
            .Add("DataBytes",
                 Member(&HpccFormat::m_dataBytes, 48, 1, MOST),
                 "Headers of a packet with payload, bytes (48: HPCC's simulator and the SRNIC "
                 "authors' without INT)")
            .Add("AnswerBytes",
                 Member(&HpccFormat::m_answerBytes, 60, 1, MOST),
                 "Size of an acknowledgment, NAK or CNP, bytes (60: as above)");
    return tid;
}

HeaderList
HpccFormat::GetHeaders(uint8_t code) const
{
    return OpcodeTable::GetHeaders(code);
}

uint32_t
HpccFormat::GetFixedBytes(uint8_t code) const
{
    switch (opcode::GetKind(code))
    {
    case OpcodeKind::SEND:
    case OpcodeKind::WRITE:
    case OpcodeKind::READ_RESPONSE:
        return m_dataBytes;
    case OpcodeKind::ACK:
    case OpcodeKind::READ_ACK:
    case OpcodeKind::CNP:
        return m_answerBytes;
    default:
        return 0;
    }
}

} // namespace ns3::rdma
