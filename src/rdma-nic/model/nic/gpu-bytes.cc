// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/gpu-bytes.h"

#include "ns3/boolean.h"
#include "ns3/gpu-path.h"
#include "ns3/rdma-nic.h"
#include "ns3/uinteger.h"

namespace ns3::rdma
{

uint64_t
GetGpuBytes(const NicDesign& design)
{
    BooleanValue isHardwareOn;
    design.Create<RdmaNic>()->GetAttribute("Hardware", isHardwareOn);
    const auto path = design.Create<GpuPath>();
    UintegerValue barBytes;
    path->GetAttribute("BarBytes", barBytes);
    UintegerValue pageBytes;
    path->GetAttribute("PageSize", pageBytes);
    return isHardwareOn.Get() ? barBytes.Get() / pageBytes.Get() * pageBytes.Get() : 0;
}

} // namespace ns3::rdma
