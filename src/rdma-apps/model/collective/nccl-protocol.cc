// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/nccl-protocol.h"

#include <cstddef>

namespace ns3::rdma
{

namespace
{

/// Data and flags that are written together.
struct Line
{
    uint64_t dataBytes;
    uint64_t wireBytes;
};

/// By NcclProtocol; NCCL 2.30, src/include/device.h: ncclLLFifoLine and NCCL_LL128_LINESIZE.
constexpr Line LINES[]{{1, 1}, {8, 16}, {120, 128}};

} // namespace

const std::vector<std::string>&
GetNcclProtocolNames()
{
    static const std::vector<std::string> NAMES{"simple", "ll", "ll128"};
    return NAMES;
}

uint64_t
GetNcclWireBytes(NcclProtocol protocol, uint64_t bytes)
{
    const Line& line = LINES[static_cast<std::size_t>(protocol)];
    return (bytes + line.dataBytes - 1) / line.dataBytes * line.wireBytes;
}

} // namespace ns3::rdma
