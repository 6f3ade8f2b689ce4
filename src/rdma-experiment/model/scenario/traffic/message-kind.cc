// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/message-traffic.h"
#include "ns3/request-kind.h"
#include "ns3/scenario.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rdma
{

namespace
{
constexpr uint32_t MAX_QUEUE_PAIRS{1 << 16};
constexpr uint32_t MAX_QUEUE{1 << 14};                ///< Largest send queue of ConnectX is 2^15.
constexpr uint64_t MAX_MESSAGE{1 << 30};              ///< InfiniBand: 2^31.
constexpr uint64_t MAX_MEMORY{uint64_t{1} << 36};     ///< Of a queue pair; it has no real memory.
constexpr uint64_t MAX_ALL_MEMORY{uint64_t{1} << 44}; ///< Of a server: below the next workload's.
constexpr uint64_t PLACE_MARGIN{64}; ///< At most added to a message, whose place is aligned.
constexpr uint64_t ATOMIC_BYTES{8};
} // namespace

/// Workload type "messages".
class MessageKind : public RequestKind
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::MessageKind")
                                .SetParent<RequestKind>()
                                .SetGroupName("RdmaExperiment")
                                .AddConstructor<MessageKind>();
        return tid;
    }

    KindInfo GetInfo() const override
    {
        return {"messages", "clients keep messages under way on queue pairs to servers"};
    }

    void Visit(Keys& keys) override
    {
        VisitGroups(keys);
        VisitMessages(keys);
        VisitReceives(keys);
        VisitTimes(keys);
    }

    void Resolve(const JsonValue& value, const Scenario& scenario) override
    {
        const uint64_t peers = std::max(GetClients(scenario).size(), GetServers(scenario).size());
        const uint64_t part = std::max(m_plan.memoryBytes, m_plan.bytes + PLACE_MARGIN);
        if (peers * m_plan.queuePairs > MAX_ALL_MEMORY / part)
        {
            value.Get("bytes").Fail("at most 16 TiB of memory of a server, with all queue pairs");
        }
    }

    std::vector<std::string> FindWarnings(const Scenario& scenario,
                                          const TopologyGraph&) const override
    {
        std::vector<std::string> warnings;
        for (const auto& [group, kernels] : scenario.kernels)
        {
            for (const KernelSpec& kernel : kernels)
            {
                if (!kernel.slots.empty())
                {
                    warnings.push_back("messages do not pass " + kernel.type + " in the slots of " +
                                       group + ": only flows and streams of service RC do");
                }
            }
        }
        return warnings;
    }

    std::unique_ptr<RunTraffic> MakeTraffic(const Scenario& scenario,
                                            const TrafficContext& context) const override
    {
        MessagePlan plan = m_plan;
        plan.clients = GetClients(scenario);
        plan.servers = GetServers(scenario);
        plan.times = GetTimes();
        plan.area = context.area;
        plan.seed = GetSeed(scenario);
        return MakeTrafficAtPlace(scenario, [&] {
            return std::make_unique<MessageTraffic>(std::move(plan), context);
        });
    }

  private:
    void VisitMessages(Keys& keys)
    {
        static constexpr std::array<std::pair<const char*, WrOpcode>, 4> OPERATIONS{
            {{"write", WrOpcode::RDMA_WRITE},
             {"send", WrOpcode::SEND},
             {"read", WrOpcode::RDMA_READ},
             {"fetch-and-add", WrOpcode::ATOMIC_FETCH_AND_ADD}}};
        static constexpr std::array<std::pair<const char*, Service>, 2> SERVICES{
            {{"RC", Service::RC}, {"UC", Service::UC}}};
        keys.Choice("operation", m_plan.operation, OPERATIONS, "what clients post");
        keys.Choice("service", m_plan.service, SERVICES, "service of the queue pairs");
        keys.Check(m_plan.service == Service::RC || !HasResponse(m_plan.operation),
                   "service",
                   "RC for READs and atomics");
        keys.Bytes("bytes", m_plan.bytes, "size of each message")
            .Between(uint64_t{0}, MAX_MESSAGE)
            .Required();
        keys.Check(!IsAtomic(m_plan.operation) || m_plan.bytes == ATOMIC_BYTES,
                   "bytes",
                   "8 for an atomic");
        keys.Count("queuePairs", m_plan.queuePairs, "queue pairs of each client to each server")
            .Between(1U, MAX_QUEUE_PAIRS);
        keys.Count("outstanding", m_plan.outstanding, "messages under way on each queue pair")
            .Between(1U, MAX_QUEUE);
        keys.Count("linked", m_plan.linked, "work requests posted together, with one doorbell")
            .Between(1U, MAX_QUEUE);
        keys.Check(m_plan.linked <= m_plan.outstanding, "linked", "at most outstanding");
        keys.Bytes("memory",
                   m_plan.memoryBytes,
                   "memory of each queue pair at each end, in which a message has a random place")
            .WithUnit()
            .AtMost(MAX_MEMORY)
            .OmitIf(m_plan.memoryBytes == 0)
            .Otherwise("one place");
    }

    void VisitReceives(Keys& keys)
    {
        constexpr const char* NO_RECEIVES{"no such key unless the operation is send"};
        constexpr uint32_t MAX_TIMER{31};
        const bool isSend = ConsumesReceive(m_plan.operation);
        keys.Count("receives", m_plan.receives, "receive requests that each queue pair begins with")
            .Between(1U, MAX_QUEUE)
            .OnlyIf(isSend, NO_RECEIVES);
        keys.Time("receiveDelay",
                  m_plan.receiveDelay,
                  "time from a message until its receive request is posted again")
            .OmitIf(m_plan.receiveDelay == 0)
            .OnlyIf(isSend, NO_RECEIVES);
        keys.Count("rnrTimer",
                   m_plan.rnrTimer,
                   "code of the wait after an RNR NAK (IBTA Vol. 1, Table 45)")
            .AtMost(MAX_TIMER)
            .OmitIf(!m_plan.rnrTimer)
            .OnlyIf(isSend, NO_RECEIVES)
            .Otherwise("the NIC's");
    }

    MessagePlan m_plan; ///< Without clients, servers, times, area and seed.
};

NS_OBJECT_ENSURE_REGISTERED(MessageKind);

} // namespace ns3::rdma
