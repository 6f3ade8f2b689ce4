// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_KERNEL_REQUEST_HANDLER_H
#define FPGA_KERNEL_REQUEST_HANDLER_H

#include "ns3/kernel-host.h"
#include "ns3/request-executor.h"
#include "ns3/request-handler-factory.h"

namespace ns3::rdma
{

/**
 * @ingroup fpga-kernel
 * @brief Carries out the requests of one queue pair: those with a kernel's opcode by kernels, and
 * so its WRITEs if it is bound to one; all others on memory.
 *
 * The data of WRITEs pass the queue pair's services, if it has any, once the request is known to be
 * allowed.
 */
class KernelRequestHandler : public RequestHandler
{
  public:
    KernelRequestHandler(const RequestContext& context, Ptr<KernelHost> host);
    /// The queue pair is destroyed.
    ~KernelRequestHandler() override;

    KernelRequestHandler(const KernelRequestHandler&) = delete;
    KernelRequestHandler& operator=(const KernelRequestHandler&) = delete;

    Execution Execute(const Frame& frame, const FrameDetail* detail) override;
    Execution CheckRead(const Frame& frame, const FrameDetail* detail) const override;
    void SetAccess(uint8_t access) override;
    std::vector<WorkCompletion> Flush() override;

  private:
    Execution ExecuteKernel(const Frame& frame, const FrameDetail* detail, uint64_t code);
    Execution ExecuteOnMemory(const Frame& frame, const FrameDetail* detail);
    Tick PassServices(ServiceChain& services, const Frame& frame, const FrameDetail* detail);
    Execution ExecuteServed(ServiceChain& services, const Frame& frame, const FrameDetail* detail);
    Execution ExecuteRead(const Frame& frame, const FrameDetail* detail) const;
    /// @return whether the packet may be as long behind the services as they make it.
    bool IsAllowed(uint32_t bytes, uint32_t behind) const;
    static Execution Refuse();
    static Execution Fail();

    RequestExecutor m_memory;
    Ptr<KernelHost> m_host;
    Ptr<ProtectionDomain> m_domain; ///< Null: memory is not moved.
    uint32_t m_queuePair;
    uint64_t m_nextAddress{0}; ///< Where the next packet of a WRITE goes.
    uint32_t m_writeKey{0};    ///< Of that WRITE.
    bool m_isInMessage{false}; ///< To a kernel.
    uint64_t m_code{0};        ///< Of that message.
    uint32_t m_replyKey{0};    ///< Likewise.
};

/// Makes them for the queue pairs of a NIC with kernels.
class KernelRequestHandlerFactory : public RequestHandlerFactory
{
  public:
    explicit KernelRequestHandlerFactory(Ptr<KernelHost> host);
    std::unique_ptr<RequestHandler> Make(const RequestContext& context) const override;
    PayloadServices* FindServices(uint32_t queuePair) const override;

  private:
    Ptr<KernelHost> m_host;
};

} // namespace ns3::rdma

#endif // FPGA_KERNEL_REQUEST_HANDLER_H
