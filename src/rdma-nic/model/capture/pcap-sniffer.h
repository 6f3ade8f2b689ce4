// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PCAP_SNIFFER_H
#define RDMA_PCAP_SNIFFER_H

#include "ns3/fabric-port.h"
#include "ns3/pcap-writer.h"
#include "ns3/roce-codec.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// Which frames a capture holds: those that each set which is not empty has a word for.
struct PcapFilter
{
    std::set<uint32_t> hosts;      ///< Endpoint ids: source or destination is one of them.
    std::set<uint32_t> queuePairs; ///< Numbers: source or destination is one of them.
    std::set<uint8_t> opcodes;     ///< Of the BTH.
    bool hasPayload{true};         ///< False: records end behind the headers, lengths stay true.
    bool hasSent{true};            ///< False: only what enters the port.
    bool hasReceived{true};        ///< False: only what leaves it.
    Tick stampPeriod{1};           ///< Times are cut to whole ones of it.

    /// @return whether the frame is one. Frames of other protocols have a host only, PFC frames
    /// nothing.
    bool Matches(const Frame& frame) const;
};

/**
 * @ingroup rdma-nic
 * @brief Writes what leaves and enters a port to a pcap file, in the order of time.
 *
 * A record's time is when the first bit left or the last bit arrived.  RoCE frames have the bytes
 * of RoceCodec; frames of ns-3's own stacks those of their packet; PFC frames are the MAC control
 * frames of IEEE 802.1Qbb, from an address 02:01:00:00:<port number> because a port has no node.
 * A frame that the wire would pad to 60 bytes is not padded here, but for PFC.  Without payload,
 * packets of other protocols keep 94 bytes: room for IPv4 and the longest TCP header.
 *
 * Errors of writing are std::runtime_error with one line, thrown out of the simulation's run.
 */
class PcapSniffer
{
  public:
    /**
     * @param core of the port; core, port and codec's wire format outlive the sniffer
     * @param codec for the wire format of the frames
     * @param path of the file, which has this name once it is closed
     */
    PcapSniffer(FabricCore& core,
                FabricPort& port,
                RoceCodec codec,
                const std::string& path,
                PcapFilter filter = {});
    /// Closes and ignores errors.
    ~PcapSniffer();
    PcapSniffer(const PcapSniffer&) = delete;
    PcapSniffer& operator=(const PcapSniffer&) = delete;

    /// Ends the capture.
    void Close();

  private:
    void OnTransmit(const Frame& frame);
    void OnReceive(const Frame& frame);
    void Record(const Frame& frame, uint16_t sourcePort);
    void Detach();

    FabricCore& m_core;
    FabricPort& m_port;
    RoceCodec m_codec;
    PcapFilter m_filter;
    PcapWriter m_writer;
    bool m_isAttached{true};
};

} // namespace ns3::rdma

#endif // RDMA_PCAP_SNIFFER_H
