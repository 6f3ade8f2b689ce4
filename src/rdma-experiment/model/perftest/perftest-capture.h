// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PERFTEST_CAPTURE_H
#define RDMA_PERFTEST_CAPTURE_H

#include "ns3/fabric.h"
#include "ns3/pcap-sniffer.h"
#include "ns3/rdma-nic.h"

#include <string>

namespace ns3::rdma
{

/**
 * @ingroup rdma-perftest
 * @brief Captures what leaves and enters one server, in the wire format of its NIC.
 *
 * Whole packets, although their payload is zeros: tshark takes a packet that is cut for malformed.
 */
class PerftestCapture
{
  public:
    /// @param node id of the server; @param path of the pcap file
    PerftestCapture(Fabric& fabric, uint32_t node, const std::string& path);

    /// Ends the capture: before the fabric is gone. @throws std::runtime_error if the disk is full,
    /// for example
    void Close();

  private:
    Ptr<WireFormat> m_format; ///< Of the sniffer's codec.
    PcapSniffer m_sniffer;
};

} // namespace ns3::rdma

#endif // RDMA_PERFTEST_CAPTURE_H
