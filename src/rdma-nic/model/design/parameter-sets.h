// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PARAMETER_SETS_H
#define RDMA_PARAMETER_SETS_H

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-nic
 * @brief The complete parameters of a congestion control from one publication.
 *
 * The switches' marking thresholds belong to the fabric: the set only names the published ones.
 */
struct ParameterSet
{
    std::string name;
    std::string description;
    std::string congestionControl; ///< TypeId of the class that has them.
    std::string marking;           ///< ECN thresholds that belong to it.
    /// Full attribute name ("ns3::rdma::Dcqcn::Gain") and value; sources in the .cc.
    std::vector<std::pair<std::string, std::string>> attributes;
};

/// The set that is the default of Dcqcn's and RdmaNic's attributes;
/// docs/models/congestion-control.md has the reasons.
inline constexpr std::string_view DEFAULT_DCQCN_SET{"hpcc"};

/// @return all sets, in the order in which they are listed to users.
const std::vector<ParameterSet>& GetParameterSets();

/// @return null if no set has that name.
const ParameterSet* FindParameterSet(std::string_view name);

} // namespace ns3::rdma

#endif // RDMA_PARAMETER_SETS_H
