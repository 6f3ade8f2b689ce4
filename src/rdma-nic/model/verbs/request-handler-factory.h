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
 * @brief Makes what carries out the requests that a queue pair receives, and knows what else its
 * payload passes.
 */
class RequestHandlerFactory : public SimpleRefCount<RequestHandlerFactory>
{
  public:
    virtual ~RequestHandlerFactory() = default;

    /// @return never null. Both types are in request-handler.h.
    virtual std::unique_ptr<RequestHandler> Make(const RequestContext& context) const = 0;

    /// @return what the payload of the queue pair of a number passes on its way out, and in as READ
    /// responses; null: nothing. Default: null. The type is in payload-services.h.
    virtual PayloadServices* FindServices(uint32_t) const
    {
        return nullptr;
    }
};

} // namespace ns3::rdma

#endif // RDMA_REQUEST_HANDLER_FACTORY_H
