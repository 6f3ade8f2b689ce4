// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/renewal-keys.h"

namespace ns3::rdma
{

void
VisitRenewal(Keys& keys, std::optional<int64_t>& time)
{
    keys.Time("renewal",
              time,
              "time from the error of a queue pair until the application has created it again")
        .Positive()
        .Otherwise("never");
}

} // namespace ns3::rdma
