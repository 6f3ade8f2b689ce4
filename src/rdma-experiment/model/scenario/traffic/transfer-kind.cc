// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/input-error.h"
#include "ns3/renewal-keys.h"
#include "ns3/scenario-file.h"
#include "ns3/shipped-file.h"
#include "ns3/traffic-kind.h"
#include "ns3/transfer-traffic.h"

#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rdma
{

namespace
{

constexpr uint32_t MAX_TOKENS{1 << 24};
constexpr uint32_t MAX_LAYERS{4096};
constexpr uint32_t MAX_BLOCK_TOKENS{1 << 16};
constexpr uint64_t MAX_TOKEN_BYTES{1 << 24};
constexpr uint32_t MAX_SLICE{1U << 30};
constexpr uint32_t MAX_QUEUE_PAIRS{1024};
constexpr uint32_t MAX_OUTSTANDING{1 << 20};
constexpr uint32_t MAX_CONCURRENT{1 << 16};
constexpr double MAX_RATE{1e9};
constexpr double MAX_BYTES{std::numeric_limits<uint32_t>::max()}; ///< Of a record.
constexpr uint64_t MAX_SLICES{1 << 24};                           ///< Of a request.
constexpr double MAX_PS{1e18};                                    ///< 1,000,000 s.

constexpr std::array<std::pair<const char*, WrOpcode>, 2> DIRECTIONS{
    {{"push", WrOpcode::RDMA_WRITE}, {"pull", WrOpcode::RDMA_READ}}};

} // namespace

/// Workload type "transfer".
class TransferKind : public TrafficKind
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::TransferKind")
                                .SetParent<TrafficKind>()
                                .SetGroupName("RdmaExperiment")
                                .AddConstructor<TransferKind>();
        return tid;
    }

    KindInfo GetInfo() const override
    {
        return {"transfer",
                "KV caches of prompts, from servers that prefill to servers that decode"};
    }

    void Visit(Keys& keys) override
    {
        keys.Group("prefill", m_prefill, "group of servers that compute KV caches").Required();
        keys.Group("decode", m_decode, "group of servers that need them").Required();
        keys.Check(m_prefill != m_decode, "decode", "another group than that of prefill");
        keys.Choice("direction",
                    m_plan.opcode,
                    DIRECTIONS,
                    "push: prefill WRITEs; pull: decode READs");
        VisitRequests(keys);
        VisitCache(keys);
        VisitSlices(keys);
        VisitTimes(keys);
    }

    std::vector<std::pair<uint32_t, uint32_t>> GetPeers(const Scenario& scenario) const override
    {
        // Servers of a group have one design.
        return {{GetClients(scenario).front(), GetServers(scenario).front()}};
    }

    std::unique_ptr<FlowSource> Make(const Scenario& scenario, const TopologyGraph&) const override
    {
        AtPlace(scenario.file, GetPath(), [&] {
            Check(scenario);
            return 0;
        });
        return nullptr;
    }

    std::unique_ptr<RunTraffic> MakeTraffic(const Scenario& scenario,
                                            const TrafficContext& context) const override
    {
        TransferPlan plan = m_plan;
        plan.prompts = ReadPrompts(scenario);
        plan.clients = GetClients(scenario);
        plan.servers = GetServers(scenario);
        plan.times = GetTimes();
        plan.seed = GetSeed(scenario);
        return MakeTrafficAtPlace(scenario, [&] {
            return std::make_unique<TransferTraffic>(std::move(plan), context);
        });
    }

  private:
    void VisitRequests(Keys& keys)
    {
        keys.Number("requestsPerSecond",
                    m_plan.requestsPerSecond,
                    "rate of each server that posts, at random times; without it a closed loop")
            .Above(0)
            .AtMost(MAX_RATE)
            .OmitIf(m_plan.requestsPerSecond == 0)
            .Otherwise("none");
        keys.Count("concurrent", m_plan.concurrent, "requests of a server in a closed loop")
            .Between(1U, MAX_CONCURRENT)
            .OnlyIf(m_plan.requestsPerSecond == 0, "no such key with requestsPerSecond");
        keys.Form(m_form, {"promptTokens", "prompts"});
        keys.Count("promptTokens", m_plan.promptTokens, "length of each prompt")
            .Between(uint64_t{1}, uint64_t{MAX_TOKENS})
            .OmitIf(m_form != "promptTokens");
        keys.File("prompts", m_prompts, "distribution of lengths in tokens: a file (CDF)")
            .Shipped(FlowSizeCdf::EXTENSION);
    }

    void VisitCache(Keys& keys)
    {
        keys.Count("layers", m_plan.layers, "layers of the model")
            .Between(1U, MAX_LAYERS)
            .Required();
        keys.Bytes("tokenBytes", m_plan.tokenBytes, "KV cache of a token in a layer")
            .Between(uint64_t{1}, MAX_TOKEN_BYTES)
            .Required();
        keys.Count("blockTokens", m_plan.blockTokens, "tokens of a block, which is moved whole")
            .Between(1U, MAX_BLOCK_TOKENS);
        keys.Time("layerTime", m_plan.layerTime, "computing time of a layer, before it is moved");
    }

    void VisitSlices(Keys& keys)
    {
        keys.Bytes("sliceBytes", m_plan.sliceBytes, "most bytes of a work request")
            .Between(1U, MAX_SLICE);
        keys.Count("queuePairs", m_plan.queuePairs, "queue pairs of two servers, used in turn")
            .Between(1U, MAX_QUEUE_PAIRS);
        keys.Count("outstanding", m_plan.outstanding, "work requests of a queue pair under way")
            .Between(1U, MAX_OUTSTANDING);
        keys.Time("postTime", m_plan.postTime, "time of the posting core for each work request");
        VisitRenewal(keys, m_plan.renewal);
    }

    bool IsPush() const
    {
        return m_plan.opcode == WrOpcode::RDMA_WRITE;
    }

    const std::vector<uint32_t>& GetClients(const Scenario& scenario) const
    {
        return scenario.groups.at(IsPush() ? m_prefill : m_decode);
    }

    const std::vector<uint32_t>& GetServers(const Scenario& scenario) const
    {
        return scenario.groups.at(IsPush() ? m_decode : m_prefill);
    }

    /// @return null: there is none.
    std::shared_ptr<const FlowSizeCdf> ReadPrompts(const Scenario& scenario) const
    {
        if (m_prompts.empty())
        {
            return nullptr;
        }
        return std::make_shared<const FlowSizeCdf>(
            FlowSizeCdf::Read(FindFileOrShipped(scenario,
                                                m_prompts,
                                                FlowSizeCdf::EXTENSION,
                                                GetPath() + ".prompts")));
    }

    /// @throws InputError ".key: expected ..., got ..." that continues the workload's path
    void Check(const Scenario& scenario) const
    {
        const auto prompts = ReadPrompts(scenario);
        const uint64_t tokens =
            prompts ? prompts->GetQuantile(std::nextafter(1.0, 0.0)) : m_plan.promptTokens;
        const double bytes = static_cast<double>(m_plan.CountBlocks(tokens)) *
                             static_cast<double>(m_plan.GetBlockBytes()) * m_plan.layers;
        if (tokens > MAX_TOKENS || bytes > MAX_BYTES)
        {
            throw InputError("." + m_form + ": expected a KV cache of less than 4 GiB, got " +
                             std::to_string(tokens) + " tokens");
        }
        const uint64_t slices = m_plan.CountBlocks(tokens) * m_plan.CountSlices() * m_plan.layers;
        if (slices > MAX_SLICES)
        {
            throw InputError(".sliceBytes: expected at most " + std::to_string(MAX_SLICES) +
                             " slices in a request, got " + std::to_string(slices));
        }
        if (static_cast<double>(m_plan.layerTime) * m_plan.layers > MAX_PS)
        {
            throw InputError(".layerTime: expected at most 1000000 s in all layers, got more");
        }
    }

    TransferPlan m_plan; ///< Without servers, prompts, times and seed.
    std::string m_prefill;
    std::string m_decode;
    std::string m_form;    ///< Of the prompts: the key that is there.
    std::string m_prompts; ///< A path relative to the scenario file, or a name.
};

NS_OBJECT_ENSURE_REGISTERED(TransferKind);

} // namespace ns3::rdma
