// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/queue-pair-view.h"

namespace ns3::rdma
{

QueuePairView::QueuePairView(const QueuePair& queuePair)
    : number(queuePair.number),
      state(queuePair.state),
      service(queuePair.service),
      connection(queuePair.connection),
      setup(queuePair.GetSetup()),
      requester(queuePair.requester.get()),
      responder(queuePair.responder ? &*queuePair.responder : nullptr),
      unreliable(queuePair.rare ? queuePair.rare->unreliable.get() : nullptr)
{
}

uint64_t
QueuePairView::GetArrivedMessages() const
{
    if (service == Service::RC)
    {
        return responder ? responder->GetMsn() : 0;
    }
    return unreliable ? unreliable->GetMessages() : 0;
}

} // namespace ns3::rdma
