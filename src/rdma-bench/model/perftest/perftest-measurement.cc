// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/perftest-measurement.h"

#include <numeric>

namespace ns3::rdma
{

namespace
{

template <typename Array>
void
Subtract(Array& later, const Array& earlier)
{
    for (std::size_t i = 0; i < later.size(); ++i)
    {
        later[i] -= earlier[i];
    }
}

CacheStats
operator-(const CacheStats& later, const CacheStats& earlier)
{
    return {later.hits - earlier.hits,
            later.misses - earlier.misses,
            later.stalls - earlier.stalls};
}

PcieStats
operator-(PcieStats later, const PcieStats& earlier)
{
    Subtract(later.upBytes, earlier.upBytes);
    Subtract(later.downBytes, earlier.downBytes);
    later.reads -= earlier.reads;
    later.writes -= earlier.writes;
    later.doorbells -= earlier.doorbells;
    later.tagStalls -= earlier.tagStalls;
    later.creditStalls -= earlier.creditStalls;
    later.rateStalls -= earlier.rateStalls;
    return later;
}

} // namespace

EndCounters
operator-(const EndCounters& later, const EndCounters& earlier)
{
    EndCounters difference = later;
    difference.dataFrames -= earlier.dataFrames;
    difference.dataBytes -= earlier.dataBytes;
    difference.retransmitted -= earlier.retransmitted;
    Subtract(difference.cpu.busy, earlier.cpu.busy);
    Subtract(difference.cpu.count, earlier.cpu.count);
    difference.pcie = later.pcie - earlier.pcie;
    difference.contexts = later.contexts - earlier.contexts;
    difference.translations = later.translations - earlier.translations;
    difference.receiveWqes = later.receiveWqes - earlier.receiveWqes;
    difference.ingress.frames -= earlier.ingress.frames;
    difference.ingress.discards -= earlier.ingress.discards;
    difference.ingress.stalls -= earlier.ingress.stalls;
    return difference;
}

double
PerftestMeasurement::GetGbps(uint64_t bytes) const
{
    constexpr double GBPS_PER_BYTE_AND_PS{8000};
    return static_cast<double>(bytes) * GBPS_PER_BYTE_AND_PS / static_cast<double>(end - begin);
}

double
PerftestMeasurement::GetWireGbps() const
{
    return GetGbps(client.dataBytes + server.dataBytes);
}

double
PerftestMeasurement::GetExtraPcieGbps(const EndCounters& counted) const
{
    const auto up =
        std::accumulate(counted.pcie.upBytes.begin(), counted.pcie.upBytes.end(), uint64_t{0});
    const auto both =
        std::accumulate(counted.pcie.downBytes.begin(), counted.pcie.downBytes.end(), up);
    return GetGbps(both) - GetWireGbps();
}

} // namespace ns3::rdma
