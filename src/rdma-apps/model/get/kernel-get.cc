// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kernel-get.h"

#include "ns3/checked-kernel.h"
#include "ns3/kernel-parameters.h"
#include "ns3/kernel-reply.h"
#include "ns3/object-factory.h"
#include "ns3/strom-verbs.h"

#include <utility>

namespace ns3::rdma
{

KernelGet::KernelGet(FabricEngine& engine, const RpcPlan& plan, uint32_t slots, Handler handler)
    : RpcMethod(engine, plan, slots, std::move(handler)),
      m_plan(plan),
      m_encode(FindRpcMethod(plan.request).encode),
      m_code(CheckedKernel(*ObjectFactory(plan.kernel).Create<OffloadKernel>()).GetRpcCode()),
      m_isUnderWay(slots)
{
}

KernelGet::~KernelGet()
{
    for (const auto& [nic, watch] : m_watches)
    {
        watch->Stop();
    }
}

QueuePairInit
KernelGet::MakeEnd(Ptr<RdmaNic> nic)
{
    Ptr<ReplyWatch>& watch = m_watches[PeekPointer(nic)];
    if (!watch)
    {
        watch = Create<ReplyWatch>(nic, [this](uint32_t, uint64_t address) { OnReply(address); });
    }
    QueuePairInit init = RpcMethod::MakeEnd(nic);
    init.handlers = watch->GetHandlers();
    return init;
}

bool
KernelGet::Look(uint32_t slot, const RpcConnection& connection, uint64_t key, uint32_t probe)
{
    m_isUnderWay[slot] = true;
    GetMemory().Write64(GetSlot(slot), 0);
    const uint64_t entry = connection.store->GetIndex().GetEntryAddress(key, probe);
    return PostRpc(*connection.nic,
                   connection.queuePair,
                   slot,
                   m_code,
                   m_encode(m_plan, GetSlot(slot), entry, key),
                   GetRegion().remoteKey) == PostResult::OK;
}

void
KernelGet::OnCompletion(const WorkCompletion& completion)
{
    const auto slot = static_cast<uint32_t>(completion.wrId);
    // Success says that the server's NIC has the parameters, sooner or later than the answer comes.
    if (completion.status != WcStatus::SUCCESS && m_isUnderWay[slot])
    {
        m_isUnderWay[slot] = false;
        End(slot, {RpcLook::Result::FAILED, {}});
    }
}

void
KernelGet::OnReply(uint64_t address)
{
    const uint32_t slot = FindSlot(address);
    const uint64_t word = GetMemory().Read64(GetSlot(slot));
    if (address != GetSlot(slot) || word == 0 || !m_isUnderWay[slot])
    {
        return; // The value of an answer whose word comes behind it.
    }
    m_isUnderWay[slot] = false;
    switch (KernelReply::GetStatus(word))
    {
    case KernelStatus::OK:
        End(slot,
            {RpcLook::Result::FOUND,
             ReadMemory(address + KernelReply::WORD_BYTES, KernelReply::GetBytes(word))});
        return;
    case KernelStatus::NOT_FOUND:
        End(slot, {RpcLook::Result::NOT_HERE, {}});
        return;
    default:
        End(slot, {RpcLook::Result::REFUSED, {}});
    }
}

std::vector<uint8_t>
KernelGet::EncodeGet(const RpcPlan&, uint64_t target, uint64_t entry, uint64_t key)
{
    return GetParameters{target, entry, key}.Encode();
}

std::vector<uint8_t>
KernelGet::EncodeTraversal(const RpcPlan& plan, uint64_t target, uint64_t entry, uint64_t key)
{
    TraversalParameters parameters;
    parameters.target = target;
    parameters.remoteAddress = entry;
    parameters.key = key;
    parameters.valueSize = plan.valueBytes;
    parameters.keyMask = 1U | 1U << 5 | 1U << 10; // Buckets of 20 bytes, 5 words.
    parameters.valuePtrPosition = 2;              // Behind the key.
    parameters.isRelativePosition = true;
    return parameters.Encode();
}

} // namespace ns3::rdma
