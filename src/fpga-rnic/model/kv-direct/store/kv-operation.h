// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_KV_OPERATION_H
#define FPGA_KV_OPERATION_H

#include "ns3/byte-view.h"
#include "ns3/kv-access.h"

#include <cstdint>
#include <string>

namespace ns3::rdma
{

/// The operations of clients (KV-Direct Table 1).
enum class KvOpcode : uint8_t
{
    GET,
    PUT,
    DELETE,
    UPDATE_SCALAR,           ///< Scalar to scalar: the value is one element.
    UPDATE_VECTOR,           ///< Scalar to vector: each element with the same operand.
    UPDATE_VECTOR_BY_VECTOR, ///< Vector to vector: each element with its own operand.
    REDUCE,                  ///< Vector to scalar; the operand is the initial value.
    FILTER,                  ///< The elements for which the function holds.
    COUNT
};

/// @return whether an operation has an operand: the value of a PUT, or the second argument of a
/// function.
bool HasKvOperand(KvOpcode opcode);

/// @return whether an operation names a function.
bool HasKvFunction(KvOpcode opcode);

/// @return whether an operation may change the store.
bool IsKvWrite(KvOpcode opcode);

/// An operation; it does not own key and operand.
struct KvOperation
{
    static constexpr std::size_t MAX_KEY_BYTES{255};       ///< Its length is one byte.
    static constexpr std::size_t MAX_OPERAND_BYTES{65535}; ///< Its length is two.

    KvOpcode opcode{KvOpcode::GET};
    uint8_t function{0};         ///< Number of a registered one, if the opcode has one.
    bool isWithoutReturn{false}; ///< The answer to an update is its status alone.
    ByteView key;
    ByteView operand;
};

/// An answer; it does not own the value.
struct KvAnswer
{
    KvStatus status{KvStatus::OK};
    ByteView value;
};

} // namespace ns3::rdma

#endif // FPGA_KV_OPERATION_H
