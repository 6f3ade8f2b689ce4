// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_KERNEL_GET_H
#define RDMA_KERNEL_GET_H

#include "ns3/reply-watch.h"
#include "ns3/rpc-method.h"

#include <map>

namespace ns3::rdma
{

/**
 * @ingroup rdma-rpc
 * @brief A GET by a kernel on the server's NIC: one RPC, whose answer the kernel writes to the
 * client's memory (StRoM section 5.1), where the client polls for it.
 */
class KernelGet : public RpcMethod
{
  public:
    KernelGet(FabricEngine& engine, const RpcPlan& plan, uint32_t slots, Handler handler);
    ~KernelGet() override;

    QueuePairInit MakeEnd(Ptr<RdmaNic> nic) override;
    bool Look(uint32_t slot,
              const RpcConnection& connection,
              uint64_t key,
              uint32_t probe) override;

    /// @return the parameters of a call of GetKernel. @param target of the answer
    static std::vector<uint8_t> EncodeGet(const RpcPlan& plan,
                                          uint64_t target,
                                          uint64_t entry,
                                          uint64_t key);

    /// Likewise, of TraversalKernel: three keys per entry, and no next element.
    static std::vector<uint8_t> EncodeTraversal(const RpcPlan& plan,
                                                uint64_t target,
                                                uint64_t entry,
                                                uint64_t key);

  private:
    void OnCompletion(const WorkCompletion& completion) override;
    void OnReply(uint64_t address);

    const RpcPlan& m_plan;
    RpcMethodInfo::Encode m_encode;
    uint64_t m_code;                                     ///< Of the kernel.
    std::vector<bool> m_isUnderWay;                      ///< By slot.
    std::map<const RdmaNic*, Ptr<ReplyWatch>> m_watches; ///< Not iterated but to stop them.
};

} // namespace ns3::rdma

#endif // RDMA_KERNEL_GET_H
