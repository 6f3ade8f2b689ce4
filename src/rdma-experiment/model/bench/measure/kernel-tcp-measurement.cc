// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/exact-quantity.h"
#include "ns3/kernel-tcp.h"
#include "ns3/measurement.h"
#include "ns3/quantity.h"

#include <algorithm>
#include <cctype>
#include <optional>

namespace ns3::rdma
{

/// Kernel TCP between two hosts, for comparison.
class KernelTcpMeasurement : public Measurement
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::KernelTcpMeasurement")
                                .SetParent<Measurement>()
                                .SetGroupName("RdmaExperiment");
        return tid;
    }

    void SetAttributes(const std::vector<std::string>& settings) override
    {
        SetAttributesOf({m_model}, settings);
    }

  protected:
    explicit KernelTcpMeasurement(uint64_t messageBytes)
    {
        m_load.messageBytes = messageBytes;
    }

    void VisitLink(Keys& keys)
    {
        keys.Bytes("size", m_load.messageBytes, "size of a message").AtMost(uint64_t{1} << 30);
        keys.Rate("rate", m_load.rate, "rate of the link");
        keys.Count("mtu", m_load.mtu, "MTU of the link, bytes").Between(576U, 9000U);
    }

    /// Simulated time has an end. @throws InputError
    void CheckDuration(uint64_t messages) const
    {
        constexpr double BITS{8};
        const double bits =
            BITS * static_cast<double>(messages) * static_cast<double>(m_load.messageBytes);
        if (bits / static_cast<double>(m_load.rate.GetBitRate()) > static_cast<double>(MAX_SECONDS))
        {
            Fail("rate: expected a rate at which the messages take at most " +
                 std::to_string(MAX_SECONDS) + " s, got " + FormatRate(m_load.rate));
        }
    }

    Ptr<KernelTcp> m_model{CreateObject<KernelTcp>()};
    KernelTcpLoad m_load;
};

NS_OBJECT_ENSURE_REGISTERED(KernelTcpMeasurement);

/// A stream of messages over kernel TCP.
class TcpBandwidthMeasurement : public KernelTcpMeasurement
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::TcpBandwidthMeasurement")
                                .SetParent<KernelTcpMeasurement>()
                                .SetGroupName("RdmaExperiment")
                                .AddConstructor<TcpBandwidthMeasurement>();
        return tid;
    }

    TcpBandwidthMeasurement()
        : KernelTcpMeasurement(65536)
    {
    }

    KindInfo GetInfo() const override
    {
        return {"tcp-bw", "throughput of kernel TCP"};
    }

    void Visit(Keys& keys) override
    {
        constexpr uint32_t MILLION{1'000'000};
        VisitLink(keys);
        keys.Count("connections", m_load.connections, "connections of all threads together")
            .Between(1U, MILLION);
        keys.Count("threads", m_load.threads, "threads at each end, each on its own core")
            .Between(1U, 1024U);
        keys.Count("depth", m_load.depth, "messages of a connection in flight")
            .Between(1U, MILLION);
        keys.Count("burst", m_load.burst, "messages written before the next connection")
            .Between(1U, MILLION);
        keys.Count("messages", m_messages, "messages of all connections together")
            .Between(100U, 100 * MILLION)
            .Otherwise("2000 to 400000, by their size");
    }

    MeasuredRows Measure() override
    {
        m_load.messages = m_messages.value_or(GetUsualMessages());
        CheckDuration(m_load.messages);
        const KernelTcpBandwidth result = m_model->MeasureBandwidth(m_load);
        MeasuredRows rows;
        rows.Begin();
        rows.Set("messages", m_load.messages, "messages of all connections");
        rows.Set("goodput_gbps", result.goodput, "payload");
        rows.Set("wire_gbps", result.wire, "frames, without preamble and gap");
        rows.Set("message_rate_mops", result.messages, "million messages per second");
        rows.Set("messages_per_segment", result.perSegment, "messages in a segment, mean");
        rows.Set("sender_cores", result.senderCpu, "cores that the sender uses");
        rows.Set("receiver_cores", result.receiverCpu, "cores that the receiver uses");
        return rows;
    }

  private:
    /// @return enough for a steady state, few enough for seconds.
    uint64_t GetUsualMessages() const
    {
        constexpr uint64_t USUAL_BYTES{uint64_t{64} << 20U};
        constexpr uint64_t FEWEST{2000};
        constexpr uint64_t MOST{400'000};
        constexpr uint64_t TURNS{2}; // Of each connection.
        const uint64_t messages = std::clamp(USUAL_BYTES / m_load.messageBytes, FEWEST, MOST);
        return std::max(messages, TURNS * m_load.burst * m_load.connections);
    }

    std::optional<uint64_t> m_messages;
};

NS_OBJECT_ENSURE_REGISTERED(TcpBandwidthMeasurement);

/// A ping-pong of messages over kernel TCP.
class TcpLatencyMeasurement : public KernelTcpMeasurement
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::TcpLatencyMeasurement")
                                .SetParent<KernelTcpMeasurement>()
                                .SetGroupName("RdmaExperiment")
                                .AddConstructor<TcpLatencyMeasurement>();
        return tid;
    }

    TcpLatencyMeasurement()
        : KernelTcpMeasurement(64)
    {
    }

    KindInfo GetInfo() const override
    {
        return {"tcp-lat", "latency of kernel TCP, step by step"};
    }

    void Visit(Keys& keys) override
    {
        VisitLink(keys);
    }

    MeasuredRows Measure() override
    {
        constexpr double TICKS_PER_US{1e6};
        CheckDuration(1);
        const std::vector<KernelTcpStep> steps = m_model->MeasureLatency(m_load);
        Tick sum = 0;
        Tick work = 0;
        for (const KernelTcpStep& step : steps)
        {
            sum += step.duration;
            work += step.isWork ? step.duration : 0;
        }
        // In a round trip a host sends once and receives once.
        const double cores = static_cast<double>(work) / static_cast<double>(2 * sum);
        MeasuredRows rows;
        rows.Begin();
        rows.Set("latency_us", static_cast<double>(sum) / TICKS_PER_US, "half of a round trip");
        rows.Set("sender_cores", cores, "cores that the sender uses");
        rows.Set("receiver_cores", cores, "cores that the receiver uses");
        for (const KernelTcpStep& step : steps)
        {
            std::string name = step.name + "_us";
            std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) {
                return static_cast<char>(std::isalnum(c) ? std::tolower(c) : '_');
            });
            rows.Set(name,
                     static_cast<double>(step.duration) / TICKS_PER_US,
                     step.isWork ? "step of it: work of a core" : "step of it: a core waits");
        }
        return rows;
    }
};

NS_OBJECT_ENSURE_REGISTERED(TcpLatencyMeasurement);

} // namespace ns3::rdma
