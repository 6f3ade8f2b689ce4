// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kv-load-dispatch.h"

#include <algorithm>
#include <cmath>

namespace ns3::rdma
{

double
KvLoadDispatch::GetHitProbability(double share) const
{
    if (memoryRatio >= share)
    {
        return 1;
    }
    return keys ? std::log(memoryRatio * *keys) / std::log(share * *keys) : memoryRatio / share;
}

double
KvLoadDispatch::FindShare() const
{
    // The load of DRAM minus that of PCIe; it grows with the share.
    const auto getExcess = [this](double share) {
        return share / throughputRatio - (1 - share * GetHitProbability(share));
    };
    if (getExcess(1) <= 0)
    {
        return 1;
    }
    double low = 0;
    double high = 1;
    constexpr int HALVINGS{60}; // Below the precision of a double.
    for (int i = 0; i < HALVINGS; ++i)
    {
        const double middle = (low + high) / 2;
        (getExcess(middle) <= 0 ? low : high) = middle;
    }
    return low;
}

double
KvLoadDispatch::GetThroughput(double share) const
{
    const double onPcie = 1 - share * GetHitProbability(share);
    const double pcie = onPcie > 0 ? 1 / onPcie : HUGE_VAL;
    return std::min(pcie, throughputRatio / share);
}

double
KvLoadDispatch::GetPartitionedThroughput() const
{
    const double onDram =
        std::min(memoryRatio / (1 + memoryRatio), throughputRatio / (1 + throughputRatio));
    return std::min(throughputRatio / onDram, 1 / (1 - onDram));
}

double
FindKvDispatchRatio(const KvMemorySettings& settings, double throughputRatio, double keys)
{
    if (settings.cacheBytes == 0)
    {
        return 0;
    }
    KvLoadDispatch dispatch;
    dispatch.memoryRatio =
        static_cast<double>(settings.cacheBytes) / static_cast<double>(settings.memoryBytes);
    dispatch.throughputRatio = throughputRatio;
    if (keys * dispatch.memoryRatio > 1)
    {
        dispatch.keys = keys;
    }
    return dispatch.FindShare();
}

} // namespace ns3::rdma
