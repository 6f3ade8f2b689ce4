// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/object.h"

/// A copy of a shipped class whose TypeId has a new name, and whose C++ class has not.
namespace ns3::rdma
{

class NoCongestionControl : public Object
{
  public:
    static TypeId GetTypeId();
};

NS_OBJECT_ENSURE_REGISTERED(NoCongestionControl);

TypeId
NoCongestionControl::GetTypeId()
{
    static TypeId tid = TypeId("ns3::rdma::CopiedNoControl")
                            .SetParent<Object>()
                            .AddConstructor<NoCongestionControl>();
    return tid;
}

} // namespace ns3::rdma
