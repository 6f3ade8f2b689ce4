// SPDX-License-Identifier: GPL-2.0-only

// What a switch decides for each frame: admission to the shared buffer, and the way out.

#include "ns3/shared-buffer.h"
#include "ns3/simple-balancers.h"

#include <array>
#include <benchmark/benchmark.h>
#include <vector>

namespace
{

using namespace ns3::rdma;

constexpr double SHORT_RUN_SECONDS{0.25};
constexpr uint32_t PORTS{20}; ///< Of a top-of-rack switch with 16 servers.
constexpr uint32_t FRAME_BYTES{1102};

/// Admits a frame and releases the oldest of the frames that are held, over all ports in turn.
void
SharedBufferAddRemove(benchmark::State& state)
{
    const BufferQuota lossless{4096, 37'500, 1.0 / 8};
    const BufferQuota lossy{0, 0, 1.0 / 8};
    std::vector<BufferQuota> quotas;
    for (uint32_t queue = 0; queue < PORTS * PRIORITIES; ++queue)
    {
        quotas.push_back(queue % PRIORITIES == 3 ? lossless : lossy);
    }
    SharedBuffer buffer(32U << 20, quotas);
    std::array<uint32_t, 1024> held;
    for (uint32_t frame = 0; frame < held.size(); ++frame)
    {
        held[frame] = frame % PORTS * PRIORITIES + 3;
        buffer.Add(held[frame], FRAME_BYTES);
    }
    uint32_t oldest = 0;
    for (auto _ : state)
    {
        const uint32_t queue = held[oldest];
        buffer.Remove(queue, FRAME_BYTES);
        if (buffer.HasRoom(queue, FRAME_BYTES))
        {
            buffer.Add(queue, FRAME_BYTES);
        }
        oldest = (oldest + 1) % held.size();
    }
    state.SetItemsProcessed(state.iterations());
}

/// One of four uplinks, through the interface that a switch calls.
void
EcmpChoose(benchmark::State& state)
{
    const ns3::Ptr<LoadBalancer> balancer = ns3::CreateObject<EcmpBalancer>();
    balancer->Start({1, 0, {}, nullptr});
    const std::array<FabricPort*, 4> uplinks{}; // It chooses without looking at them.
    const PortChoice choice{uplinks.data(), uplinks.size()};
    Frame frame{};
    for (auto _ : state)
    {
        ++frame.entropy;
        benchmark::DoNotOptimize(balancer->Choose(frame, choice, 0));
    }
    state.SetItemsProcessed(state.iterations());
}

BENCHMARK(SharedBufferAddRemove)->MinTime(SHORT_RUN_SECONDS);
BENCHMARK(EcmpChoose)->MinTime(SHORT_RUN_SECONDS);

} // namespace
