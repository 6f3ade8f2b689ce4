// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_RESOURCE_ACCOUNT_H
#define RDMA_RESOURCE_ACCOUNT_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// What of a StRoM NIC decides on its size.
struct ResourceConfig
{
    uint32_t queuePairs{500};   ///< 1 to 16,000 (StRoM section 6.1).
    uint32_t tlbEntries{16384}; ///< From 1 (StRoM section 4.3).
    uint32_t busBytes{8};       ///< A power of two from 8 to 64 (StRoM section 4.1).
};

/// Where a number comes from.
enum class ResourceBasis : uint8_t
{
    STATED,    ///< Printed by the paper.
    COMPUTED,  ///< From entries and bits, in blocks of 18 Kb.
    FITTED,    ///< On the line between the paper's two versions.
    REMAINDER, ///< What is left of the paper's number without the computed ones.
    SUM,       ///< Of the lines above.
};

/// @return "stated", "computed" and so on.
const char* GetBasisName(ResourceBasis basis);

/// Of one FPGA or one module; what is not known is not there.
struct ResourceLine
{
    std::string name;
    std::string formula;        ///< In words.
    std::optional<double> luts; ///< Look-up tables.
    double blocks{0};           ///< Block RAMs of 36 Kb.
    std::optional<double> flipFlops;
    ResourceBasis basis{ResourceBasis::COMPUTED};
};

/// What an FPGA has.
struct FpgaPart
{
    std::string name;
    double luts;
    double blocks; ///< Block RAMs of 36 Kb.
    double flipFlops;
};

/// @return the part of the VCU118, for which the paper's Table 3 is (AMD DS890).
const FpgaPart& GetVcu118();

/**
 * @ingroup rdma-accounts
 * @brief The logic, memory and registers of a StRoM NIC, module by module as far as the paper says.
 *
 * Table 3 of the paper has the sums of two versions, 8 and 64 bytes wide, with 500 queue pairs.
 * Tables per queue pair, the TLB and the multi-queue are counted from their bits: those that the
 * paper describes (sections 4.1 and 4.3), with the fields of fpga-network-stack and IPv4 addresses.
 * All else is the remainder of Table 3.  Logic and registers do not change with the queue pairs
 * (section 6.1: logic stays within 1 %).
 *
 * Not modelled: kernels; what another clock would need.
 */
std::vector<ResourceLine> AccountResources(const ResourceConfig& config);

/// @return bits per queue pair in all tables.
uint32_t GetQueuePairBits();

} // namespace ns3::rdma

#endif // RDMA_RESOURCE_ACCOUNT_H
