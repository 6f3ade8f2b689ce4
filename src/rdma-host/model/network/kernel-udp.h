// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_KERNEL_UDP_H
#define RDMA_KERNEL_UDP_H

#include "ns3/kernel-tcp.h"

namespace ns3::rdma
{

/// What two hosts do: one thread writes datagrams to a socket, one reads them.
struct KernelUdpLoad
{
    uint32_t datagramBytes{8972};
    uint64_t datagrams{20'000};
    DataRate rate{"100Gbps"};
    uint32_t mtu{9000};

    static constexpr uint32_t IP_HEADER{20};
    static constexpr uint32_t UDP_HEADER{8};
    /// Payload of the longest datagram: its length field has 16 bits, the IP header included.
    static constexpr uint32_t MAX_BYTES{65535 - IP_HEADER - UDP_HEADER};

    /// @throws VerbsError if nothing could be sent
    void Check() const;

    /// @return IP packets of a datagram (RFC 791: all but the last carry a multiple of 8 bytes).
    uint32_t CountFragments() const;

    /// @return bytes of all of them on the wire, preamble and gap included.
    uint64_t GetWireBytes() const;
};

/// What came of it, without warm-up and end. Cores: 1 is one core all the time.
struct KernelUdpBandwidth
{
    double goodput{0};     ///< Gb/s of payload that was read.
    double offered{0};     ///< Gb/s of payload that was written.
    double lost{0};        ///< Share of datagrams that found the socket's buffer full.
    double senderCpu{0};   ///< The writing thread's core.
    double readerCpu{0};   ///< The reading thread's core.
    double softirqCpu{0};  ///< The core that takes the NIC's interrupts.
    uint32_t fragments{1}; ///< Per datagram.
};

/**
 * @ingroup rdma-tcp
 * @brief What a stream of UDP datagrams through the kernel costs the cores of two hosts.
 *
 * Costs are those of KernelTcp: the same system calls, copies, packets, pages, interrupts and
 * wake-ups.  Unlike there, the softirq and the reading thread have a core each, since nothing moves
 * the interrupts of one UDP socket to its reader, and each fragment passes the driver alone: there
 * is no segmentation on the NIC.  Pages are provided by the softirq and freed by the reader, half
 * of KernelTcp's cost each; a datagram costs the reader what a TCP segment costs at its receiver,
 * without the acknowledgment's sending.
 *
 * A timeline over datagrams, with a clock of its own; the sender waits for room in its NIC's queue
 * and for nothing else, and what finds the receiver's socket buffer full is lost.
 *
 * Not modelled: congestion in between, several sockets, GSO and GRO of UDP, checksums in software.
 */
class KernelUdp : public Object
{
  public:
    static TypeId GetTypeId();

    /// @param stack whose costs count
    KernelUdpBandwidth MeasureBandwidth(const KernelTcp& stack, const KernelUdpLoad& load) const;

  private:
    Time m_sendFragment;
    uint64_t m_socketBuffer{0};
};

} // namespace ns3::rdma

#endif // RDMA_KERNEL_UDP_H
