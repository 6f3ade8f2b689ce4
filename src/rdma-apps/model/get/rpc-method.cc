// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/rpc-method.h"

#include "ns3/kernel-get.h"
#include "ns3/read-get.h"
#include "ns3/tcp-get.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

namespace
{
constexpr uint64_t BASE{uint64_t{1} << 32};
constexpr uint64_t CACHE_LINE{64};

template <typename Method>
std::unique_ptr<RpcMethod>
Make(FabricEngine& engine, const RpcPlan& plan, uint32_t slots, RpcMethod::Handler handler)
{
    return std::make_unique<Method>(engine, plan, slots, std::move(handler));
}
} // namespace

RpcMethod::RpcMethod(FabricEngine&, const RpcPlan& plan, uint32_t slots, Handler handler)
    : m_stride((HEAD_BYTES + std::max(plan.valueBytes, GetEntry::BYTES) + CACHE_LINE - 1) /
               CACHE_LINE * CACHE_LINE),
      m_handler(std::move(handler)),
      m_domain(Create<ProtectionDomain>(Create<HostMemory>())),
      m_region(m_domain->Register(BASE,
                                  slots * m_stride,
                                  memory_access::LOCAL_WRITE | memory_access::REMOTE_WRITE)),
      m_completions([this](const WorkCompletion& completion) { OnCompletion(completion); })
{
}

QueuePairInit
RpcMethod::MakeEnd(Ptr<RdmaNic>)
{
    QueuePairInit init;
    init.domain = m_domain;
    init.sendCompletions = m_completions.Get();
    return init;
}

void
RpcMethod::OnConnected(const RpcConnection&)
{
}

std::vector<uint8_t>
RpcMethod::ReadMemory(uint64_t address, uint32_t bytes) const
{
    std::vector<uint8_t> found(bytes);
    GetMemory().Read(address, found.data(), bytes);
    return found;
}

const std::vector<RpcMethodInfo>&
GetRpcMethods()
{
    static const std::vector<RpcMethodInfo> methods{
        {"get-kernel", "ns3::rdma::GetKernel", KernelGet::EncodeGet, false, Make<KernelGet>},
        {"traversal-kernel",
         "ns3::rdma::TraversalKernel",
         KernelGet::EncodeTraversal,
         false,
         Make<KernelGet>},
        {"read", "", nullptr, false, Make<ReadGet>},
        {"tcp", "", nullptr, true, Make<TcpGet>},
    };
    return methods;
}

const RpcMethodInfo&
FindRpcMethod(const std::string& name)
{
    return *std::find_if(GetRpcMethods().begin(),
                         GetRpcMethods().end(),
                         [&name](const RpcMethodInfo& method) { return method.name == name; });
}

} // namespace ns3::rdma
