// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_KV_OPERATION_UNIT_H
#define FPGA_KV_OPERATION_UNIT_H

#include "ns3/kv-function.h"
#include "ns3/kv-operation.h"

#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/// The effect of an operation on the value of its key.
enum class KvEffect : uint8_t
{
    NONE,
    STORE,
    REMOVE,
};

/**
 * @ingroup fpga-kv-direct
 * @brief Executes operations on values from memory or from the reservation station (KV-Direct
 * sections 3.2 and 3.3.3).
 *
 * The answer to an update is the old value; without return it is the status alone.
 */
class KvOperationUnit
{
  public:
    /// @param functions outlive this
    explicit KvOperationUnit(const KvFunctionTable& functions)
        : m_functions(functions)
    {
    }

    /// @param isFound whether the key has a value
    /// @param value of the key
    /// @param stored replaced by the new value if the effect is STORE; may be value's owner
    /// @param answer replaced by the value for the caller
    KvEffect Apply(const KvOperation& operation,
                   bool isFound,
                   ByteView value,
                   std::vector<uint8_t>& stored,
                   std::vector<uint8_t>& answer,
                   KvStatus& status) const;

  private:
    KvEffect Update(const KvOperation& operation,
                    const KvFunction& function,
                    std::vector<uint8_t>& stored,
                    std::vector<uint8_t>& answer,
                    KvStatus& status) const;
    static KvStatus Reduce(const KvOperation& operation,
                           const KvFunction& function,
                           ByteView value,
                           std::vector<uint8_t>& answer);
    static KvStatus Filter(const KvFunction& function,
                           ByteView value,
                           std::vector<uint8_t>& answer);

    const KvFunctionTable& m_functions;
};

/**
 * @ingroup fpga-kv-direct
 * @brief Executes one operation on a store's value of its key.
 */
class KvOperationVisitor : public KvVisitor
{
  public:
    /// All arguments outlive this.
    /// @param stored the bytes to store
    /// @param answer the value for the caller
    KvOperationVisitor(const KvOperationUnit& unit,
                       const KvOperation& operation,
                       std::vector<uint8_t>& stored,
                       std::vector<uint8_t>& answer)
        : m_unit(unit),
          m_operation(operation),
          m_stored(stored),
          m_answer(answer)
    {
    }

    KvChange OnValue(bool found, ByteView value) override;

    /// @param visited result of the store's Visit()
    /// @return the status of the operation.
    KvStatus GetStatus(KvStatus visited);

  private:
    const KvOperationUnit& m_unit;
    const KvOperation& m_operation;
    std::vector<uint8_t>& m_stored;
    std::vector<uint8_t>& m_answer;
    KvStatus m_status{KvStatus::OK};
};

} // namespace ns3::rdma

#endif // FPGA_KV_OPERATION_UNIT_H
