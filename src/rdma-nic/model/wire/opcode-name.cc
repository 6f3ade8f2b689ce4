// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/opcode-name.h"

#include "ns3/opcode.h"

#include <array>
#include <cstdio>

namespace ns3::rdma
{

namespace
{
/// By operation, from SEND_FIRST to FETCH_ADD.
constexpr std::array<const char*, opcode::FETCH_ADD + 1> OPERATIONS{
    "SEND First",
    "SEND Middle",
    "SEND Last",
    "SEND Last with Immediate",
    "SEND Only",
    "SEND Only with Immediate",
    "RDMA WRITE First",
    "RDMA WRITE Middle",
    "RDMA WRITE Last",
    "RDMA WRITE Last with Immediate",
    "RDMA WRITE Only",
    "RDMA WRITE Only with Immediate",
    "RDMA READ Request",
    "RDMA READ response First",
    "RDMA READ response Middle",
    "RDMA READ response Last",
    "RDMA READ response Only",
    "Acknowledge",
    "ATOMIC Acknowledge",
    "CmpSwap",
    "FetchAdd",
};

/// By operation, from STROM_RPC_PARAMS.
constexpr std::array<const char*, 5> STROM{
    "RPC Params",
    "RPC WRITE First",
    "RPC WRITE Middle",
    "RPC WRITE Last",
    "RPC WRITE Only",
};

/// @return null if the service has no such operation. @param code of RC, UC or UD
const char*
FindOperation(Service service, uint8_t operation)
{
    if (service == Service::RC && operation == opcode::READ_ACK)
    {
        return "READ Acknowledge";
    }
    if (service == Service::RC && operation >= opcode::STROM_RPC_PARAMS &&
        operation <= opcode::STROM_WRITE_ONLY)
    {
        return STROM[operation - opcode::STROM_RPC_PARAMS];
    }
    const bool isKnown = service == Service::RC ? operation <= opcode::FETCH_ADD
                         : service == Service::UC
                             ? operation <= opcode::WRITE_ONLY_IMM
                             : operation == opcode::SEND_ONLY || operation == opcode::SEND_ONLY_IMM;
    return isKnown ? OPERATIONS[operation] : nullptr;
}
} // namespace

std::string
GetOpcodeName(uint8_t code)
{
    if (code == opcode::CNP)
    {
        return "CNP";
    }
    for (const auto& [service, prefix] :
         {std::pair{Service::RC, "RC "}, {Service::UC, "UC "}, {Service::UD, "UD "}})
    {
        const char* const operation = service == opcode::GetService(code)
                                          ? FindOperation(service, opcode::GetOperation(code))
                                          : nullptr;
        if (operation)
        {
            return std::string(prefix) + operation;
        }
    }
    std::array<char, 16> text{};
    std::snprintf(text.data(), text.size(), "opcode 0x%02x", code);
    return text.data();
}

} // namespace ns3::rdma
