// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/scenario-kind.h"

#include "ns3/attribute-fault.h"
#include "ns3/input-error.h"
#include "ns3/key-writer.h"
#include "ns3/object-factory.h"
#include "ns3/policy-error.h"

#include <algorithm>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(ScenarioKind);

TypeId
ScenarioKind::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::ScenarioKind").SetParent<Object>().SetGroupName("RdmaExperiment");
    return tid;
}

void
ScenarioKind::Write(nlohmann::ordered_json& json) const
{
    KeyWriter writer(json);
    const_cast<ScenarioKind*>(this)->Visit(writer); // As below: only readers change the object.
}

std::vector<KeyInfo>
ScenarioKind::ListKeys() const
{
    return CallPolicy(*this, "Visit()", [this] {
        return rdma::ListKeys([this](Keys& keys) { const_cast<ScenarioKind*>(this)->Visit(keys); });
    });
}

std::vector<Ptr<ScenarioKind>>
MakeKinds(TypeId base)
{
    std::vector<Ptr<ScenarioKind>> kinds;
    for (const TypeId& type : FindTypes(base.GetName()))
    {
        ObjectFactory factory;
        factory.SetTypeId(type);
        kinds.push_back(factory.Create<ScenarioKind>());
    }
    std::sort(kinds.begin(), kinds.end(), [](const auto& left, const auto& right) {
        return left->GetInfo().name < right->GetInfo().name;
    });
    const auto same =
        std::adjacent_find(kinds.begin(), kinds.end(), [](const auto& left, const auto& right) {
            return left->GetInfo().name == right->GetInfo().name;
        });
    if (same != kinds.end())
    {
        throw InputError("expected kinds with names of their own, got \"" +
                         (*same)->GetInfo().name + "\" of " +
                         (*same)->GetInstanceTypeId().GetName() + " and of " +
                         (*(same + 1))->GetInstanceTypeId().GetName());
    }
    return kinds;
}

Ptr<ScenarioKind>
MakeKind(const JsonValue& value,
         const std::string& key,
         const std::vector<std::string>& common,
         TypeId base)
{
    const std::vector<Ptr<ScenarioKind>> kinds = MakeKinds(base);
    std::vector<std::string> names;
    for (const auto& kind : kinds)
    {
        names.push_back(kind->GetInfo().name);
    }
    const std::string name = value.Get(key).GetChoice(names);
    const auto kind = kinds[static_cast<std::size_t>(std::find(names.begin(), names.end(), name) -
                                                     names.begin())];
    kind->SetPath(value.GetPath());
    std::vector<std::string> known = common;
    known.push_back(key);
    for (const KeyInfo& info : kind->ListKeys())
    {
        known.push_back(info.name);
    }
    value.ExpectKeys(known);
    return kind;
}

} // namespace ns3::rdma
