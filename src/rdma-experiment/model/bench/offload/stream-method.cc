// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/stream-method.h"

#include <utility>

namespace ns3::rdma
{

StreamMethod::StreamMethod(OffloadHosts& hosts)
    : m_hosts(hosts)
{
}

void
StreamMethod::Call(uint64_t, Done done)
{
    m_done = std::move(done);
    Begin();
}

void
StreamMethod::End(const std::string& status, const std::string& fault)
{
    if (m_done)
    {
        std::exchange(m_done, nullptr)({status, GetBytes(), fault});
    }
}

void
StreamMethod::EndIfFailed(WcStatus status)
{
    if (status != WcStatus::SUCCESS)
    {
        End(GetWcStatusName(status), "a request failed");
    }
}

std::vector<std::string>
StreamTask::GetMethods() const
{
    return {"kernel", "write", "cpu"};
}

uint64_t
StreamTask::GetUsualCalls() const
{
    return 1;
}

} // namespace ns3::rdma
