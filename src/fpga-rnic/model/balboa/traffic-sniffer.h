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
 * @brief The traffic sniffer of BALBOA section 4.7: all packets of both directions at the CMAC, to
 * a pcap file.
 *
 * It is between the MAC and the network arbiter, so it takes no user region and delays nothing: a
 * packet's stamp is the clock edge at or before its first bit left or its last bit came.  What it
 * shows is what is on the wire: ciphertext behind an encryption.
 *
 * The card's memory that a capture fills is not bounded, and no bandwidth of it is taken.
 */
class TrafficSniffer : public Object
{
  public:
    static TypeId GetTypeId();
    ~TrafficSniffer() override;

    // Before Start(); empty: all.
    void SetQueuePairs(std::set<uint32_t> numbers); ///< Source or destination is one of them.
    void SetOpcodes(std::set<uint8_t> opcodes);     ///< Of the BTH.

    /// @param nic started, outlives the capture @param path of the file, which has this name once
    /// the capture has ended. Throws a VerbsError while one is under way.
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
