// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_WORK_REQUEST_H
#define RDMA_WORK_REQUEST_H

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::rdma
{

/// Operation of a send work request; names as in libibverbs' ibv_wr_opcode, but for KERNEL.
enum class WrOpcode : uint8_t
{
    RDMA_WRITE,
    RDMA_WRITE_WITH_IMM,
    SEND,
    SEND_WITH_IMM,
    RDMA_READ,
    ATOMIC_CMP_AND_SWP,
    ATOMIC_FETCH_AND_ADD,
    KERNEL, ///< A module's operation (kernelOperation), which ends when it is acknowledged.
};

constexpr bool
IsAtomic(WrOpcode opcode)
{
    return opcode == WrOpcode::ATOMIC_CMP_AND_SWP || opcode == WrOpcode::ATOMIC_FETCH_AND_ADD;
}

/// @return whether the response carries data, so that the request completes with its response.
constexpr bool
HasResponse(WrOpcode opcode)
{
    return opcode == WrOpcode::RDMA_READ || IsAtomic(opcode);
}

constexpr bool
HasImmediate(WrOpcode opcode)
{
    return opcode == WrOpcode::RDMA_WRITE_WITH_IMM || opcode == WrOpcode::SEND_WITH_IMM;
}

/// @return whether the operation consumes a receive request at the other end.
constexpr bool
ConsumesReceive(WrOpcode opcode)
{
    return opcode == WrOpcode::SEND || HasImmediate(opcode);
}

/// A piece of local memory (ibv_sge).
struct Sge
{
    uint64_t address;
    uint32_t length;   ///< Bytes.
    uint32_t localKey; ///< Of the memory region; meaningless on a queue pair without a domain.
};

using SgeList = boost::container::small_vector<Sge, 1>;

/// @return the bytes of all pieces.
inline uint64_t
GetTotalBytes(const SgeList& list)
{
    uint64_t bytes = 0;
    for (const Sge& piece : list)
    {
        bytes += piece.length;
    }
    return bytes;
}

/// @return the address of a byte of a list; 0 beyond its end.
inline uint64_t
GetAddress(const SgeList& list, uint64_t offset)
{
    for (const Sge& piece : list)
    {
        if (offset < piece.length)
        {
            return piece.address + offset;
        }
        offset -= piece.length;
    }
    return 0;
}

/// Location of a request's payload.
enum class PayloadOrigin : uint8_t
{
    HOST, ///< In the host's memory: read over PCIe.
    CARD, ///< In the card's memory.
    CHIP, ///< In the NIC, produced by a kernel.
};

/// Destination of a datagram (ibv_ah).
struct AddressHandle
{
    uint32_t remoteEndpoint{0}; ///< Endpoint id.
    uint32_t entropy{0};        ///< Entropy of the path: represents the UDP source port.
};

/// One entry of a send queue (ibv_send_wr).
struct SendWorkRequest
{
    uint64_t wrId{0};
    WrOpcode opcode{WrOpcode::SEND};
    /// KERNEL: opcode of the first packet of a message of several packets. A module registers
    /// it with OpcodeTable as OpcodeKind::KERNEL.
    uint8_t kernelOperation{0};
    SgeList sgList;          ///< Atomics: one piece of 8 bytes.
    bool isSignaled{true};   ///< Whether success is reported by a completion; errors always are.
    bool isSolicited{false}; ///< Whether the other end's completion is a solicited event.
    bool isInline{false};    ///< Whether the bytes are copied when the request is posted.
    bool isFenced{false};    ///< Whether the request waits for earlier READs and atomics.
    PayloadOrigin origin{PayloadOrigin::HOST};
    /// CARD, CHIP: the payload, with the length of sgList; null: zeros. Addresses in sgList are
    /// ignored.
    std::shared_ptr<const std::vector<uint8_t>> bytes;
    uint32_t immediate{0};
    uint64_t remoteAddress{0};            ///< READ, WRITE, atomics; KERNEL: as in the RETH.
    uint32_t remoteKey{0};                ///< READ, WRITE, atomics; KERNEL: as in the RETH.
    uint64_t compareAdd{0};               ///< Atomics: compare or add operand.
    uint64_t swap{0};                     ///< Compare-and-swap: swap operand.
    AddressHandle destination;            ///< Datagrams.
    uint32_t remoteQp{0};                 ///< Datagrams; 24 bits.
    uint32_t remoteQueueKey{0};           ///< Datagrams.
    const SendWorkRequest* next{nullptr}; ///< Posted with this one.
};

/// One entry of a receive queue (ibv_recv_wr).
struct ReceiveWorkRequest
{
    uint64_t wrId{0};
    SgeList sgList;
    const ReceiveWorkRequest* next{nullptr}; ///< Posted with this one.
};

/// Result of posting; on an error this request and the requests linked behind it are not posted.
enum class PostResult : uint8_t
{
    OK,
    INVALID, ///< EINVAL: the service, the queue pair's state or a capability does not allow it.
    FULL,    ///< ENOMEM: the queue is full.
};

} // namespace ns3::rdma

#endif // RDMA_WORK_REQUEST_H
