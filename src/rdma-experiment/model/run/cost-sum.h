// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_COST_SUM_H
#define RDMA_COST_SUM_H

#include "ns3/hop-counts.h"
#include "ns3/scenario.h"

#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-scenario
 * @brief Adds up the packet-hops of messages, by the designs of the servers at both ends.
 *
 * A message of b bytes has p = ceil(b / MTU) packets, at least one.  The receiver answers with
 * ceil(p / AckInterval) acknowledgments.  A ReceiverControl reports the first packet and then after
 * AckBytes, if it has this attribute (SackReceiver), and the last packet; another one each packet.
 * Each of them crosses the links of the shortest path once.
 */
class CostSum
{
  public:
    CostSum(const Scenario& scenario, const NicSpec& nic, const TopologyGraph& graph);

    /// @param count of such messages
    void Add(uint32_t src, uint32_t dst, uint64_t bytes, double count = 1);

    /// Adds a message of which nothing is sent.
    void AddUnsent()
    {
        ++m_messages;
    }

    /// @return a message's bytes, headers included.
    uint64_t GetWireBytes(uint32_t src, uint64_t bytes) const;

    /// @return how long before the end of a run the average packet-hop belongs to a packet that is
    /// sent by then: half of the path for a packet, one and a half for its acknowledgment.
    int64_t GetDelayPs(uint32_t src, uint32_t dst);

    /// Multiplies everything that was added.
    void Scale(double factor);

    /// @return whether a receiver sends reports, whose number depends on marks.
    bool HasReports() const;

    /// Removes everything that was added.
    void Reset();

    double GetMessages() const
    {
        return m_messages;
    }

    double GetBytes() const
    {
        return m_bytes;
    }

    double GetPackets() const
    {
        return m_packets;
    }

    /// @return link traversals of packets alone.
    double GetDataHops() const
    {
        return m_dataHops;
    }

    /// @return link traversals of packets and of their acknowledgments.
    double GetPacketHops() const
    {
        return m_packetHops;
    }

  private:
    /// The packets of a design.
    struct PacketRule
    {
        uint32_t mtuBytes{1};
        uint32_t ackInterval{1};
        uint32_t headerBytes{0};
        bool hasReports{false};  ///< Of a ReceiverControl.
        uint32_t reportBytes{1}; ///< A report is due after so many; 1: after each packet.
        uint32_t packetBytes{0}; ///< Of these, a packet counts as so many at least.
    };

    static PacketRule MakeRule(const Scenario& scenario, const DesignSpec& design);
    static uint64_t CountAnswers(const PacketRule& receiver, uint64_t packets, uint32_t wireBytes);

    HopCounts m_hops;
    int64_t m_delayPs;                  ///< Of a link, on average.
    std::vector<PacketRule> m_rules;    ///< By design; the first is of servers without one.
    std::vector<uint32_t> m_ruleOfNode; ///< By node id.
    double m_messages{0};
    double m_bytes{0}; ///< Payload.
    double m_packets{0};
    double m_dataHops{0};
    double m_packetHops{0};
};

} // namespace ns3::rdma

#endif // RDMA_COST_SUM_H
