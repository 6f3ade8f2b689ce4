// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/link-loss-keys.h"

#include "ns3/attribute-check.h"
#include "ns3/loss-model.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace ns3::rdma
{

namespace
{

/// Of link 0's end a; away from the streams of other parts.
constexpr uint64_t FIRST_STREAM{0x6c696e6b00000000ULL};

/// @throws std::invalid_argument if the model refuses one of its attributes
Ptr<LossModel>
MakeModel(const LinkLossSpec& loss)
{
    AttributeValues attributes;
    for (const auto& [name, text] : loss.attributes)
    {
        attributes.Set(name, text);
    }
    return attributes.Create<LossModel>(TypeId::LookupByName(loss.model));
}

LinkLossSpec
ReadLinkLoss(const JsonValue& entry)
{
    const auto link = entry.Find("link");
    std::vector<std::string> keys{"link", "direction", "model", "attributes"};
    if (link)
    {
        keys.insert(keys.end(), {"nic", "port"});
    }
    entry.ExpectKeys(keys);
    LinkLossSpec loss;
    if (link)
    {
        loss.link = ReadLinkName(entry);
    }
    if (const auto direction = entry.Find("direction"))
    {
        loss.isForwardOnly = direction->GetChoice({"both", "forward"}) == "forward";
        if (loss.isForwardOnly && !loss.link)
        {
            direction->Fail("\"both\" without a link, from whose first node \"forward\" leads");
        }
    }
    loss.model = ReadTypeName(entry.Get("model"), LossModel::GetTypeId().GetName());
    if (const auto attributes = entry.Find("attributes"))
    {
        loss.attributes = ReadOwnAttributes(*attributes, loss.model);
        try
        {
            MakeModel(loss);
        }
        catch (const std::invalid_argument& error)
        {
            attributes->Fail("a loss model that can be made", error.what());
        }
    }
    return loss;
}

/// @return whether frames that leave by an end of a link meet with a loss. @param end 0: at a
bool
IsLossMeant(const LinkLossSpec& loss,
            const TopologyGraph& graph,
            const GraphLink& link,
            uint32_t end)
{
    return !loss.link || (loss.isForwardOnly ? loss.link->Matches(graph, link, end)
                                             : loss.link->Matches(graph, link));
}

} // namespace

std::vector<LinkLossSpec>
ReadLinkLosses(const JsonValue& value)
{
    std::vector<LinkLossSpec> losses;
    value.ForEachElement(
        [&losses](const JsonValue& entry) { losses.push_back(ReadLinkLoss(entry)); });
    return losses;
}

void
CheckLinkLosses(const std::vector<LinkLossSpec>& losses,
                const TopologyGraph& topology,
                const JsonValue& value)
{
    const std::vector<JsonValue> entries = value.GetElements();
    for (std::size_t i = 0; i < losses.size(); ++i)
    {
        if (losses[i].link)
        {
            CheckLinkName(*losses[i].link, topology, entries[i]);
        }
    }
}

nlohmann::ordered_json
WriteLinkLosses(const std::vector<LinkLossSpec>& losses)
{
    auto json = nlohmann::ordered_json::array();
    for (const LinkLossSpec& loss : losses)
    {
        nlohmann::ordered_json entry = nlohmann::ordered_json::object();
        if (loss.link)
        {
            WriteLinkName(*loss.link, entry);
            entry["direction"] = loss.isForwardOnly ? "forward" : "both";
        }
        entry["model"] = loss.model;
        if (!loss.attributes.empty())
        {
            entry["attributes"] = loss.attributes;
        }
        json.push_back(std::move(entry));
    }
    return json;
}

void
ApplyLinkLosses(const std::vector<LinkLossSpec>& losses, uint64_t seed, Fabric& fabric)
{
    const std::vector<GraphLink>& links = fabric.GetGraph().links;
    for (const LinkLossSpec& loss : losses)
    {
        for (std::size_t link = 0; link < links.size(); ++link)
        {
            for (uint32_t end = 0; end < 2; ++end)
            {
                if (IsLossMeant(loss, fabric.GetGraph(), links[link], end))
                {
                    const auto model = MakeModel(loss);
                    model->SetStream(RandomStream(seed, FIRST_STREAM + 2 * link + end));
                    fabric.GetLinkPort(link, end).SetLossModel(model); // Replaces an earlier one.
                }
            }
        }
    }
}

} // namespace ns3::rdma
