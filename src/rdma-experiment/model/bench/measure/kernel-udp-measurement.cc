// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kernel-udp.h"
#include "ns3/measurement.h"

namespace ns3::rdma
{

/// A stream of datagrams over kernel UDP, for comparison.
class UdpBandwidthMeasurement : public Measurement
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::UdpBandwidthMeasurement")
                                .SetParent<Measurement>()
                                .SetGroupName("RdmaExperiment")
                                .AddConstructor<UdpBandwidthMeasurement>();
        return tid;
    }

    KindInfo GetInfo() const override
    {
        return {"udp-bw", "throughput of kernel UDP"};
    }

    void Visit(Keys& keys) override
    {
        keys.Bytes("size", m_load.datagramBytes, "size of a datagram; 8972: one packet")
            .AtMost(KernelUdpLoad::MAX_BYTES);
        keys.Rate("rate", m_load.rate, "rate of the link");
        keys.Count("mtu", m_load.mtu, "MTU of the link, bytes").Between(576U, 9000U);
        keys.Count("datagrams", m_load.datagrams, "number of datagrams").Between(100U, 10'000'000U);
    }

    void SetAttributes(const std::vector<std::string>& settings) override
    {
        SetAttributesOf({m_model, m_stack}, settings);
    }

    MeasuredRows Measure() override
    {
        const KernelUdpBandwidth result = m_model->MeasureBandwidth(*m_stack, m_load);
        MeasuredRows rows;
        rows.Begin();
        rows.Set("goodput_gbps", result.goodput, "payload that is read");
        rows.Set("written_gbps", result.offered, "payload that is written");
        rows.Set("lost_share", result.lost, "datagrams that found the reader's buffer full");
        rows.Set("fragments", result.fragments, "packets of a datagram");
        rows.Set("wire_bytes", m_load.GetWireBytes(), "a datagram with preambles and gaps");
        rows.Set("sender_cores", result.senderCpu, "cores that the sender uses");
        rows.Set("reader_cores", result.readerCpu, "cores that the reader uses");
        rows.Set("softirq_cores", result.softirqCpu, "cores that the NIC's interrupts use");
        return rows;
    }

  private:
    Ptr<KernelUdp> m_model{CreateObject<KernelUdp>()};
    Ptr<KernelTcp> m_stack{CreateObject<KernelTcp>()};
    KernelUdpLoad m_load;
};

NS_OBJECT_ENSURE_REGISTERED(UdpBandwidthMeasurement);

} // namespace ns3::rdma
