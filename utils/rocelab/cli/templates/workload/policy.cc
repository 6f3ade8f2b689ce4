// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flow-source.h"
#include "ns3/input-error.h"
#include "ns3/nstime.h"
#include "ns3/workload-kind.h"

namespace ns3::rdma
{

namespace
{

/// Each server sends one message to the server that is a number of places further, in rounds.
class TemplateNameSource : public FlowSource
{
  public:
    TemplateNameSource(std::vector<uint32_t> servers,
                       uint64_t bytes,
                       uint32_t shift,
                       uint32_t rounds,
                       Time period)
        : m_servers(std::move(servers)),
          m_bytes(bytes),
          m_shift(shift),
          m_rounds(rounds),
          m_period(period)
    {
    }

    std::optional<FlowArrival> Next() override // In rising order of start times.
    {
        if (m_next == *GetFlowCount())
        {
            return std::nullopt;
        }
        const uint64_t round = m_next / m_servers.size();
        const uint64_t place = m_next++ % m_servers.size();
        FlowArrival flow{};
        flow.src = m_servers[place];
        flow.dst = m_servers[(place + m_shift) % m_servers.size()];
        flow.bytes = m_bytes;
        flow.startPs = static_cast<int64_t>(round) * m_period.GetPicoSeconds();
        return flow;
    }

    std::optional<uint64_t> GetFlowCount() const override
    {
        return m_servers.size() * m_rounds;
    }

  private:
    std::vector<uint32_t> m_servers;
    uint64_t m_bytes;
    uint32_t m_shift;
    uint64_t m_rounds;
    Time m_period;
    uint64_t m_next{0};
};

} // namespace

/// Workload type "template-name".
class TemplateName : public WorkloadKind
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::TemplateName")
                                .SetParent<WorkloadKind>()
                                .AddConstructor<TemplateName>();
        return tid;
    }

    KindInfo GetInfo() const override
    {
        return {"template-name",
                "each server sends to the server that is a number of places further"};
    }

    void Visit(Keys& keys) override // `rocelab list keys template-name --plugin` prints them.
    {
        keys.Bytes("bytes", m_bytes, "size of each message").Required();
        keys.Count("shift", m_shift, "places from a sender to its receiver").AtLeast(1);
        keys.Count("rounds", m_rounds, "messages of each server").AtLeast(1);
        keys.Time("period", m_period, "time between two rounds").Positive();
    }

    std::unique_ptr<FlowSource> Make(const Scenario&, const TopologyGraph& topology) const override
    {
        const std::vector<uint32_t> servers = topology.GetServers();
        if (m_shift % servers.size() == 0)
        {
            throw InputError("workload.shift: expected no multiple of the number of servers, got " +
                             std::to_string(m_shift));
        }
        return std::make_unique<TemplateNameSource>(servers, m_bytes, m_shift, m_rounds, m_period);
    }

  private:
    uint64_t m_bytes{0};
    uint32_t m_shift{1};
    uint32_t m_rounds{1};
    Time m_period{MicroSeconds(100)};
};

NS_OBJECT_ENSURE_REGISTERED(TemplateName);

} // namespace ns3::rdma
