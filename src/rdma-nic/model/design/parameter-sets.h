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
 * @brief Parameters of a congestion control as one publication has them, complete and unmixed.
 *
 * What the switches mark is the fabric's: the set only names what it was published with.
 */
struct ParameterSet
{
    std::string name;
    std::string description;
    std::string congestionControl; ///< TypeId that it is for.
    std::string marking;           ///< ECN thresholds that belong to it.
    /// Full attribute name ("ns3::rdma::Dcqcn::Gain") and value; sources in the .cc.
    std::vector<std::pair<std::string, std::string>> attributes;
};

/// The set that Dcqcn's and RdmaNic's attributes default to; docs/congestion-control.md says why.
inline constexpr std::string_view DEFAULT_DCQCN_SET{"hpcc"};

/// @return all sets, in the order in which they are listed to users.
const std::vector<ParameterSet>& GetParameterSets();

/// @return null if there is none of that name.
const ParameterSet* FindParameterSet(std::string_view name);

} // namespace ns3::rdma

#endif // RDMA_PARAMETER_SETS_H
