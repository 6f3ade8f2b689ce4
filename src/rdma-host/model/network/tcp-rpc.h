// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_TCP_RPC_H
#define RDMA_TCP_RPC_H

#include "ns3/kernel-tcp.h"
#include "ns3/software-costs.h"

namespace ns3::rdma
{

/// What crosses the wire in one direction.
struct WireShare
{
    uint64_t frames{0};
    uint64_t bytes{0}; ///< From the Ethernet header to the FCS, as a port counts.
};

/**
 * @ingroup rdma-offload
 * @brief A remote procedure call over kernel TCP, as rpcgen makes it: ONC RPC version 2 (RFC 5531)
 * on an idle connection.
 *
 * Two messages of KernelTcp::MeasureLatency(), the RPC library, and the procedure's own work at the
 * server between them.  The value is opaque data or, with SoftwareCosts::XdrItemBytes, an array
 * whose items XDR encodes in 4 bytes each (RFC 4506, section 4.13).  A calculation: no frame is
 * simulated.
 *
 * Not modelled: pure acknowledgments on the wire, messages that the record layer sends in pieces,
 * the padding of opaque data to 4 bytes.
 */
class TcpRpc
{
  public:
    /// @param link rate, delay and MTU of the cable
    TcpRpc(Ptr<const KernelTcp> tcp, Ptr<const SoftwareCosts> costs, const KernelTcpLoad& link);

    /// One call.
    struct Exchange
    {
        Tick duration{0};
        WireShare request;
        WireShare reply;
    };

    /// @param resultBytes of the result's fields before the value, as encoded
    /// @param valueBytes of the value in the server's memory
    /// @param work of the procedure at the server
    Exchange Measure(uint64_t argumentBytes,
                     uint64_t resultBytes,
                     uint64_t valueBytes,
                     Tick work) const;

    /// Record mark 4; xid, type, version, program, its version, procedure 4 each; two empty
    /// authenticators of 8 (RFC 5531, sections 9 and 11).
    static constexpr uint64_t CALL_BYTES{44};
    /// Record mark 4; xid, type, reply status, accept status 4 each; an empty verifier of 8.
    static constexpr uint64_t REPLY_BYTES{28};

  private:
    Tick GetOneWay(uint64_t bytes) const;
    WireShare GetShare(uint64_t bytes) const;

    Ptr<const KernelTcp> m_tcp;
    Ptr<const SoftwareCosts> m_costs;
    KernelTcpLoad m_link;
};

} // namespace ns3::rdma

#endif // RDMA_TCP_RPC_H
