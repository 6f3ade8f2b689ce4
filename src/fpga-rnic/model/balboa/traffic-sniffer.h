// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_TRAFFIC_SNIFFER_H
#define FPGA_TRAFFIC_SNIFFER_H

#include "ns3/server-capture.h"

#include <optional>
#include <set>
#include <string>

namespace ns3::rdma
{

/**
 * @ingroup fpga-balboa
 * @brief The traffic sniffer of BALBOA section 4.7: writes all packets of both directions at the
 * CMAC to a pcap file.
 *
 * It is between the MAC and the network arbiter, so it uses no user region and delays no packet.  A
 * packet's time stamp is the clock edge at or before the time when its first bit left or its last
 * bit arrived.  The payload is that on the wire: ciphertext after an encryption.
 *
 * Not modelled: size and bandwidth of the card's memory for a capture.
 */
class TrafficSniffer : public Object
{
  public:
    static TypeId GetTypeId();
    ~TrafficSniffer() override;

    // Called before Start(). An empty set selects all packets.
    void SetQueuePairs(std::set<uint32_t> numbers); ///< As source or destination.
    void SetOpcodes(std::set<uint8_t> opcodes);     ///< Of the BTH.

    /// @param nic started, outlives the capture
    /// @param path of the file, which has this name when the capture has ended
    /// @throws VerbsError if a capture is in progress
    void Start(RdmaNic& nic, const std::string& path);

    /// Ends the capture.
    void Stop();

  private:
    void DoDispose() override;

    PcapFilter m_filter;
    std::optional<ServerCapture> m_capture;
};

} // namespace ns3::rdma

#endif // FPGA_TRAFFIC_SNIFFER_H
