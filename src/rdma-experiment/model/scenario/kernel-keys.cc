// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kernel-keys.h"

#include "ns3/attribute-check.h"
#include "ns3/nic-presets.h"
#include "ns3/run-design.h"
#include "ns3/server-group.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace ns3::rdma
{

namespace
{

/// @throws std::invalid_argument if the kernel refuses one of its attributes
Ptr<OffloadKernel>
MakeKernel(const KernelSpec& spec)
{
    AttributeValues attributes;
    for (const auto& [name, text] : spec.attributes)
    {
        attributes.Set(name, text);
    }
    return attributes.Create<OffloadKernel>(TypeId::LookupByName(spec.type));
}

/// A kernel is the name of its type, or an object with that and attributes.
KernelSpec
ReadKernel(const JsonValue& value)
{
    const std::string base = OffloadKernel::GetTypeId().GetName();
    if (!value.IsObject())
    {
        return {ReadTypeName(value, base), {}};
    }
    value.ExpectKeys({"type", "attributes"});
    KernelSpec spec{ReadTypeName(value.Get("type"), base), {}};
    if (const auto attributes = value.Find("attributes"))
    {
        spec.attributes = ReadOwnAttributes(*attributes, spec.type);
        try
        {
            MakeKernel(spec);
        }
        catch (const std::invalid_argument& error)
        {
            attributes->Fail("a kernel that can be made", error.what());
        }
    }
    return spec;
}

std::vector<KernelSpec>
ReadKernelList(const JsonValue& value)
{
    std::vector<KernelSpec> kernels;
    std::map<uint64_t, std::string> codes;
    for (const JsonValue& element : value.GetElements())
    {
        kernels.push_back(ReadKernel(element));
        const std::string& type = kernels.back().type;
        const Ptr<OffloadKernel> kernel = MakeKernel(kernels.back());
        if (const std::string fault = kernel->FindFault(); !fault.empty())
        {
            element.Fail("a kernel that can run", type + ": " + fault);
        }
        const uint64_t code = kernel->GetRpcCode();
        const auto [place, isNew] = codes.emplace(code, type);
        if (!isNew)
        {
            element.Fail("kernels with codes of their own",
                         type + " with code " + std::to_string(code) + " of " + place->second);
        }
    }
    if (kernels.empty())
    {
        value.Fail("at least one kernel");
    }
    return kernels;
}

/// @return the presets whose NICs run kernels.
std::string
DescribeKernelPresets()
{
    std::string names;
    for (const NicPreset& preset : GetNicPresets())
    {
        if (preset.runsKernels)
        {
            names += (names.empty() ? "" : ", ") + preset.name;
        }
    }
    return names;
}

} // namespace

KernelsOfGroups
ReadKernels(const JsonValue& value, const ServerGroups& groups)
{
    KernelsOfGroups kernels;
    for (const auto& [group, list] : value.GetMembers())
    {
        CheckGroupName(group, groups, list);
        kernels[group] = ReadKernelList(list);
    }
    return kernels;
}

void
CheckKernels(const Scenario& scenario, const JsonValue& value)
{
    for (const auto& [group, kernels] : scenario.kernels)
    {
        for (const NicSpec& nic : scenario.nics)
        {
            const uint32_t server = scenario.groups.at(group).front(); // All have one design.
            const DesignSpec* const design = FindDesign(scenario, nic, server);
            if (design && !FindNicPreset(design->preset)->runsKernels)
            {
                value.Get(group).Fail("a group whose NICs run kernels (" + DescribeKernelPresets() +
                                          ")",
                                      design->preset + " in \"" + nic.name + "\"");
            }
        }
    }
}

nlohmann::ordered_json
WriteKernels(const KernelsOfGroups& kernels)
{
    auto json = nlohmann::ordered_json::object();
    for (const auto& [group, list] : kernels)
    {
        for (const KernelSpec& kernel : list)
        {
            if (kernel.attributes.empty())
            {
                json[group].push_back(kernel.type);
            }
            else
            {
                json[group].push_back({{"type", kernel.type}, {"attributes", kernel.attributes}});
            }
        }
    }
    return json;
}

namespace
{
/// @return null: the server is in no group with kernels.
const std::vector<KernelSpec>*
FindKernels(const Scenario& scenario, uint32_t server)
{
    for (const auto& [group, kernels] : scenario.kernels)
    {
        const std::vector<uint32_t>& members = scenario.groups.at(group);
        if (std::binary_search(members.begin(), members.end(), server))
        {
            return &kernels;
        }
    }
    return nullptr;
}
} // namespace

std::vector<Ptr<OffloadKernel>>
MakeKernels(const Scenario& scenario, uint32_t server)
{
    std::vector<Ptr<OffloadKernel>> made;
    if (const auto* kernels = FindKernels(scenario, server))
    {
        for (const KernelSpec& spec : *kernels)
        {
            made.push_back(MakeKernel(spec));
        }
    }
    return made;
}

bool
HaveKernel(const Scenario& scenario, const std::vector<uint32_t>& servers, const std::string& type)
{
    return std::all_of(servers.begin(), servers.end(), [&](uint32_t server) {
        const auto* kernels = FindKernels(scenario, server);
        return kernels && std::any_of(kernels->begin(), kernels->end(), [&](const auto& kernel) {
                   return kernel.type == type;
               });
    });
}

} // namespace ns3::rdma
