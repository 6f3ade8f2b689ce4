// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/failover-path.h"

#include "ns3/type-attributes.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(FailoverPath);
NS_OBJECT_ENSURE_REGISTERED(FailbackPath);

TypeId
FailoverPath::GetTypeId()
{
    static TypeId tid =
        TypeAttributes::Of<FailoverPath, PathSelector>("ns3::rdma::FailoverPath", "RdmaNic")
            .Add("Expiries",
                 Member(&FailoverPath::m_expiries, 2, 1),
                 "Expiries of the retransmission timer in a row from which on a queue pair leaves "
                 "a port whose link is up (2: one lost packet at the end of a message is not a "
                 "failed path; chosen here)");
    return tid;
}

std::optional<uint32_t>
FailoverPath::Move(const PathTrouble& trouble) const
{
    if (trouble.ports.IsUp(trouble.port) && trouble.expiries < m_expiries)
    {
        return std::nullopt;
    }
    for (uint32_t step = 1; step < trouble.ports.count; ++step)
    {
        const uint32_t other = (trouble.port + step) % trouble.ports.count;
        if (trouble.ports.IsUp(other))
        {
            return other;
        }
    }
    return std::nullopt;
}

TypeId
FailbackPath::GetTypeId()
{
    static TypeId tid =
        TypeAttributes::Of<FailbackPath, FailoverPath>("ns3::rdma::FailbackPath", "RdmaNic")
            .Add("UpDelay",
                 Member(&FailbackPath::m_upDelay, Time(0), Time(0)),
                 "Time that a link must be up before its port is used again (0: updelay of Linux "
                 "bonds)")
            .Add("RetryDelay",
                 Member(&FailbackPath::m_retryDelay, MilliSeconds(500), Time(0)),
                 "Time after which a path that failed while its port's link was up is used again "
                 "(500 ms: NCCL 2.30, by the log in NVIDIA/nccl #2157; 0: never)");
    return tid;
}

std::optional<Time>
FailbackPath::GetReturnDelay(ReturnCause cause) const
{
    if (cause == ReturnCause::LINK_UP)
    {
        return m_upDelay;
    }
    return m_retryDelay.IsZero() ? std::nullopt : std::optional<Time>(m_retryDelay);
}

} // namespace ns3::rdma
