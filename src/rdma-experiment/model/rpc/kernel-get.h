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

  private:
    /// @return the parameters of a call. @param target of the answer
    virtual std::vector<uint8_t> MakeParameters(uint64_t target,
                                                uint64_t entry,
                                                uint64_t key) const = 0;

    void OnCompletion(const WorkCompletion& completion) override;
    void OnReply(uint64_t address);

    uint64_t m_code;                                     ///< Of the kernel.
    std::vector<bool> m_isUnderWay;                      ///< By slot.
    std::map<const RdmaNic*, Ptr<ReplyWatch>> m_watches; ///< Not iterated but to stop them.
};

/// Calls a kernel that takes GetParameters.
class GetKernelCall : public KernelGet
{
  public:
    using KernelGet::KernelGet;

  private:
    std::vector<uint8_t> MakeParameters(uint64_t target,
                                        uint64_t entry,
                                        uint64_t key) const override;
};

/// Calls a kernel that takes TraversalParameters: three keys per entry, and no next element.
class TraversalKernelCall : public KernelGet
{
  public:
    TraversalKernelCall(FabricEngine& engine, const RpcPlan& plan, uint32_t slots, Handler handler);

  private:
    std::vector<uint8_t> MakeParameters(uint64_t target,
                                        uint64_t entry,
                                        uint64_t key) const override;

    uint32_t m_valueBytes;
};

} // namespace ns3::rdma

#endif // RDMA_KERNEL_GET_H
