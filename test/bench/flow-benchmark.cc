// SPDX-License-Identifier: GPL-2.0-only

// What a flow costs besides its packets, and the way that its packets take.

#include "ns3/config.h"
#include "ns3/fabric-simulator-impl.h"
#include "ns3/fabric.h"
#include "ns3/fat-tree-topology.h"
#include "ns3/nic-presets.h"
#include "ns3/rdma-nic.h"
#include "ns3/simple-topologies.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <array>
#include <benchmark/benchmark.h>

namespace
{

using namespace ns3::rdma;

constexpr double SHORT_RUN_SECONDS{0.25};

/// Two servers on one link, both with an SRNIC.
class NicPair
{
  public:
    NicPair()
    {
        UseFabricSimulator();
        for (const auto& [name, value] : FindNicPreset("srnic")->attributes)
        {
            ns3::Config::SetDefault(name, ns3::StringValue(value));
        }
        m_fabric->Build(MakeBackToBack(ns3::DataRate("100Gbps"), ns3::MicroSeconds(1)), {});
        constexpr Tick BASE_RTT{2'200'000};
        for (uint32_t server = 0; server < m_nics.size(); ++server)
        {
            m_nics[server] = ns3::CreateObject<RdmaNic>();
            m_nics[server]->Start(m_fabric->GetCore(),
                                  m_fabric->GetServerDevice(server),
                                  server,
                                  BASE_RTT);
            m_nics[server]->SetCompletionHandler([](const WorkCompletion&) {});
        }
    }

    NicPair(const NicPair&) = delete;
    NicPair& operator=(const NicPair&) = delete;

    ~NicPair()
    {
        for (const auto& nic : m_nics)
        {
            nic->Dispose();
        }
        m_fabric->Dispose();
        ns3::Simulator::Destroy();
        ns3::Config::Reset();
    }

    /// @return numbers of a new queue pair at each end, connected.
    std::array<uint32_t, 2> Connect()
    {
        const std::array<uint32_t, 2> ends{m_nics[0]->CreateQueuePair(),
                                           m_nics[1]->CreateQueuePair()};
        m_nics[0]->Connect(ends[0], {1, ends[1], 1});
        m_nics[1]->Connect(ends[1], {0, ends[0], 2});
        return ends;
    }

    void Destroy(const std::array<uint32_t, 2>& ends)
    {
        m_nics[0]->DestroyQueuePair(ends[0]);
        m_nics[1]->DestroyQueuePair(ends[1]);
    }

    RdmaNic& GetSender()
    {
        return *m_nics[0];
    }

  private:
    ns3::Ptr<Fabric> m_fabric{ns3::CreateObject<Fabric>()};
    std::array<ns3::Ptr<RdmaNic>, 2> m_nics;
};

/// A queue pair at both ends is made, connected and destroyed, without its halves.
void
QueuePairsConnectDestroy(benchmark::State& state)
{
    NicPair nics;
    for (auto _ : state)
    {
        nics.Destroy(nics.Connect());
    }
    state.SetItemsProcessed(state.iterations());
}

/// A flow of one byte from its start to its end: the above, requester, responder, four events.
void
FlowOfOneByte(benchmark::State& state)
{
    NicPair nics;
    for (auto _ : state)
    {
        const auto ends = nics.Connect();
        nics.GetSender().PostWrite(ends[0], 0, 1);
        ns3::Simulator::Run();
        nics.Destroy(ends);
    }
    state.SetItemsProcessed(state.iterations());
}

/// The route of a frame between pods: five switches look up its destination, three hash.
void
RouteOfSixHops(benchmark::State& state)
{
    UseFabricSimulator();
    const auto fabric = ns3::CreateObject<Fabric>();
    FatTreeParameters parameters;
    parameters.servers = 1024;
    parameters.linkDelay = ns3::MicroSeconds(1);
    fabric->Build(FatTreeTopology::Build(parameters), {});
    uint32_t entropy = 0;
    for (auto _ : state)
    {
        ++entropy;
        benchmark::DoNotOptimize(fabric->FindPath(entropy % 512, 1023 - entropy % 256, entropy));
    }
    state.SetItemsProcessed(state.iterations());
    fabric->Dispose();
    ns3::Simulator::Destroy();
}

BENCHMARK(QueuePairsConnectDestroy)->MinTime(SHORT_RUN_SECONDS);
BENCHMARK(FlowOfOneByte)->MinTime(SHORT_RUN_SECONDS);
BENCHMARK(RouteOfSixHops)->MinTime(SHORT_RUN_SECONDS);

} // namespace
