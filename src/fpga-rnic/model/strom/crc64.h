// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_CRC64_H
#define FPGA_CRC64_H

#include "ns3/byte-view.h"

#include <cstdint>

namespace ns3::rdma
{

/// @return the CRC-64 of fpgasystems/davos (by Jones, as in Redis): polynomial 0xad93d23594c935a9,
/// reflected in and out, initial and final value 0. The check value for "123456789" is
/// 0xe9c6d914c4b8d9ca.
uint64_t ComputeCrc64(ByteView bytes);

} // namespace ns3::rdma

#endif // FPGA_CRC64_H
