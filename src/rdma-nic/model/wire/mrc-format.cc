// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/mrc-format.h"

#include "ns3/mrc-layouts.h"
#include "ns3/opcode-table.h"
#include "ns3/opcode.h"
#include "ns3/register-type.h"

namespace ns3::rdma
{

RDMA_REGISTER_CLASS(MrcFormat, WireFormat, "RdmaNic");

namespace
{
constexpr uint8_t SERVICE_BITS{0xe0};

bool
IsMrc(uint8_t code)
{
    return (code & SERVICE_BITS) == mrc_opcode::PREFIX;
}

/// @return the opcode of a reliable connection for an opcode of MRC; others stay.
uint8_t
ToReliable(uint8_t code)
{
    return IsMrc(code) ? static_cast<uint8_t>(code & ~SERVICE_BITS) : code;
}
} // namespace

HeaderList
MrcFormat::GetHeaders(uint8_t code) const
{
    switch (code)
    {
    case mrc_opcode::SACK:
        return {HeaderKind::SETH, HeaderKind::CC_STATE};
    case mrc_opcode::NACK:
        return {HeaderKind::NETH};
    case mrc_opcode::PROBE:
        return {HeaderKind::PETH};
    case mrc_opcode::ENDPOINT_REQUEST:
        return {HeaderKind::ERTH};
    case mrc_opcode::ENDPOINT_RESPONSE:
        return {HeaderKind::EETH};
    case mrc_opcode::ACK:
        return {HeaderKind::AETH};
    default:
        break;
    }
    const uint8_t reliable = ToReliable(code);
    const OpcodeInfo& info = opcode::Get(reliable);
    const bool isWrite = info.service == Service::RC && info.kind == OpcodeKind::WRITE;
    if (!isWrite)
    {
        return IsMrc(code) ? HeaderList{} : OpcodeTable::GetHeaders(code);
    }
    HeaderList headers{HeaderKind::METH, HeaderKind::RETH};
    if (info.hasImmediate)
    {
        headers.push_back(HeaderKind::IMM_DT);
    }
    return headers;
}

uint8_t
MrcFormat::GetReportOpcode() const
{
    return mrc_opcode::SACK;
}

uint8_t
MrcFormat::GetNackOpcode() const
{
    return mrc_opcode::NACK;
}

uint8_t
MrcFormat::GetProbeOpcode() const
{
    return mrc_opcode::PROBE;
}

const HeaderLayout*
MrcFormat::GetBthExtension() const
{
    return &GetMrcBthLayout();
}

void
MrcFormat::ToBth(Frame& frame) const
{
    if (frame.GetKind() == FrameKind::PROBE && frame.opcode == opcode::WRITE_ONLY)
    {
        frame.opcode = mrc_opcode::PROBE;
        return;
    }
    if (opcode::GetService(frame.opcode) == Service::RC &&
        opcode::GetKind(frame.opcode) == OpcodeKind::WRITE)
    {
        frame.opcode |= mrc_opcode::PREFIX;
    }
    if (frame.opcode != opcode::ACK)
    {
        return;
    }
    const bool isReport = frame.IsReport();
    const bool isNack = isReport && (frame.flags & frame_flag::TRIMMED);
    if (isReport)
    {
        frame.flags = ChangeFlags(frame.flags, frame_flag::CE_ECHO, false); // In the SETH.
    }
    frame.psn = isNack ? frame.ack.selectivePsn : uint32_t{frame.psn};
    frame.opcode = isNack ? mrc_opcode::NACK : isReport ? mrc_opcode::SACK : mrc_opcode::ACK;
}

void
MrcFormat::FromBth(Frame& frame, uint32_t knownPsn) const
{
    const uint8_t code = frame.opcode;
    if (code == mrc_opcode::PROBE)
    {
        frame.opcode = opcode::WRITE_ONLY;
        frame.flags = ChangeKind(frame.flags, FrameKind::PROBE);
        return;
    }
    const bool isNack = code == mrc_opcode::NACK;
    const bool isReport = isNack || code == mrc_opcode::SACK;
    const bool isWrite = IsMrc(code) && opcode::GetKind(ToReliable(code)) == OpcodeKind::WRITE;
    if (isWrite || code == mrc_opcode::ACK)
    {
        frame.opcode = ToReliable(code);
    }
    if (!isReport)
    {
        return;
    }
    frame.opcode = opcode::ACK;
    if (!frame.IsReport())
    {
        frame.flags = ChangeKind(frame.flags, FrameKind::REPORT); // Else the SETH has set it.
    }
    frame.syndrome = isNack ? syndrome::NAK_PSN_SEQUENCE : syndrome::ACK;
    frame.psn = isNack ? knownPsn : uint32_t{frame.psn};
}

} // namespace ns3::rdma
