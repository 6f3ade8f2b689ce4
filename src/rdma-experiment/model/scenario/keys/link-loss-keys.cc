// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/link-loss-keys.h"

#include "ns3/attribute-check.h"
#include "ns3/loss-model.h"

#include <algorithm>
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

std::map<std::string, std::string>
ReadModelAttributes(const JsonValue& value, const std::string& model)
{
    LinkLossSpec loss;
    loss.model = model;
    loss.attributes = ReadOwnAttributes(value, model);
    try
    {
        MakeModel(loss);
    }
    catch (const std::invalid_argument& error)
    {
        value.Fail("a loss model that can be made", error.what());
    }
    return loss.attributes;
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

void
VisitLinkLoss(Keys& keys, LinkLossSpec& loss)
{
    VisitLinkName(keys, loss.link, true, false);
    keys.Choice("direction",
                loss.isForwardOnly,
                LINK_DIRECTIONS,
                "both, or from the first node to the second")
        .OmitIf(!loss.link);
    keys.Check(loss.link || !loss.isForwardOnly,
               "direction",
               "\"both\" without a link, from whose first node \"forward\" leads");
    keys.Type("model", loss.model, "ns3::rdma::LossModel", "loss model").Required();
    VisitAttributes(
        keys,
        loss.attributes,
        [&loss](const JsonValue& value) { return ReadModelAttributes(value, loss.model); },
        "of the loss model, by full name");
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
