// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/link-event-keys.h"

#include <array>
#include <nlohmann/json.hpp>

namespace ns3::rdma
{

namespace
{

void
VisitFlap(Keys& keys, FlapSpec& flap, const Time& at)
{
    keys.Time("period", flap.period, "from one failure to the next").Required().Positive();
    keys.Time("down", flap.down, "of each period: how long the links have the state")
        .Required()
        .Positive();
    keys.Check(flap.down < flap.period, "down", "a time below the period");
    keys.Time("until", flap.until, "no period begins from then on").Otherwise("never");
    keys.Check(!flap.until || *flap.until > at, "until", "a time after \"at\"");
}

void
VisitLossGrowth(Keys& keys, LossGrowthSpec& loss)
{
    keys.Number("from", loss.from, "probability that a frame is lost, at first").Between(0, 1);
    keys.Number("to", loss.to, "the same at the end, and from then on").Required().Between(0, 1);
    keys.Time("over", loss.over, "duration of the change, which is linear")
        .OmitIf(loss.over.IsZero());
}

} // namespace

void
VisitLinkEvent(Keys& keys, LinkEvent& event)
{
    using Named = std::pair<const char*, std::optional<LinkState>>;
    static constexpr std::array<Named, 3> STATES{
        {{"down", LinkState::DOWN}, {"up", LinkState::UP}, {"half-open", LinkState::HALF_OPEN}}};
    keys.Time("at", event.at, "when the state changes").Required();
    keys.Count("switch", event.node, "node id of a switch: all of its links");
    VisitLinkServer(keys, event.link, !event.node);
    const bool isNamed = event.node || (event.link && !event.link->to);
    VisitLinkName(keys, event.link, !isNamed, !isNamed);
    keys.Object("loss", event.loss, VisitLossGrowth, "loss that grows, in both directions");
    keys.Choice("state",
                event.state,
                STATES,
                "state from then on; half-open: all from the first node is lost, and both ends "
                "believe that the link is up")
        .OnlyIf(!event.loss, "no state beside loss")
        .RequiredIf(!event.loss);
    const bool isHalfOpen = event.state == LinkState::HALF_OPEN;
    keys.Check(!isHalfOpen || event.link,
               "state",
               "\"down\" or \"up\" beside switch: half-open is a direction");
    keys.Object(
            "flap",
            event.flap,
            [&event](Keys& inner, FlapSpec& flap) { VisitFlap(inner, flap, event.at); },
            "the links have the state for a part of each period")
        .OnlyIf(event.state && event.state != LinkState::UP,
                "a state \"down\" or \"half-open\" beside flap");
    keys.Time("routesAfter", event.routesAfter, "time until the routes of the switches follow")
        .OnlyIf(event.state && !isHalfOpen, "a state \"down\" or \"up\" beside routesAfter")
        .OmitIf(event.routesAfter.IsZero());
}

void
CheckLinkEvents(const std::vector<LinkEvent>& events,
                const TopologyGraph& graph,
                const JsonValue& value)
{
    const std::vector<JsonValue> entries = value.GetElements();
    for (std::size_t i = 0; i < events.size(); ++i)
    {
        if (!events[i].node)
        {
            CheckLinkName(*events[i].link, graph, entries[i]);
        }
        else if (!graph.IsSwitch(*events[i].node))
        {
            const JsonValue node = entries[i].Get("switch");
            node.Fail("the node id of a switch", node.GetJson().dump());
        }
    }
}

} // namespace ns3::rdma
