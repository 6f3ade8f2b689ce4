// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_WIDE_INTEGER_H
#define RDMA_WIDE_INTEGER_H

namespace ns3::rdma
{

// For exact products of 64-bit numbers. ISO C++ has no such type: without __extension__, -Wpedantic
// warns, which is an error in ns-3's debug profile from ns-3 3.42 on.
__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 Uint128;

} // namespace ns3::rdma

#endif // RDMA_WIDE_INTEGER_H
