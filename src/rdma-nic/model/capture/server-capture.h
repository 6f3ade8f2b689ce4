// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SERVER_CAPTURE_H
#define RDMA_SERVER_CAPTURE_H

#include "ns3/pcap-sniffer.h"
#include "ns3/rdma-nic.h"

#include <string>

namespace ns3::rdma
{

/**
 * @ingroup rdma-nic
 * @brief Captures the frames that leave and enter a port of a server, in the wire format and IP
 * version of its NIC.
 */
class ServerCapture
{
  public:
    /// @param nic of the server, which has started; @param path of the pcap file @param port of
    /// the NIC
    ServerCapture(RdmaNic& nic,
                  const std::string& path,
                  const PcapFilter& filter = {},
                  uint32_t port = 0);

    /// Ends the capture. @throws std::runtime_error if the disk is full, for example
    void Close();

  private:
    Ptr<FabricDevice> m_device; ///< Device of the captured port.
    Ptr<WireFormat> m_format;   ///< Of the sniffer's codec.
    PcapSniffer m_sniffer;
};

} // namespace ns3::rdma

#endif // RDMA_SERVER_CAPTURE_H
