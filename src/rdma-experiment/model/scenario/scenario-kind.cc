// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/scenario-kind.h"

#include "ns3/attribute-fault.h"
#include "ns3/input-error.h"
#include "ns3/object-factory.h"

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
ReadKind(const JsonValue& value,
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
    std::vector<std::string> keys = kind->GetInfo().keys;
    kind->SetPath(value.GetPath());
    keys.insert(keys.end(), common.begin(), common.end());
    keys.push_back(key);
    value.ExpectKeys(keys);
    return kind;
}

} // namespace ns3::rdma
