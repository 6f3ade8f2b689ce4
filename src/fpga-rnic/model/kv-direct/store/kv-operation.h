// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_KV_OPERATION_H
#define FPGA_KV_OPERATION_H

#include "ns3/byte-view.h"
#include "ns3/kv-access.h"

#include <cstdint>
#include <string>

namespace ns3::rdma
{

/// What a client may ask for (KV-Direct Table 1).
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

/// @return whether an operation has an operand: what a PUT stores, or a function's second argument.
bool HasKvOperand(KvOpcode opcode);

/// @return whether an operation names a function.
bool HasKvFunction(KvOpcode opcode);

/// @return whether an operation may change what is stored.
bool IsKvWrite(KvOpcode opcode);

/// One operation; key and operand belong to another owner.
struct KvOperation
{
    static constexpr std::size_t MAX_KEY_BYTES{255};       ///< Its length is one byte.
    static constexpr std::size_t MAX_OPERAND_BYTES{65535}; ///< Its length is two.

    KvOpcode opcode{KvOpcode::GET};
    uint8_t function{0};         ///< Number of a registered one, if the opcode has one.
    bool isWithoutReturn{false}; ///< An update answers with its status alone.
    ByteView key;
    ByteView operand;
};

/// What has come of one; the value belongs to another owner.
struct KvAnswer
{
    KvStatus status{KvStatus::OK};
    ByteView value;
};

} // namespace ns3::rdma

#endif // FPGA_KV_OPERATION_H
