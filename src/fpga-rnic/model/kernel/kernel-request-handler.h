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
 * @brief Executes the requests of one queue pair with kernels or on memory.
 *
 * Kernels execute requests with a kernel's opcode, and WRITEs if the queue pair is bound to a
 * kernel.  All other requests access memory.  After a WRITE has been checked, its data pass the
 * services of the queue pair, if there are any.
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
    /// @param behind bytes of the packet after the services
    /// @return whether the memory region permits this length.
    bool IsAllowed(uint32_t bytes, uint32_t behind) const;
    static Execution Refuse();
    static Execution Fail();

    RequestExecutor m_memory;
    Ptr<KernelHost> m_host;
    Ptr<ProtectionDomain> m_domain; ///< Null: no payload is written.
    uint32_t m_queuePair;
    uint64_t m_nextAddress{0}; ///< Address of the next packet of a WRITE.
    uint32_t m_writeKey{0};    ///< R_Key of that WRITE.
    bool m_isInMessage{false}; ///< A message to a kernel is in progress.
    uint64_t m_code{0};        ///< Code of that message.
    uint32_t m_replyKey{0};    ///< R_Key of that message.
};

/// Creates the request handlers of a NIC with kernels.
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
