// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_TRAFFIC_TAP_H
#define RDMA_TRAFFIC_TAP_H

#include "nic-test-bench.h"
#include "packet-description.h"

#include "ns3/object-factory.h"
#include "ns3/pcap-sniffer.h"

#include <fstream>
#include <set>

namespace ns3::rdma
{

/// Captures the port of a node, and describes its frames as the fabric has them.
class TrafficTap
{
  public:
    /// @param format class of the wire format; @param stem of the files, FOLDER/NAME
    TrafficTap(NicTestBench& bench,
               uint32_t node,
               const std::string& format,
               IpVersion version,
               const std::string& stem)
        : m_core(bench.GetCore()),
          m_format(ObjectFactory(format).Create<WireFormat>()),
          m_text(stem + ".txt"),
          m_sniffer(m_core,
                    bench.GetFabric().GetServerDevice(node).GetPort(),
                    RoceCodec(*m_format, version),
                    stem + ".pcap")
    {
        FabricPort& port = bench.GetFabric().GetServerDevice(node).GetPort();
        const auto tap = MakeCallback(&TrafficTap::OnFrame, this);
        port.GetTraces().transmit.ConnectWithoutContext(tap);
        port.GetArrivalTraces().receive.ConnectWithoutContext(tap);
    }

    TrafficTap(const TrafficTap&) = delete;
    TrafficTap& operator=(const TrafficTap&) = delete;

    void Close()
    {
        m_sniffer.Close();
    }

    std::set<uint32_t> opcodes;
    std::set<uint32_t> naks; ///< Their syndromes.
    uint32_t marked{0};      ///< Frames that a switch marked.

  private:
    void OnFrame(const Frame& frame)
    {
        const FrameDetail* const detail = m_core.pool.FindDetail(frame);
        DescribePacket(m_text,
                       frame,
                       detail ? *detail : FrameDetail{},
                       m_format->GetHeaders(frame.opcode));
        opcodes.insert(frame.opcode);
        marked += (frame.flags & frame_flag::CE) != 0;
        if (frame.opcode == opcode::ACK && frame.syndrome != syndrome::ACK)
        {
            naks.insert(frame.syndrome);
        }
    }

    FabricCore& m_core;
    Ptr<WireFormat> m_format; ///< Of the sniffer's codec.
    std::ofstream m_text;
    PcapSniffer m_sniffer;
};

} // namespace ns3::rdma

#endif // RDMA_TRAFFIC_TAP_H
