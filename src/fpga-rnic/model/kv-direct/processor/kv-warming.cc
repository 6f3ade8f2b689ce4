// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kv-warming.h"

namespace ns3::rdma
{

namespace
{

/// Accesses of an operation; its value stays as it is.
class Touch : public KvVisitor
{
  public:
    explicit Touch(const KvOperation& operation)
        : m_operation(operation)
    {
    }

    KvChange OnValue(bool, ByteView value) override
    {
        const bool isWrite = IsKvWrite(m_operation.opcode);
        return {isWrite ? KvChange::Kind::STORE : KvChange::Kind::KEEP, value};
    }

  private:
    const KvOperation& m_operation;
};

} // namespace

void
WarmKvMemory(KvMemoryEngine& memory,
             KvTable& store,
             const KvOperation& operation,
             KvAccesses& accesses)
{
    Touch touch(operation);
    accesses.clear();
    store.Visit(operation.key, touch, accesses);
    for (const KvAccess& access : accesses)
    {
        memory.Warm(access.address, access.bytes, access.isWrite);
    }
}

} // namespace ns3::rdma
