// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/nic-design.h"

#include "ns3/nic-presets.h"

#include <stdexcept>

namespace ns3::rdma
{

NicDesign
NicDesign::FromPreset(const std::string& name, Timing timing)
{
    const NicPreset* preset = FindNicPreset(name);
    if (!preset)
    {
        std::string known;
        for (const NicPreset& one : GetNicPresets())
        {
            known += (known.empty() ? "" : ", ") + one.name;
        }
        throw std::invalid_argument("there is no NIC preset \"" + name + "\"; there are " + known);
    }
    NicDesign design;
    design.m_needsPfc = preset->needsPfc;
    for (const auto& [attribute, value] : preset->fabric)
    {
        design.m_fabricValues.Set(attribute, value);
    }
    for (const auto& [attribute, value] : preset->attributes)
    {
        design.Set(attribute, value);
    }
    if (timing == Timing::HARDWARE)
    {
        for (const auto& [attribute, value] : preset->hardware)
        {
            design.Set(attribute, value);
        }
    }
    return design;
}

} // namespace ns3::rdma
