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

/// Selects the frames of a capture: each set that is not empty must contain a value of the frame.
struct PcapFilter
{
    std::set<uint32_t> hosts;      ///< Endpoint ids: source or destination is one of them.
    std::set<uint32_t> queuePairs; ///< Numbers: source or destination is one of them.
    std::set<uint8_t> opcodes;     ///< Opcodes of the BTH.
    /// False: records end after the headers; the original lengths are kept.
    bool hasPayload{true};
    bool hasSent{true};     ///< False: no frames that leave the port.
    bool hasReceived{true}; ///< False: no frames that enter the port.
    Tick stampPeriod{1};    ///< Times are rounded down to multiples of it.

    /// @return whether the filter selects the frame. Frames of other protocols have hosts only, PFC
    /// frames none of the values.
    bool Matches(const Frame& frame) const;
};

/**
 * @ingroup rdma-nic
 * @brief Writes the frames that leave and enter a port to a pcap file, in the order of time.
 *
 * A record's time is when the first bit left or the last bit arrived.  RoCE frames have the bytes
 * of RoceCodec; frames of ns-3's own stacks the bytes of their packet; PFC frames are the MAC
 * control frames of IEEE 802.1Qbb, from an address 02:01:00:00:<port number> because a port has no
 * node.  Short frames are not padded to 60 bytes, except PFC frames.  Without payload, packets of
 * other protocols keep 94 bytes: Ethernet, IPv4 and the longest TCP header.
 *
 * Errors of writing are std::runtime_error with one line, thrown out of the simulation's run.
 */
class PcapSniffer
{
  public:
    /**
     * @param core of the port; core, port and codec's wire format outlive the sniffer
     * @param codec for the wire format of the frames
     * @param path of the file, which gets this name when it is closed
     */
    PcapSniffer(FabricCore& core,
                FabricPort& port,
                RoceCodec codec,
                const std::string& path,
                PcapFilter filter = {});
    /// Closes the file and ignores errors.
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
