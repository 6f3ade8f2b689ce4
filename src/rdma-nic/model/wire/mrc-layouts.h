// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_MRC_LAYOUTS_H
#define RDMA_MRC_LAYOUTS_H

#include "ns3/header-fields.h"

namespace ns3::rdma
{

/// Opcodes of MRC on the wire, beside those of WRITE (MRC 1.0, section 7).
namespace mrc_opcode
{
constexpr uint8_t PREFIX{0xc0}; ///< The service bits of an opcode: 0b110.
constexpr uint8_t ACK{0xd1};
constexpr uint8_t ENDPOINT_REQUEST{0xd8};
constexpr uint8_t ENDPOINT_RESPONSE{0xd9};
constexpr uint8_t SACK{0xdc};
constexpr uint8_t NACK{0xdd};
constexpr uint8_t PROBE{0xde};
} // namespace mrc_opcode

/// Reasons of a NACK. MRC's numbers are not public: these are Ultra Ethernet's, from which MRC
/// takes the names (UE 1.0.3, PDS NACK codes).
namespace mrc_reason
{
constexpr uint8_t TRIMMED{0x01};
constexpr uint8_t TRIMMED_LAST_HOP{0x02};
} // namespace mrc_reason

/// @param kind a header of MRC: METH and following
const HeaderLayout& GetMrcLayout(HeaderKind kind);

/// @return the fields that MRC adds to the BTH: "rtx", the packet or the answered packet was sent
/// before.
const HeaderLayout& GetMrcBthLayout();

} // namespace ns3::rdma

#endif // RDMA_MRC_LAYOUTS_H
