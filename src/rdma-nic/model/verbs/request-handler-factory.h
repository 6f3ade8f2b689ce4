// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_REQUEST_HANDLER_FACTORY_H
#define RDMA_REQUEST_HANDLER_FACTORY_H

#include "ns3/simple-ref-count.h"

#include <memory>

namespace ns3::rdma
{

class RequestHandler;
struct RequestContext;

/**
 * @ingroup rdma-verbs
 * @brief Makes what carries out the requests that a queue pair receives.
 */
class RequestHandlerFactory : public SimpleRefCount<RequestHandlerFactory>
{
  public:
    virtual ~RequestHandlerFactory() = default;

    /// @return never null. Both types are in request-handler.h.
    virtual std::unique_ptr<RequestHandler> Make(const RequestContext& context) const = 0;
};

} // namespace ns3::rdma

#endif // RDMA_REQUEST_HANDLER_FACTORY_H
