// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_KV_OPERATION_UNIT_H
#define FPGA_KV_OPERATION_UNIT_H

#include "ns3/kv-function.h"
#include "ns3/kv-operation.h"

#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/// What an operation does with the value of its key.
enum class KvEffect : uint8_t
{
    NONE,
    STORE,
    REMOVE,
};

/**
 * @ingroup fpga-kv-direct
 * @brief Carries out operations on values: the same for those that come from memory and those that
 * the reservation station forwards (KV-Direct sections 3.2 and 3.3.3).
 *
 * An update answers with the value as it was; one without return with its status alone.
 */
class KvOperationUnit
{
  public:
    /// @param functions outlive this
    explicit KvOperationUnit(const KvFunctionTable& functions)
        : m_functions(functions)
    {
    }

    /// @param isFound whether the key has a value; @param value of the key
    /// @param stored is replaced by the new value if the effect is STORE; may be value's owner
    /// @param answer is replaced by what the caller gets
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

} // namespace ns3::rdma

#endif // FPGA_KV_OPERATION_UNIT_H
