// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_HEAP_MEASUREMENT_H
#define RDMA_HEAP_MEASUREMENT_H

#include "child-process.h"

#include "ns3/config.h"
#include "ns3/fabric-device.h"
#include "ns3/fabric-keys.h"
#include "ns3/fabric-simulator-impl.h"
#include "ns3/instant-chip.h"
#include "ns3/node.h"
#include "ns3/scenario-builder.h"
#include "ns3/simulation-run.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <malloc.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

namespace ns3::rdma
{

/// @return bytes handed out by malloc(), those mapped one by one included. The pool of frames is
/// mapped apart and not among them.
inline uint64_t
CountHeapBytes()
{
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

/// Takes what a Slab keeps free: what is made next then counts. What is left is less than a piece.
template <std::size_t SIZE>
void
DrainSlab()
{
    constexpr int PLACES{256}; // At least a piece.
    uint64_t before = 0;
    do
    {
        before = CountHeapBytes();
        for (int place = 0; place < PLACES; ++place)
        {
            Slab<SIZE>::Allocate();
        }
    } while (CountHeapBytes() == before);
}

/// The same for all classes that lie in slabs. In a process that ends soon: it is not given back.
inline void
DrainSlabs()
{
    DrainSlab<sizeof(FabricDevice)>();
    DrainSlab<sizeof(InstantChip)>();
    DrainSlab<sizeof(QueuePair)>();
    DrainSlab<sizeof(Requester)>();
}

/// @return what the heap has grown by when ns-3 has initialized what a function made and returned.
/// In a process of its own: what an earlier one has freed may be kept for the next, uncounted.
template <typename Make>
uint64_t
MeasureMade(const Make& make)
{
    return RunInChild<uint64_t>([&make] {
               DrainSlabs();
               UseFabricSimulator();
               const uint64_t before = CountHeapBytes();
               const auto made = make();
               Simulator::Stop(NanoSeconds(1));
               Simulator::Run();
               return CountHeapBytes() - before;
           })
        .value;
}

/// What a server needs, in bytes.
struct ServerBytes
{
    double withDevice;    ///< Node, ns-3's face of the port (FabricDevice) and NIC; no port.
    double withoutDevice; ///< Node and NIC.
};

/// The heap bytes of an idle server of a scenario.
class ServerHeap
{
  public:
    explicit ServerHeap(const Scenario& scenario)
        : m_scenario(scenario)
    {
        m_scenario.fabric.bufferBytes = uint64_t{1} << 30; // Headroom for all, under PFC.
    }

    ServerBytes Measure()
    {
        const double wholeRun = MeasurePerServer([this] {
            return std::make_unique<SimulationRun>(m_scenario, m_scenario.nics.front());
        });
        const double fabricAlone = MeasurePerServer([this] {
            Config::SetDefault("ns3::rdma::FabricSwitch::BufferSize",
                               UintegerValue(*m_scenario.fabric.bufferBytes));
            auto fabric = CreateObject<Fabric>();
            fabric->Build(MakeTopology(m_scenario),
                          MakeFabricConfig(m_scenario.fabric,
                                           m_scenario.run.seed,
                                           m_scenario.fabric.mtuBytes));
            return fabric;
        });
        const double nicAlone = wholeRun - fabricAlone;
        const double node = MeasurePerServer([this] { return MakeNodes(false); });
        const double nodeAndDevice = MeasurePerServer([this] { return MakeNodes(true); });
        return {nicAlone + nodeAndDevice - sizeof(FabricPort), nicAlone + node};
    }

  private:
    static constexpr uint32_t SERVERS{512};

    /// What twice as many servers need more: what ns-3 keeps for all runs drops out.
    template <typename Make>
    double MeasurePerServer(const Make& make)
    {
        UseStar(SERVERS);
        const uint64_t half = MeasureMade(make);
        UseStar(2 * SERVERS);
        return static_cast<double>(MeasureMade(make) - half) / SERVERS;
    }

    /// Each server is like the others, however many.
    void UseStar(uint32_t servers)
    {
        const nlohmann::json star{{"topology", "star"}, {"servers", servers}};
        m_scenario.fabric.topology = ReadFabric(JsonValue(star, "bench", "$.fabric")).topology;
        m_servers = servers;
    }

    std::vector<Ptr<Node>> MakeNodes(bool hasDevice) const
    {
        const auto core = std::make_shared<FabricCore>();
        core->engine = FabricEngine::Get();
        std::vector<Ptr<Node>> nodes;
        for (uint32_t node = 0; node < m_servers; ++node)
        {
            nodes.push_back(CreateObject<Node>());
            if (hasDevice)
            {
                nodes.back()->AddDevice(CreateObject<FabricDevice>(core, node, 0));
            }
        }
        return nodes;
    }

    Scenario m_scenario;
    uint32_t m_servers{0};
};

} // namespace ns3::rdma

#endif // RDMA_HEAP_MEASUREMENT_H
