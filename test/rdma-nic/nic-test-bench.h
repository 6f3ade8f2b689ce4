// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_NIC_TEST_BENCH_H
#define RDMA_NIC_TEST_BENCH_H

#include "ns3/config.h"
#include "ns3/fabric-simulator-impl.h"
#include "ns3/fabric.h"
#include "ns3/loss-models.h"
#include "ns3/nic-presets.h"
#include "ns3/opcode.h"
#include "ns3/rdma-nic.h"
#include "ns3/server-nics.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rdma
{

/**
 * A fabric with one NIC of a preset on each server.  Set attributes, Build(), Connect(), Post(),
 * Run(); the simulator and all attribute defaults are as before when the bench is gone.
 */
class NicTestBench
{
  public:
    /// A completion, where and when it came.
    struct Ended
    {
        uint32_t node;
        WorkCompletion completion;
        Tick at;
    };

    /// Both ends of a connection.
    struct Pair
    {
        uint32_t src;
        uint32_t srcQp;
        uint32_t dst;
        uint32_t dstQp;
    };

    /// @param hasHardware whether hardware takes time, with the preset's values
    explicit NicTestBench(const std::string& preset, bool hasHardware = false)
    {
        UseFabricSimulator();
        const NicPreset& design = *FindNicPreset(preset);
        for (const auto& [name, value] : design.attributes)
        {
            Config::SetDefault(name, StringValue(value));
        }
        if (hasHardware)
        {
            for (const auto& [name, value] : design.hardware)
            {
                Config::SetDefault(name, StringValue(value));
            }
        }
        SetPfc(design.needsPfc);
    }

    NicTestBench(const NicTestBench&) = delete;
    NicTestBench& operator=(const NicTestBench&) = delete;

    ~NicTestBench()
    {
        for (const auto& nic : m_nics)
        {
            nic->Dispose();
        }
        if (m_fabric)
        {
            m_fabric->Dispose();
        }
        Simulator::Destroy();
        Config::Reset();
    }

    /// @param name of an attribute without its namespace, "RdmaNic::AckInterval"
    static void Set(const std::string& name, const std::string& value)
    {
        Config::SetDefault("ns3::rdma::" + name, StringValue(value));
    }

    /// Hardware whose times are easy to add: PCIe of 125 ps per byte without TLP overhead, reads of
    /// 1000 ns, writes of 400 ns, stores of 300 ns; pipelines of 100 ns out and 200 ns in; no
    /// translations.
    static void UseSimpleHardware()
    {
        Set("RdmaNic::Hardware", "true");
        Set("PcieLink::Generation", "2");
        Set("PcieLink::TlpOverhead", "0");
        Set("PcieLink::ReadLatency", "1us");
        Set("PcieLink::WriteLatency", "400ns");
        Set("PcieLink::StoreLatency", "300ns");
        Set("TranslationCache::CacheEntries", "0"); // All of them are on the chip.
        Set("NicHardware::Cycle", "1ns");
        Set("NicHardware::TransmitBlocks", "out=100");
        Set("NicHardware::ReceiveBlocks", "in=200");
    }

    static void SetPfc(bool isEnabled)
    {
        Set("FabricSwitch::PfcEnabled", isEnabled ? "true" : "false");
    }

    /// Servers must be nodes 0, 1, ... of the graph.
    void Build(const TopologyGraph& graph, const FabricConfig& config = {})
    {
        m_fabric = CreateObject<Fabric>();
        m_fabric->Build(graph, config);
        for (const uint32_t server : graph.GetServers())
        {
            auto nic = CreateObject<RdmaNic>();
            const HeaderSizes& headers = nic->GetHeaderSizes();
            const Tick baseRtt =
                m_fabric->GetMaxBaseRtt(headers.GetWriteFrame(false, nic->GetPathMtu()),
                                        headers.GetAckFrame());
            nic->Start(m_fabric->GetCore(), FindNicPorts(*m_fabric, server).front(), baseRtt);
            nic->SetCompletionHandler([this, server](const WorkCompletion& completion) {
                m_ended.push_back({server, completion, Now()});
                if (m_onEnd)
                {
                    m_onEnd(m_ended.back());
                }
            });
            m_nics.push_back(nic);
        }
    }

    Pair Connect(uint32_t src, uint32_t dst, uint32_t initialPsn = 0)
    {
        const Pair pair{src, m_nics[src]->CreateQueuePair(), dst, m_nics[dst]->CreateQueuePair()};
        const uint32_t entropy = ++m_connections;
        m_nics[src]->Connect(pair.srcQp, {dst, pair.dstQp, entropy, initialPsn});
        m_nics[dst]->Connect(pair.dstQp, {src, pair.srcQp, entropy, initialPsn});
        return pair;
    }

    void Post(const Pair& pair, uint64_t wrId, uint64_t bytes)
    {
        m_nics[pair.src]->PostWrite(pair.srcQp, wrId, bytes);
    }

    /// Loses frames of one direction of a link. @param end where the direction starts
    void Lose(std::size_t link, uint32_t end, std::function<bool(const Frame&, uint64_t)> script)
    {
        auto loss = CreateObject<ScriptedLoss>();
        loss->SetScript(std::move(script));
        m_fabric->GetLinkPort(link, end).SetLossModel(loss);
    }

    /// @param handler called after each completion is recorded
    void OnEnd(std::function<void(const Ended&)> handler)
    {
        m_onEnd = std::move(handler);
    }

    static void Run()
    {
        Simulator::Run();
    }

    Tick Now()
    {
        return GetCore().engine->Now();
    }

    Fabric& GetFabric()
    {
        return *m_fabric;
    }

    FabricCore& GetCore()
    {
        return m_fabric->GetCore();
    }

    RdmaNic& GetNic(uint32_t server)
    {
        return *m_nics[server];
    }

    const std::vector<Ended>& GetEnded() const
    {
        return m_ended;
    }

    uint64_t CountEnded(WcStatus status) const
    {
        uint64_t count = 0;
        for (const Ended& ended : m_ended)
        {
            count += ended.completion.status == status;
        }
        return count;
    }

    uint64_t GetDrops(DropReason reason)
    {
        return GetCore().drops.Get(reason);
    }

    RequesterStats GetSent(const Pair& pair) const
    {
        return m_nics[pair.src]->FindQueuePair(pair.srcQp)->requester->GetStats();
    }

    uint64_t GetPlacedBytes(const Pair& pair) const
    {
        const Responder* responder = m_nics[pair.dst]->FindQueuePair(pair.dstQp)->responder;
        return responder ? responder->GetPlacedBytes() : 0;
    }

    /// Nothing is left: no frame in the pool, no byte in a switch.
    void ExpectEmpty()
    {
        EXPECT_EQ(GetCore().pool.GetInUse(), 0);
        for (uint32_t node = 0; node < m_fabric->GetNodes().GetN(); ++node)
        {
            if (const auto fabricSwitch = m_fabric->GetSwitch(node))
            {
                EXPECT_EQ(fabricSwitch->GetBuffer().GetTotalUsed(), 0);
            }
        }
    }

  private:
    Ptr<Fabric> m_fabric;
    std::vector<Ptr<RdmaNic>> m_nics; ///< By node.
    std::vector<Ended> m_ended;
    std::function<void(const Ended&)> m_onEnd;
    uint32_t m_connections{0};
};

/// Tests that run with each of the four designs that the project compares.
class EachNicDesign : public testing::TestWithParam<const char*>
{
  public:
    bool IsSelective() const
    {
        return GetParam() == std::string("irn") || GetParam() == std::string("srnic");
    }
};

/// Names the instances of a suite by their design.
inline std::string
GetDesignName(const testing::TestParamInfo<const char*>& info)
{
    std::string name = info.param;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

} // namespace ns3::rdma

/// Instantiates a suite of EachNicDesign.
#define RDMA_FOR_EACH_NIC_DESIGN(Suite)                                                            \
    INSTANTIATE_TEST_SUITE_P(Designs,                                                              \
                             Suite,                                                                \
                             testing::Values("connectx6", "irn", "srnic", "balboa"),               \
                             GetDesignName)

#endif // RDMA_NIC_TEST_BENCH_H
