// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_NIC_PRESETS_H
#define RDMA_NIC_PRESETS_H

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-nic
 * @brief A known NIC design: a name for a set of attribute values.
 */
struct NicPreset
{
    std::string name;
    std::string description;
    bool needsPfc; ///< Whether the design expects a lossless fabric.
    /// Full attribute name ("ns3::rdma::RdmaNic::CongestionControl") and value; sources in the .cc.
    std::vector<std::pair<std::string, std::string>> attributes;
    /// Attributes of the hardware; applied if hardware takes time.
    std::vector<std::pair<std::string, std::string>> hardware;
    bool runsKernels{false}; ///< Whether its data path can hold kernels, on its FPGA or on one
                             ///< beside its chip (StRoM section 3.5).
    /// Attributes of the switches that the design is made for; a fabric's own attributes override
    /// them.
    std::vector<std::pair<std::string, std::string>> fabric{};
};

/// Adds a preset that needs classes of the calling module; called when the module is loaded. Throws
/// std::invalid_argument if a preset has that name.
void RegisterNicPreset(const NicPreset& preset);

/// @return all presets, in the order in which they are listed to users: the presets of this module,
/// then the registered ones by name.
const std::vector<NicPreset>& GetNicPresets();

/// @return null if no preset has that name.
const NicPreset* FindNicPreset(std::string_view name);

} // namespace ns3::rdma

#endif // RDMA_NIC_PRESETS_H
