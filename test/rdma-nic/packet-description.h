// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PACKET_DESCRIPTION_H
#define RDMA_PACKET_DESCRIPTION_H

#include "ns3/frame.h"
#include "ns3/opcode-table.h"
#include "ns3/wire-format.h"

#include <ostream>

namespace ns3::rdma
{

/// Writes a line: what a dissector has to find in a packet, "name value" separated by tabs. Headers
/// of single designs are left out: no dissector knows them.
inline void
DescribePacket(std::ostream& os,
               const Frame& frame,
               const FrameDetail& detail,
               const HeaderList& headers)
{
    os << "opcode " << int{frame.opcode} << "\tname " << OpcodeTable::GetName(frame.opcode)
       << "\tpsn " << frame.psn << "\tdestqp " << frame.dstQp << "\tpadcnt "
       << (-frame.payloadBytes & 3) << "\ta " << ((frame.flags & frame_flag::ACK_REQUEST) != 0)
       << "\tse " << detail.isSolicited;
    for (const HeaderKind kind : headers)
    {
        switch (kind)
        {
        case HeaderKind::RETH:
            os << "\tva " << frame.remoteAddress << "\trkey " << detail.remoteKey << "\tdmalen "
               << frame.messageBytes;
            break;
        case HeaderKind::ATOMIC_ETH:
            os << "\tva " << frame.remoteAddress << "\trkey " << detail.remoteKey << "\tswap "
               << detail.swapAdd << "\tcompare " << detail.compare;
            break;
        case HeaderKind::AETH:
            os << "\tsyndrome " << int{frame.syndrome} << "\tmsn " << frame.ack.msn;
            break;
        case HeaderKind::ATOMIC_ACK_ETH:
            os << "\toriginal " << detail.swapAdd;
            break;
        case HeaderKind::IMM_DT:
            os << "\timmediate " << detail.immediate;
            break;
        case HeaderKind::DETH:
            os << "\tqkey " << detail.queueKey << "\tsrcqp " << frame.srcQp;
            break;
        default:
            break;
        }
    }
    os << "\n";
}

} // namespace ns3::rdma

#endif // RDMA_PACKET_DESCRIPTION_H
