// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_OPCODE_TABLE_H
#define RDMA_OPCODE_TABLE_H

#include "ns3/header-kind.h"
#include "ns3/opcode.h"

#include <string>
#include <vector>

namespace ns3::rdma
{

/// Place of a packet in its message.
enum class PacketPlace : uint8_t
{
    FIRST,
    MIDDLE,
    LAST,
    ONLY,
};

/// A packet kind of one transport service, as a module registers it.
struct OpcodeEntry
{
    uint8_t operation; ///< The lower five bits of the opcode.
    std::string name;  ///< As IBTA Vol. 1, Table 38 writes them, without the service.
    OpcodeKind kind;
    PacketPlace place;
    /// Behind the BTH, in IBTA's format. With IMM_DT the packet has immediate data.
    std::vector<HeaderKind> headers;
};

/**
 * @ingroup rdma-wire
 * @brief All BTH opcodes: IBTA's (Vol. 1, Table 38), the CNP of RoCE v2 (Annex A17), READ_ACK of
 * SRNIC and IRN, and opcodes that modules register.
 *
 * The packet path uses opcode::INFOS and opcode::PLACES instead.  Modules register their opcodes
 * when they are loaded; HeaderSizes of a NIC that exists already are not changed.
 */
class OpcodeTable
{
  public:
    /// @param entries first to last packets of a message, or single ones; throws
    /// std::invalid_argument if an opcode is taken
    static void Register(Service service, const std::vector<OpcodeEntry>& entries);

    /// @return service and operation ("RC SEND First"), "CNP"; "opcode 0x.." if the opcode is not
    /// registered.
    static std::string GetName(uint8_t code);

    /// @return headers behind the BTH in IBTA's format; none if the opcode is not registered.
    static const HeaderList& GetHeaders(uint8_t code);
};

} // namespace ns3::rdma

#endif // RDMA_OPCODE_TABLE_H
