// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_NCCL_PROTOCOL_H
#define RDMA_NCCL_PROTOCOL_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// How NCCL marks data as arrived: by a message of its own, or by flags between the data.
enum class NcclProtocol : uint8_t
{
    SIMPLE, ///< A notification after the data.
    LL,     ///< 8 bytes of data in each 16 bytes.
    LL128   ///< 120 bytes of data in each 128 bytes.
};

/// By NcclProtocol: "simple", "ll" and "ll128".
const std::vector<std::string>& GetNcclProtocolNames();

/// @return what data occupy on the wire: whole lines with their flags.
/// @param bytes of data
uint64_t GetNcclWireBytes(NcclProtocol protocol, uint64_t bytes);

} // namespace ns3::rdma

#endif // RDMA_NCCL_PROTOCOL_H
