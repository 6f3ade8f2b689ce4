// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FABRIC_TEST_BENCH_H
#define RDMA_FABRIC_TEST_BENCH_H

#include "ns3/config.h"
#include "ns3/fabric-simulator-impl.h"
#include "ns3/fabric.h"
#include "ns3/string.h"

#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// A frame as it came in.
struct Arrival
{
    Tick time;
    Frame frame;
};

/// @return an ECN-capable data frame; a thousand bytes are 1024 on the wire, 81,920 ps at 100 Gb/s.
inline Frame
MakeFrame(uint32_t src, uint32_t dst, uint32_t psn = 0, uint8_t priority = 3, uint32_t bytes = 1000)
{
    Frame frame{};
    frame.src = src;
    frame.dst = dst;
    frame.psn = psn;
    frame.priority = priority;
    frame.wireBytes = bytes;
    frame.flags = frame_flag::ECN_CAPABLE;
    return frame;
}

/// A server's NIC that records what comes in and sends frames on request.
class TestServer : public PortOwner
{
  public:
    TestServer(FabricCore& core, FabricPort& port)
        : m_core(core),
          m_port(port)
    {
        port.SetOwner(this);
    }

    FabricPort& GetPort()
    {
        return m_port;
    }

    /// Gives the frame to the port, which sends or queues it.
    void Send(const Frame& frame)
    {
        m_port.Enqueue(Copy(frame));
    }

    /// Sends so many copies, numbered by PSN, as fast as the port asks for them.
    void Blast(const Frame& frame, uint32_t count)
    {
        m_pattern = frame;
        m_left = count;
        m_port.Kick();
    }

    void Receive(FrameIndex index) override
    {
        ++m_core.packetHops;
        if (onReceive)
        {
            onReceive(m_core.pool[index]);
        }
        arrivals.push_back({m_core.engine->Now(), m_core.pool[index]});
        m_core.pool.Free(index);
    }

    void OnDequeue(FabricPort& port, Frame& frame) override
    {
        if (onDequeue)
        {
            onDequeue(port, frame);
        }
    }

    PulledFrame Pull(FabricPort&, uint32_t) override
    {
        pulls.push_back(m_core.engine->Now());
        if (m_left == 0 || m_port.IsPaused(m_pattern.priority))
        {
            return {};
        }
        const FrameIndex index = Copy(m_pattern);
        ++m_pattern.psn;
        --m_left;
        return {index, m_left > 0};
    }

    /// @return the PSNs of all frames that arrived, in order.
    std::vector<uint32_t> GetPsns() const
    {
        std::vector<uint32_t> psns;
        for (const Arrival& arrival : arrivals)
        {
            psns.push_back(arrival.frame.psn);
        }
        return psns;
    }

    /// @return when each frame arrived.
    std::vector<Tick> GetTimes() const
    {
        std::vector<Tick> times;
        for (const Arrival& arrival : arrivals)
        {
            times.push_back(arrival.time);
        }
        return times;
    }

    std::vector<Arrival> arrivals;
    std::vector<Tick> pulls; ///< When the port asked for a frame.
    std::function<void(FabricPort&, Frame&)> onDequeue;
    std::function<void(const Frame&)> onReceive;

  private:
    FrameIndex Copy(const Frame& frame)
    {
        const FrameIndex index = m_core.pool.Allocate();
        m_core.pool[index] = frame;
        return index;
    }

    FabricCore& m_core;
    FabricPort& m_port;
    Frame m_pattern{};
    uint32_t m_left{0};
};

/// Tests with a fabric of which every server is a TestServer.
class FabricBench : public testing::Test
{
  protected:
    void SetUp() override
    {
        UseFabricSimulator();
    }

    void TearDown() override
    {
        Clear();
        Config::Reset();
    }

    /// Builds the fabric and lets its nodes initialise themselves.
    void Build(const TopologyGraph& graph, const FabricConfig& config = {})
    {
        m_fabric = CreateObject<Fabric>();
        m_fabric->Build(graph, config);
        for (const uint32_t server : graph.GetServers())
        {
            m_servers.push_back(
                std::make_unique<TestServer>(m_fabric->GetCore(),
                                             m_fabric->GetServerDevice(server).GetPort()));
        }
        Simulator::Run();
    }

    /// Ends the fabric and its simulator.
    void Clear()
    {
        m_servers.clear();
        if (m_fabric)
        {
            m_fabric->Dispose();
            m_fabric = nullptr;
        }
        Simulator::Destroy();
    }

    static void SetDefault(const std::string& attribute, const std::string& value)
    {
        Config::SetDefault("ns3::rdma::FabricSwitch::" + attribute, StringValue(value));
    }

    /// Calls the action at that time.
    static void At(Tick when, std::function<void()> action)
    {
        Simulator::Schedule(PicoSeconds(when) - Simulator::Now(), std::move(action));
    }

    static void RunUntil(Tick when)
    {
        Simulator::Stop(PicoSeconds(when) - Simulator::Now());
        Simulator::Run();
    }

    TestServer& Server(uint32_t server)
    {
        return *m_servers.at(server);
    }

    FabricCore& Core()
    {
        return m_fabric->GetCore();
    }

    uint64_t CountDrops(DropReason reason)
    {
        return Core().drops.Get(reason);
    }

    Ptr<Fabric> m_fabric;
    std::vector<std::unique_ptr<TestServer>> m_servers; ///< By node id: servers come first.
};

} // namespace ns3::rdma

#endif // RDMA_FABRIC_TEST_BENCH_H
