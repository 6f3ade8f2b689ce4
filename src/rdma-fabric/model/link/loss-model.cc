// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/loss-model.h"

#include "ns3/register-type.h"

#include <string>

namespace ns3::rdma
{

RDMA_REGISTER_BASE(LossModel, Object, "RdmaFabric");

FrameImpairment
LossModel::Decide(const Frame& frame)
{
    const FrameImpairment impairment =
        CallPolicy(*this, "GetImpairment()", [&] { return GetImpairment(frame); });
    if (impairment.arrivals > FrameImpairment::MAX_ARRIVALS)
    {
        FailPolicy(*this,
                   "GetImpairment()",
                   "at most " + std::to_string(FrameImpairment::MAX_ARRIVALS) + " arrivals",
                   std::to_string(impairment.arrivals));
    }
    for (uint32_t arrival = 0; arrival < impairment.arrivals; ++arrival)
    {
        const Tick delay = impairment.extraDelays[arrival];
        if (delay < 0 || delay > FrameImpairment::MAX_DELAY)
        {
            FailPolicy(*this,
                       "GetImpairment()",
                       "a delay from 0 to " + DescribeTick(FrameImpairment::MAX_DELAY),
                       DescribeTick(delay));
        }
    }
    return impairment;
}

} // namespace ns3::rdma
