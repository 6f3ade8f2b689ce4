// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kv-plan.h"

#include "ns3/kv-batch-table.h"
#include "ns3/object-factory.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::rdma
{

uint32_t
KvPlan::GetBatchBytes() const
{
    constexpr uint32_t HEAD_BYTES{5}; // Opcode, function, two sizes.
    const bool hasPuts = workload.putShare > 0 || workload.insertShare > 0;
    const uint32_t operand = std::max(hasPuts ? workload.valueBytes : 0,
                                      workload.modifyShare > 0 ? workload.operandBytes : 0);
    return kvbatch::HEADER_BYTES + batch * (HEAD_BYTES + workload.keyBytes + operand);
}

uint32_t
KvPlan::GetAnswerBytes() const
{
    return KvBatchTable::GetMinAnswerBytes(batch) + batch * workload.valueBytes;
}

Ptr<KvFunction>
KvPlan::MakeFunction() const
{
    if (function.empty())
    {
        return CreateObjectWithAttributes<KvAdd>("ElementBytes", UintegerValue(1));
    }
    return ObjectFactory(function).Create<KvFunction>();
}

KvStoreSettings
KvPlan::MakeStoreSettings(uint32_t nic) const
{
    // Away from what else a workload registers; more than the largest store and its stacks.
    constexpr uint64_t BASE{uint64_t{1} << 44};
    constexpr uint64_t STRIDE{uint64_t{1} << 38};
    KvStoreSettings settings;
    settings.base = area + BASE + nic * STRIDE;
    settings.memoryBytes = memoryBytes;
    SuitStore(settings, GetFilling());
    return settings;
}

} // namespace ns3::rdma
