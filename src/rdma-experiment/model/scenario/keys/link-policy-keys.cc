// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/link-policy-keys.h"

#include "ns3/attribute-check.h"
#include "ns3/boolean.h"
#include "ns3/credit-link.h"
#include "ns3/link-retry.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{

const std::string CREDITS_OWNER{"ns3::rdma::CreditLink::"};
const std::string RETRY_OWNER{"ns3::rdma::LinkRetry::"};

bool
IsOf(const std::string& attribute, const std::string& owner)
{
    return attribute.compare(0, owner.size(), owner) == 0;
}

std::map<std::string, std::string>
ReadPolicyAttributes(const JsonValue& value, const LinkPolicySpec& spec)
{
    const auto attributes = ReadAttributes(value);
    for (const auto& [name, text] : attributes)
    {
        if (!(spec.credits && IsOf(name, CREDITS_OWNER)) &&
            !(spec.hasRetry && IsOf(name, RETRY_OWNER)))
        {
            value.Get(name).Fail("an attribute of ns3::rdma::CreditLink beside \"credits\", or of "
                                 "ns3::rdma::LinkRetry beside \"retry\"",
                                 name);
        }
    }
    return attributes;
}

Ptr<CreditLink>
MakeCredits(const LinkPolicySpec& spec)
{
    AttributeValues attributes;
    for (const auto& [name, text] : spec.attributes)
    {
        attributes.Set(name, text);
    }
    auto credits = attributes.Create<CreditLink>();
    credits->SetAttribute("Credits", UintegerValue(*spec.credits));
    return credits;
}

/// @return whether switches pause the senders of a class.
bool
IsPausedClass(const FabricConfig& config, const FabricSwitch& settings, uint32_t number)
{
    BooleanValue hasPfc;
    UintegerValue lossless;
    settings.GetAttribute("PfcEnabled", hasPfc);
    settings.GetAttribute("LosslessPriorities", lossless);
    const bool isLossless = ((lossless.Get() >> number) & 1) != 0;
    return hasPfc.Get() &&
           (config.classes ? (*config.classes)[number].isLossless.value_or(isLossless)
                           : isLossless);
}

} // namespace

void
VisitLinkPolicy(Keys& keys, LinkPolicySpec& spec)
{
    constexpr uint64_t LEAST{256};
    constexpr uint64_t MOST{((uint64_t{1} << 20) - 1) * 64};
    VisitLinkName(keys, spec.link, true, false);
    keys.Bytes("credits", spec.credits, "buffer of each class with credits, at each end of a link")
        .WithUnit()
        .Between(LEAST, MOST)
        .Otherwise("no credits");
    keys.Flag("retry", spec.hasRetry, "whether the links retransmit lost frames");
    keys.Check(spec.credits || spec.hasRetry, "retry", "true, or a key \"credits\" beside it");
    VisitAttributes(
        keys,
        spec.attributes,
        [&spec](const JsonValue& value) { return ReadPolicyAttributes(value, spec); },
        "of ns3::rdma::CreditLink and ns3::rdma::LinkRetry, by full name");
}

void
CheckLinkPolicies(const std::vector<LinkPolicySpec>& specs,
                  const TopologyGraph& topology,
                  const JsonValue& value)
{
    const std::vector<JsonValue> entries = value.GetElements();
    for (std::size_t i = 0; i < specs.size(); ++i)
    {
        if (specs[i].link)
        {
            CheckLinkName(*specs[i].link, topology, entries[i]);
        }
    }
}

std::string
FindCreditFault(const LinkPolicySpec& spec, const FabricConfig& config, const std::string& nic)
{
    if (!spec.credits)
    {
        return {};
    }
    const auto credits = MakeCredits(spec);
    const uint32_t cells = credits->CountCells(config.maxFrameBytes);
    if (cells > credits->GetLimit())
    {
        UintegerValue size;
        credits->GetAttribute("CreditSize", size);
        return "credits: expected at least " + std::to_string(cells * size.Get()) +
               " bytes for the largest frame of " + nic + " (" +
               std::to_string(config.maxFrameBytes) + " bytes), got " +
               std::to_string(*spec.credits);
    }
    const auto settings = config.attributes.Create<FabricSwitch>();
    StringValue dscpMap;
    settings->GetAttribute("DscpMap", dscpMap);
    if (!dscpMap.Get().empty())
    {
        return "credits: expected no ns3::rdma::FabricSwitch::DscpMap (" + nic +
               "), since credits belong to the class of a frame on its link, got " + dscpMap.Get();
    }
    for (uint32_t number = 0; number < PRIORITIES; ++number)
    {
        if (credits->HasClass(number) && IsPausedClass(config, *settings, number))
        {
            return "credits: expected a class that PFC does not pause, got class " +
                   std::to_string(number) + " (" + nic +
                   "); \"pfc\": false turns PFC off, ns3::rdma::CreditLink::Classes selects others";
        }
    }
    TypeIdValue admission;
    UintegerValue trimPriority;
    settings->GetAttribute("AdmissionPolicy", admission);
    settings->GetAttribute("TrimPriority", trimPriority);
    if (admission.Get() != TailDrop::GetTypeId() &&
        credits->HasClass(static_cast<uint32_t>(trimPriority.Get())))
    {
        return "credits: expected classes without that of trimmed frames, got class " +
               std::to_string(trimPriority.Get()) + " (" + nic + ')';
    }
    return {};
}

std::vector<LinkPolicies>
MakeLinkPolicies(const std::vector<LinkPolicySpec>& specs, const TopologyGraph& graph)
{
    struct Prototypes
    {
        const LinkPolicySpec* spec;
        std::vector<Ptr<const LinkPolicy>> policies;
    };

    std::vector<Prototypes> prototypes;
    for (const LinkPolicySpec& spec : specs)
    {
        Prototypes& made = prototypes.emplace_back();
        made.spec = &spec;
        if (spec.credits)
        {
            made.policies.emplace_back(MakeCredits(spec));
        }
        if (spec.hasRetry)
        {
            AttributeValues attributes;
            for (const auto& [name, text] : spec.attributes)
            {
                attributes.Set(name, text);
            }
            made.policies.emplace_back(attributes.Create<LinkRetry>());
        }
    }
    std::vector<LinkPolicies> policies;
    for (std::size_t link = 0; link < graph.links.size(); ++link)
    {
        // The last entry that applies is used.
        const auto found =
            std::find_if(prototypes.rbegin(), prototypes.rend(), [&](const Prototypes& one) {
                return !one.spec->link || one.spec->link->Matches(graph, graph.links[link]);
            });
        if (found != prototypes.rend())
        {
            policies.push_back({link, found->policies});
        }
    }
    return policies;
}

} // namespace ns3::rdma
