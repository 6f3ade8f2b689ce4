// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/tcp-rpc.h"

#include <utility>

namespace ns3::rdma
{

TcpRpc::TcpRpc(Ptr<const KernelTcp> tcp, Ptr<const SoftwareCosts> costs, const KernelTcpLoad& link)
    : m_tcp(std::move(tcp)),
      m_costs(std::move(costs)),
      m_link(link)
{
}

Tick
TcpRpc::GetOneWay(uint64_t bytes) const
{
    KernelTcpLoad load = m_link;
    load.messageBytes = bytes;
    Tick sum = 0;
    for (const KernelTcpStep& step : m_tcp->MeasureLatency(load))
    {
        sum += step.duration;
    }
    return sum;
}

WireShare
TcpRpc::GetShare(uint64_t bytes) const
{
    const uint64_t packets = (bytes + m_link.GetMss() - 1) / m_link.GetMss();
    return {packets, bytes + packets * (KernelTcpLoad::IP_TCP_HEADERS + KernelTcpLoad::ETHERNET)};
}

TcpRpc::Exchange
TcpRpc::Measure(uint64_t argumentBytes, uint64_t resultBytes, uint64_t valueBytes, Tick work) const
{
    const uint64_t call = CALL_BYTES + argumentBytes;
    const uint64_t reply = REPLY_BYTES + resultBytes + m_costs->GetXdrBytes(valueBytes);
    const Tick library = m_costs->GetRpc() + m_costs->GetXdr(valueBytes);
    return {GetOneWay(call) + library + work + GetOneWay(reply), GetShare(call), GetShare(reply)};
}

} // namespace ns3::rdma
