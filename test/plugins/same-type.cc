// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/no-congestion-control.h"

/// A copy of a shipped class whose TypeId kept its name.
namespace ns3::rdma
{

class CopiedControl : public NoCongestionControl
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::WindowDctcp")
                                .SetParent<CongestionControl>()
                                .AddConstructor<CopiedControl>();
        return tid;
    }
};

NS_OBJECT_ENSURE_REGISTERED(CopiedControl);

} // namespace ns3::rdma
