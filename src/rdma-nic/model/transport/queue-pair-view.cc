// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/queue-pair-view.h"

namespace ns3::rdma
{

QueuePairView::QueuePairView(const QueuePair& queuePair, const FrameMark& usual)
    : number(queuePair.GetNumber()),
      state(queuePair.GetState()),
      service(queuePair.GetService()),
      mark(queuePair.HasOwnMark() ? queuePair.GetSetup().mark : usual),
      connection(queuePair.GetConnection()),
      setup(queuePair.GetSetup()),
      requester(queuePair.GetRequester()),
      responder(queuePair.GetResponder()),
      unreliable(queuePair.GetUnreliable())
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
