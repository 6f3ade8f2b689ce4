// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/extension-headers.h"

#include "ns3/aeth-header.h"
#include "ns3/atomic-ack-eth-header.h"
#include "ns3/atomic-eth-header.h"
#include "ns3/cnp-header.h"
#include "ns3/deth-header.h"
#include "ns3/imm-dt-header.h"
#include "ns3/irn-sack-header.h"
#include "ns3/opcode.h"
#include "ns3/reth-header.h"
#include "ns3/srnic-headers.h"

namespace ns3::rdma
{

namespace
{
/// Which fields of a frame and its detail each header stands for: Fill() there, Take() back.
void
Fill(RethHeader& header, const Frame& frame, const FrameDetail& detail)
{
    header.virtualAddress = frame.remoteAddress;
    header.remoteKey = detail.remoteKey;
    header.dmaLength = frame.messageBytes;
}

void
Take(const RethHeader& header, Frame& frame, FrameDetail& detail)
{
    frame.remoteAddress = header.virtualAddress;
    detail.remoteKey = header.remoteKey;
    frame.messageBytes = header.dmaLength;
}

void
Fill(ImmDtHeader& header, const Frame&, const FrameDetail& detail)
{
    header.immediate = detail.immediate;
}

void
Take(const ImmDtHeader& header, Frame&, FrameDetail& detail)
{
    detail.immediate = header.immediate;
}

void
Fill(AethHeader& header, const Frame& frame, const FrameDetail&)
{
    header.syndrome = frame.syndrome;
    header.msn = frame.ack.msn;
}

void
Take(const AethHeader& header, Frame& frame, FrameDetail&)
{
    frame.syndrome = header.syndrome;
    frame.ack.msn = header.msn;
}

void
Fill(AtomicEthHeader& header, const Frame& frame, const FrameDetail& detail)
{
    header.virtualAddress = frame.remoteAddress;
    header.remoteKey = detail.remoteKey;
    header.swapAdd = detail.swapAdd;
    header.compare = detail.compare;
}

void
Take(const AtomicEthHeader& header, Frame& frame, FrameDetail& detail)
{
    frame.remoteAddress = header.virtualAddress;
    detail.remoteKey = header.remoteKey;
    detail.swapAdd = header.swapAdd;
    detail.compare = header.compare;
}

void
Fill(AtomicAckEthHeader& header, const Frame&, const FrameDetail& detail)
{
    header.original = detail.swapAdd;
}

void
Take(const AtomicAckEthHeader& header, Frame&, FrameDetail& detail)
{
    detail.swapAdd = header.original;
}

void
Fill(DethHeader& header, const Frame& frame, const FrameDetail& detail)
{
    header.queueKey = detail.queueKey;
    header.sourceQp = frame.srcQp;
}

void
Take(const DethHeader& header, Frame& frame, FrameDetail& detail)
{
    detail.queueKey = header.queueKey;
    frame.srcQp = header.sourceQp;
}

void
Fill(CnpHeader&, const Frame&, const FrameDetail&)
{
}

void
Take(const CnpHeader&, Frame&, FrameDetail&)
{
}

/// For both headers that say which packet an acknowledgment answers.
template <typename SelectiveHeader>
void
FillSelective(SelectiveHeader& header, const Frame& frame)
{
    header.isValid = (frame.flags & frame_flag::SELECTIVE) != 0;
    header.psn = header.isValid ? frame.ack.selectivePsn : 0;
}

template <typename SelectiveHeader>
void
TakeSelective(const SelectiveHeader& header, Frame& frame)
{
    frame.flags &= static_cast<uint8_t>(~frame_flag::SELECTIVE);
    if (header.isValid)
    {
        frame.flags |= frame_flag::SELECTIVE;
        frame.ack.selectivePsn = header.psn;
    }
}

void
Fill(IrnSackHeader& header, const Frame& frame, const FrameDetail&)
{
    FillSelective(header, frame);
}

void
Take(const IrnSackHeader& header, Frame& frame, FrameDetail&)
{
    TakeSelective(header, frame);
}

void
Fill(SrnicMetaHeader& header, const Frame& frame, const FrameDetail&)
{
    header.ssn = frame.ssn;
    // A READ request is one packet, and its RETH has the place of the offset in the frame.
    header.psnOffset = frame.opcode == opcode::READ_REQUEST ? 0 : frame.psnOffset;
}

void
Take(const SrnicMetaHeader& header, Frame& frame, FrameDetail&)
{
    frame.ssn = header.ssn;
    if (frame.opcode != opcode::READ_REQUEST)
    {
        frame.psnOffset = header.psnOffset;
    }
}

void
Fill(SrnicWriteHeader& header, const Frame& frame, const FrameDetail& detail)
{
    header.virtualAddress = frame.remoteAddress;
    header.remoteKey = detail.remoteKey;
    header.ssn = frame.ssn;
    header.psnOffset = frame.psnOffset;
}

void
Take(const SrnicWriteHeader& header, Frame& frame, FrameDetail& detail)
{
    frame.remoteAddress = header.virtualAddress;
    detail.remoteKey = header.remoteKey;
    frame.ssn = header.ssn;
    frame.psnOffset = header.psnOffset;
}

void
Fill(SrnicEchoHeader& header, const Frame& frame, const FrameDetail&)
{
    header.isValid = (frame.flags & frame_flag::SELECTIVE) != 0;
    header.psn = frame.ack.selectivePsn; // Of each acknowledgment: the packet that it answers.
    header.psnOffset = frame.psnOffset;
}

void
Take(const SrnicEchoHeader& header, Frame& frame, FrameDetail&)
{
    TakeSelective(header, frame);
    frame.ack.selectivePsn = header.psn;
    frame.psnOffset = header.psnOffset;
}

/// Calls the action with an empty header of a kind.
template <typename Action>
void
WithHeader(HeaderKind kind, const Action& action)
{
    switch (kind)
    {
    case HeaderKind::RETH:
        return action(RethHeader());
    case HeaderKind::IMM_DT:
        return action(ImmDtHeader());
    case HeaderKind::AETH:
        return action(AethHeader());
    case HeaderKind::ATOMIC_ETH:
        return action(AtomicEthHeader());
    case HeaderKind::ATOMIC_ACK_ETH:
        return action(AtomicAckEthHeader());
    case HeaderKind::DETH:
        return action(DethHeader());
    case HeaderKind::CNP_RESERVED:
        return action(CnpHeader());
    case HeaderKind::IRN_SACK:
        return action(IrnSackHeader());
    case HeaderKind::SRNIC_META:
        return action(SrnicMetaHeader());
    case HeaderKind::SRNIC_WRITE:
        return action(SrnicWriteHeader());
    case HeaderKind::SRNIC_ECHO:
        return action(SrnicEchoHeader());
    }
}
} // namespace

void
WriteExtensionHeader(HeaderKind kind,
                     Buffer::Iterator start,
                     const Frame& frame,
                     const FrameDetail& detail)
{
    WithHeader(kind, [&](auto header) {
        Fill(header, frame, detail);
        header.Serialize(start);
    });
}

void
ReadExtensionHeader(HeaderKind kind, Buffer::Iterator start, Frame& frame, FrameDetail& detail)
{
    WithHeader(kind, [&](auto header) {
        header.Deserialize(start);
        Take(header, frame, detail);
    });
}

} // namespace ns3::rdma
