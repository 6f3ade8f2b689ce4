// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_LINK_NAME_H
#define RDMA_LINK_NAME_H

#include "ns3/json-value.h"
#include "ns3/keys.h"
#include "ns3/topology-graph.h"

#include <array>
#include <optional>
#include <utility>

namespace ns3::rdma
{

/**
 * @ingroup rdma-scenario
 * @brief Links of a topology as a scenario names them: all between two nodes, or all of a server,
 * or of these the ones of a NIC or a port of the server.
 */
struct LinkName
{
    uint32_t from{0};             ///< Node id.
    std::optional<uint32_t> to{}; ///< Node id. Unset: any, and `from` is a server.
    std::optional<uint32_t> nic{};
    std::optional<uint32_t> port{}; ///< Of the NIC, or of each.

    /// @return whether a link is one of them, seen from an end. @param end 0: from GraphLink::a
    bool Matches(const TopologyGraph& graph, const GraphLink& link, uint32_t end) const;

    /// @return whether a link is one of them, in either direction.
    bool Matches(const TopologyGraph& graph, const GraphLink& link) const
    {
        return Matches(graph, link, 0) || Matches(graph, link, 1);
    }

    /// @return whether there is any such link.
    bool IsThere(const TopologyGraph& graph) const;
};

/// Values of "direction": whether only the direction from the first node to the second is meant.
constexpr std::array<std::pair<const char*, bool>, 2> LINK_DIRECTIONS{
    {{"both", false}, {"forward", true}}};

/// Declares "link", "nic" and "port". @param isUsed whether they may be there
/// @param isRequired whether "link" must be there
void VisitLinkName(Keys& keys, std::optional<LinkName>& name, bool isUsed, bool isRequired);

/// Declares "server", another way to name links. Before VisitLinkName(). @param isUsed whether it
/// may be there
void VisitLinkServer(Keys& keys, std::optional<LinkName>& name, bool isUsed);

/// @throws InputError unless there is such a link @param value with these keys
void CheckLinkName(const LinkName& name, const TopologyGraph& graph, const JsonValue& value);

} // namespace ns3::rdma

#endif // RDMA_LINK_NAME_H
