// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_REQUEST_HANDLER_FACTORY_H
#define RDMA_REQUEST_HANDLER_FACTORY_H

#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <memory>

namespace ns3::rdma
{

class PayloadServices;
class RequestHandler;
struct RequestContext;

/**
 * @ingroup rdma-verbs
 * @brief Creates the RequestHandler of a queue pair, and returns the services that its payload
 * passes.
 */
class RequestHandlerFactory : public SimpleRefCount<RequestHandlerFactory>
{
  public:
    virtual ~RequestHandlerFactory() = default;

    /// @return a new handler, never null. Both types are in request-handler.h.
    virtual std::unique_ptr<RequestHandler> Make(const RequestContext& context) const = 0;

    /// @return the services that outgoing payload and arriving READ responses of the queue pair
    /// with this number pass; null: none. Default: null. The type is in payload-services.h.
    virtual PayloadServices* FindServices(uint32_t) const
    {
        return nullptr;
    }
};

} // namespace ns3::rdma

#endif // RDMA_REQUEST_HANDLER_FACTORY_H
