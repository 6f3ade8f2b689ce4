// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/rpc-collection.h"

#include <utility>

namespace ns3::rdma
{

void
CollectRpcs(RankGroup& ranks, RpcReport own, RunReport& report)
{
    ranks.CollectAtFirst([&own](ByteBuffer& buffer) { buffer.PutAll(own.records); },
                         [&own](ByteReader& reader) {
                             const auto records = reader.GetAll<RpcRecord>();
                             own.records.insert(own.records.end(), records.begin(), records.end());
                         });
    own.Sort();
    const std::vector<std::string> violations = own.GetViolations();
    report.violations.insert(report.violations.end(), violations.begin(), violations.end());
    report.rpcs = std::move(own);
}

} // namespace ns3::rdma
