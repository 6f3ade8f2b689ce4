// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/attribute-check.h"
#include "ns3/get-table.h"
#include "ns3/kernel-keys.h"
#include "ns3/kernel-probe.h"
#include "ns3/kernel-tcp.h"
#include "ns3/request-kind.h"
#include "ns3/rpc-traffic.h"
#include "ns3/software-costs.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace ns3::rdma
{

namespace
{

constexpr int MAX_OUTSTANDING{1 << 16};
constexpr int MAX_CORES{1024};
constexpr int MAX_KEYS{1 << 24};
constexpr int MAX_VALUE_BYTES{1 << 20};
constexpr uint64_t MAX_STORED_BYTES{1 << 30}; ///< Of all values: they are in real memory.
constexpr uint32_t DEFAULT_OPEN_LIMIT{64};
constexpr double DEFAULT_OCCUPANCY{0.5};
constexpr double MAX_RATE{1e9};
constexpr int MAX_EXPONENT{10};
constexpr double MAX_BUCKETS{1 << 26}; ///< keys / occupancy: a GiB of entries.

} // namespace

/// Workload type "rpc".
class RpcKind : public RequestKind
{
  public:
    RpcKind()
    {
        m_plan.request = GetRpcMethods().front().name;
        m_plan.occupancy = DEFAULT_OCCUPANCY;
    }

    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::RpcKind")
                                .SetParent<RequestKind>()
                                .SetGroupName("RdmaExperiment")
                                .AddConstructor<RpcKind>();
        return tid;
    }

    KindInfo GetInfo() const override
    {
        return {"rpc", "clients get values of keys from servers: by kernels, READs or TCP"};
    }

    void Visit(Keys& keys) override
    {
        std::vector<std::string> methods;
        for (const RpcMethodInfo& method : GetRpcMethods())
        {
            methods.push_back(method.name);
        }
        VisitGroups(keys);
        keys.Choice("request", m_plan.request, std::move(methods), "how a GET is carried out")
            .Required();
        const RpcMethodInfo& method = FindRpcMethod(m_plan.request);
        keys.Type("kernel",
                  m_plan.kernel,
                  "ns3::rdma::OffloadKernel",
                  "kernel that is called, with the parameters and answers of the request")
            .OnlyIf(!method.kernel.empty(), "a request that calls a kernel with it", m_plan.request)
            .Otherwise("ns3::rdma::GetKernel or TraversalKernel, by the request");
        keys.Count("cores", m_plan.cores, "cores of each host that serve requests")
            .Between(1, MAX_CORES)
            .OnlyIf(method.hasService, "a request that cores carry out with it", m_plan.request);
        keys.Other("costs",
                   {[this](const JsonValue& value, const KeySpec&) { ReadCosts(value); },
                    [this](const KeySpec&) {
                        const auto& costs = m_plan.costs.GetAll();
                        return costs.empty() ? nlohmann::ordered_json()
                                             : nlohmann::ordered_json(costs);
                    }},
                   "attributes of SoftwareCosts (read, tcp) and KernelTcp (tcp)")
            .Shape(R"({"type": "object",
                       "additionalProperties": {"type": ["string", "number", "boolean"]}})");
        keys.Number("requestsPerSecond",
                    m_plan.requestsPerSecond,
                    "rate of each client, at random times; without it a closed loop")
            .Above(0)
            .AtMost(MAX_RATE)
            .OmitIf(m_plan.requestsPerSecond == 0)
            .Otherwise("none");
        keys.Count("outstanding",
                   m_plan.outstanding,
                   m_plan.requestsPerSecond > 0 ? DEFAULT_OPEN_LIMIT : 1,
                   "most requests of a client under way")
            .Between(1, MAX_OUTSTANDING)
            .Otherwise("1; open loop 64");
        keys.Count("keys", m_plan.keys, "keys on all servers together")
            .Between(1, MAX_KEYS)
            .Required();
        keys.Number("zipf", m_plan.zipf, "exponent of the keys' popularity; 0: uniform")
            .Between(0, MAX_EXPONENT);
        keys.Number("absent", m_plan.absent, "share of requests for keys that do not exist")
            .Between(0, 1);
        keys.Bytes("valueBytes", m_plan.valueBytes, "size of each value")
            .AtMost(MAX_VALUE_BYTES)
            .Required();
        keys.Check(m_plan.keys * m_plan.valueBytes <= MAX_STORED_BYTES,
                   "keys",
                   "at most 1 GiB of values");
        keys.Number("occupancy", m_plan.occupancy, "share of the hash tables' buckets in use")
            .Above(0)
            .AtMost(1);
        keys.Check(static_cast<double>(m_plan.keys) / m_plan.occupancy <= MAX_BUCKETS,
                   "occupancy",
                   "a share with at most 67108864 buckets");
        VisitTimes(keys);
    }

    /// The servers must have the kernel, and it must answer such requests.
    void Resolve(const JsonValue& value, const Scenario& scenario) override
    {
        const RpcMethodInfo& method = FindRpcMethod(m_plan.request);
        if (!method.encode)
        {
            return;
        }
        m_plan.kernel = m_plan.kernel.empty() ? method.kernel : m_plan.kernel;
        const std::vector<uint32_t>& servers = GetServers(scenario);
        if (!HaveKernel(scenario, servers, m_plan.kernel))
        {
            value.Get("request").Fail("a request for which $.kernels." + GetServerGroup() +
                                      " has " + m_plan.kernel);
        }
        for (const Ptr<OffloadKernel>& kernel : MakeKernels(scenario, servers.front()))
        {
            const bool isCalled = kernel->GetInstanceTypeId().GetName() == m_plan.kernel;
            if (const std::string fault = isCalled ? FindFault(*kernel) : ""; !fault.empty())
            {
                value.Get(value.Find("kernel") ? "kernel" : "request")
                    .Fail("a kernel that answers requests of " + m_plan.request,
                          m_plan.kernel + ", which " + fault);
            }
        }
    }

    std::unique_ptr<RunTraffic> MakeTraffic(const Scenario& scenario,
                                            const TrafficContext& context) const override
    {
        RpcPlan plan = m_plan;
        plan.clients = GetClients(scenario);
        plan.servers = GetServers(scenario);
        plan.times = GetTimes();
        plan.area = context.area;
        plan.seed = GetSeed(scenario);
        return MakeTrafficAtPlace(scenario, [&] {
            return std::make_unique<RpcTraffic>(std::move(plan), context);
        });
    }

  private:
    /// Attributes of the objects that say what a core does for a request.
    void ReadCosts(const JsonValue& costs)
    {
        std::vector<std::string> types;
        if (FindRpcMethod(m_plan.request).hasService)
        {
            types.push_back(KernelTcp::GetTypeId().GetName());
        }
        if (!FindRpcMethod(m_plan.request).encode)
        {
            types.push_back(SoftwareCosts::GetTypeId().GetName());
        }
        for (const auto& [name, text] : ReadAttributes(costs))
        {
            const std::string type = name.substr(0, name.rfind("::"));
            if (std::find(types.begin(), types.end(), type) == types.end())
            {
                costs.Get(name).Fail("an attribute that has an effect on requests of " +
                                         m_plan.request,
                                     name);
            }
            m_plan.costs.Set(name, text);
        }
    }

    /// @return what is wrong with a kernel's answer to a GET of a key that is there; empty:
    /// nothing.
    std::string FindFault(OffloadKernel& kernel) const
    {
        constexpr uint64_t TARGET{uint64_t{1} << 32};
        constexpr uint64_t ENTRY{uint64_t{1} << 33};
        constexpr uint64_t VALUE{uint64_t{1} << 34};
        const uint64_t key = RpcPlan::MakeKey(0);
        const std::vector<uint8_t> value = m_plan.MakeValue(key);
        GetEntry entry;
        entry.buckets[0] = {key, VALUE, m_plan.valueBytes};
        const std::vector<uint8_t> bytes = entry.Encode();
        KernelProbe probe(kernel);
        probe.GetHostMemory().Write(ENTRY, bytes.data(), bytes.size());
        probe.GetHostMemory().Write(VALUE, value.data(), value.size());
        return probe.Call(FindRpcMethod(m_plan.request).encode(m_plan, TARGET, ENTRY, key),
                          TARGET,
                          value);
    }

    RpcPlan m_plan; ///< Without clients, servers, times and seed.
};

NS_OBJECT_ENSURE_REGISTERED(RpcKind);

} // namespace ns3::rdma
