// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/read-get.h"

#include "ns3/software-costs.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

ReadGet::ReadGet(FabricEngine& engine, const RpcPlan& plan, uint32_t slots, Handler handler)
    : RpcMethod(engine, plan, slots, std::move(handler)),
      m_engine(engine),
      m_miss(plan.costs.Create<SoftwareCosts>()->GetMisses(1)),
      m_target(engine.Register(this)),
      m_states(slots)
{
}

ReadGet::~ReadGet()
{
    m_engine.Unregister(m_target);
}

bool
ReadGet::Look(uint32_t slot, const RpcConnection& connection, uint64_t key, uint32_t probe)
{
    m_states[slot] = {&connection, key, 0};
    return Read(slot, connection.store->GetIndex().GetEntryAddress(key, probe), GetEntry::BYTES);
}

bool
ReadGet::Read(uint32_t slot, uint64_t address, uint32_t bytes)
{
    const RpcConnection& connection = *m_states[slot].connection;
    SendWorkRequest request;
    request.wrId = slot;
    request.opcode = WrOpcode::RDMA_READ;
    request.sgList = {{GetSlot(slot), bytes, GetRegion().localKey}};
    request.remoteAddress = address;
    request.remoteKey = connection.store->GetRegion().remoteKey;
    return connection.nic->PostSend(connection.queuePair, request) == PostResult::OK;
}

void
ReadGet::OnCompletion(const WorkCompletion& completion)
{
    const auto slot = static_cast<uint32_t>(completion.wrId);
    if (completion.status != WcStatus::SUCCESS)
    {
        End(slot, {RpcLook::Result::FAILED, {}});
        return;
    }
    m_engine.Schedule(m_engine.Now() + m_miss, FabricEngine::MakeOwner(m_target, 0), slot);
}

void
ReadGet::HandleEvent(uint32_t, uint32_t slot)
{
    if (m_states[slot].valueBytes == 0)
    {
        OnEntry(slot);
    }
    else
    {
        End(slot, {RpcLook::Result::FOUND, ReadMemory(GetSlot(slot), m_states[slot].valueBytes)});
    }
}

void
ReadGet::OnEntry(uint32_t slot)
{
    State& state = m_states[slot];
    const std::vector<uint8_t> bytes = ReadMemory(GetSlot(slot), GetEntry::BYTES);
    const GetEntry entry = GetEntry::Decode(ByteView(bytes));
    if (const GetBucket* bucket = GetTable::Find(entry, state.key))
    {
        state.valueBytes = bucket->valueLen;
        if (!Read(slot, bucket->valuePtr, bucket->valueLen))
        {
            End(slot, {RpcLook::Result::FAILED, {}});
        }
        return;
    }
    const bool isFull = std::all_of(std::begin(entry.buckets),
                                    std::end(entry.buckets),
                                    [](const GetBucket& bucket) { return bucket.valueLen > 0; });
    End(slot, {isFull ? RpcLook::Result::NOT_HERE : RpcLook::Result::ABSENT, {}});
}

} // namespace ns3::rdma
