// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_EXPERT_ROUTING_H
#define RDMA_EXPERT_ROUTING_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// Ranks, tokens and experts of a layer with a mixture of experts.
struct ExpertLayer
{
    uint32_t ranks{0};
    uint32_t tokens{0};         ///< Of each rank.
    uint32_t topK{8};           ///< Experts of a token.
    uint32_t expertsPerRank{1}; ///< Expert e is on rank e / expertsPerRank.
    uint32_t ranksPerServer{1}; ///< Rank i is on server i / ranksPerServer; they divide the ranks.

    uint64_t GetExperts() const
    {
        return uint64_t{ranks} * expertsPerRank;
    }
};

/// An expert of a token.
struct ExpertChoice
{
    uint32_t token; ///< Number at its rank.
    uint32_t expert;
};

/**
 * @ingroup rdma-collective
 * @brief The experts of all tokens of a layer: by rank of the tokens, in the order of the tokens.
 *
 * The ways to choose differ in the experts' popularity; a token never has an expert twice.
 */
class ExpertRouting
{
  public:
    using Choices = std::vector<std::vector<ExpertChoice>>;

    /// Choice c of rank i is for rank i + 1 + c modulo the ranks, so that the numbers of choices
    /// for two ranks differ by one at most, and by none if the ranks divide tokens * topK.
    static Choices MakeEqual(const ExpertLayer& layer);

    /// Expert e has a popularity of 1 / (e + 1)^exponent; 0: all alike. Each token draws its
    /// experts in turn, and none twice. @param seed of the run
    static Choices MakeZipf(const ExpertLayer& layer, double exponent, uint64_t seed);

    /// @param counts choices of each rank (row) for each rank (column), each of another token
    static Choices MakeFromMatrix(const ExpertLayer& layer, const std::vector<uint64_t>& counts);

    /// Reads a recorded routing: a line for each token of each rank, "rank expert expert ...".
    /// @throws InputError "FILE:LINE: expected ..., got ..."
    static Choices Read(const ExpertLayer& layer, const std::string& path);
};

} // namespace ns3::rdma

#endif // RDMA_EXPERT_ROUTING_H
