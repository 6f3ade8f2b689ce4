// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/crc64.h"

#include <boost/crc.hpp>

namespace ns3::rdma
{

uint64_t
ComputeCrc64(ByteView bytes)
{
    boost::crc_optimal<64, 0xad93d23594c935a9, 0, 0, true, true> crc;
    crc.process_bytes(bytes.GetData(), bytes.GetSize());
    return crc.checksum();
}

} // namespace ns3::rdma
