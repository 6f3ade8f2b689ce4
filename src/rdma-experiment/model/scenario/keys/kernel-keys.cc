// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kernel-keys.h"

#include "ns3/attribute-check.h"
#include "ns3/checked-kernel.h"
#include "ns3/key-reader.h"
#include "ns3/nic-presets.h"
#include "ns3/run-design.h"
#include "ns3/server-group.h"
#include "ns3/service-slots.h"

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

const char*
GetSlotName(const SlotSpec& slot)
{
    return slot.isParallel ? (slot.isSent ? "transmit-parallel" : "receive-parallel")
                           : (slot.isSent ? "transmit" : "receive");
}

std::vector<SlotSpec>
ReadSlots(const JsonValue& value)
{
    std::vector<SlotSpec> slots;
    for (const JsonValue& element : value.GetElements())
    {
        const std::string name =
            element.GetChoice({"receive", "transmit", "receive-parallel", "transmit-parallel"});
        const bool isSent = name.rfind("transmit", 0) == 0;
        const bool isParallel = name.find("parallel") != std::string::npos;
        for (const SlotSpec& slot : slots)
        {
            if (name == GetSlotName(slot))
            {
                element.Fail("each slot once", name);
            }
        }
        slots.push_back({isSent, isParallel});
    }
    if (slots.empty())
    {
        value.Fail("at least one slot");
    }
    return slots;
}

/// A kernel that lets no data through cannot be where they leave, and one that lacks an attribute
/// lets none through.
void
CheckSlots(const JsonValue& value, const KernelSpec& spec, const Ptr<OffloadKernel>& kernel)
{
    const auto service = DynamicCast<StreamService>(kernel);
    for (const SlotSpec& slot : spec.slots)
    {
        if (slot.isSent && !slot.isParallel && !service)
        {
            value.Get("slots").Fail("a type below " + StreamService::GetTypeId().GetName() +
                                        " in the slot \"transmit\"",
                                    spec.type);
        }
    }
    const std::string missing = service && !spec.slots.empty() ? service->FindSlotFault() : "";
    if (!missing.empty())
    {
        const auto attributes = value.Find("attributes");
        (attributes ? *attributes : value).Fail("attributes with " + missing, "none");
    }
}

/// Makes the kernel of an entry, to check it. @throws InputError
Ptr<OffloadKernel>
MakeEntry(const JsonValue& entry, const KernelSpec& spec)
{
    try
    {
        return MakeKernel(spec);
    }
    catch (const std::invalid_argument& error)
    {
        const auto attributes = entry.IsObject() ? entry.Find("attributes") : std::nullopt;
        (attributes ? *attributes : entry).Fail("a kernel that can be made", error.what());
    }
}

/// Kernels of one group.
void
CheckKernelList(const JsonValue& value, const std::vector<KernelSpec>& kernels)
{
    const std::vector<JsonValue> entries = value.GetElements();
    std::map<uint64_t, std::string> codes;
    for (std::size_t place = 0; place < kernels.size(); ++place)
    {
        const JsonValue& entry = entries[place];
        const std::string& type = kernels[place].type;
        const Ptr<OffloadKernel> kernel = MakeEntry(entry, kernels[place]);
        CheckSlots(entry, kernels[place], kernel);
        if (const std::string fault = CheckedKernel(*kernel).FindFault(); !fault.empty())
        {
            entry.Fail("a kernel that can run", type + ": " + fault);
        }
        const uint64_t code = CheckedKernel(*kernel).GetRpcCode();
        const auto [first, isNew] = codes.emplace(code, type);
        if (!isNew)
        {
            entry.Fail("kernels with codes of their own",
                       type + " with code " + std::to_string(code) + " of " + first->second);
        }
    }
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

void
VisitKernel(Keys& keys, KernelSpec& kernel)
{
    keys.Type("type", kernel.type, "ns3::rdma::OffloadKernel", "class of the kernel").Required();
    VisitAttributes(
        keys,
        kernel.attributes,
        [&kernel](const JsonValue& value) { return ReadOwnAttributes(value, kernel.type); },
        "of the kernel, by full name");
    const auto write = [&kernel](const KeySpec&) {
        nlohmann::ordered_json json;
        for (const SlotSpec& slot : kernel.slots)
        {
            json.push_back(GetSlotName(slot));
        }
        return json;
    };
    keys.Other(
            "slots",
            {[&kernel](const JsonValue& value, const KeySpec&) { kernel.slots = ReadSlots(value); },
             write},
            "where the payload of flows passes it")
        .Shape(R"({"type": "array", "minItems": 1, "uniqueItems": true, "items": {"enum":
                   ["receive", "transmit", "receive-parallel", "transmit-parallel"]}})")
        .Otherwise("none: only requests call it");
    keys.Group("peers", kernel.peers, "only flows with the servers of this group pass it")
        .OnlyIf(!kernel.slots.empty(), "\"slots\" beside \"peers\"");
}

} // namespace

void
VisitKernels(Keys& keys, KernelsOfGroups& kernels)
{
    keys.Map(
            "kernels",
            kernels,
            [](Keys& map, const char* name, std::vector<KernelSpec>& list) {
                map.List(name, list, VisitKernel, "kernels of each NIC")
                    .Short("type")
                    .AtLeast(1)
                    .Then([&list](const JsonValue& value) { CheckKernelList(value, list); });
            },
            "kernels on the NICs of groups of servers")
        .OfGroups();
}

KernelsOfGroups
ReadKernels(const JsonValue& value, const ServerGroups& groups)
{
    KernelsOfGroups kernels;
    ReadKey(
        value,
        "kernels",
        [&kernels](Keys& keys) { VisitKernels(keys, kernels); },
        MakeContext(groups));
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
            if (design && design->preset == "balboa" && kernels.size() > ServiceSlots::MAX_REGIONS)
            {
                value.Get(group).Fail("at most " + std::to_string(ServiceSlots::MAX_REGIONS) +
                                          " kernels, the user regions of the shell",
                                      std::to_string(kernels.size()));
            }
        }
    }
}

std::vector<FlowService>
ListFlowServices(const Scenario& scenario)
{
    using Placement = StreamService::Placement;
    std::vector<FlowService> services;
    for (const auto& [group, kernels] : scenario.kernels)
    {
        for (const KernelSpec& kernel : kernels)
        {
            if (kernel.slots.empty())
            {
                continue;
            }
            FlowService& service = services.emplace_back();
            service.code = CheckedKernel(*MakeKernel(kernel)).GetRpcCode();
            for (const SlotSpec& slot : kernel.slots)
            {
                service.slots.push_back(
                    {slot.isSent, slot.isParallel ? Placement::PARALLEL : Placement::ON_PATH});
            }
            service.servers = scenario.groups.at(group);
            if (!kernel.peers.empty())
            {
                service.peers = scenario.groups.at(kernel.peers);
            }
        }
    }
    return services;
}

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
