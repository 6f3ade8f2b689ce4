// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_COLLECTIVE_KEYS_H
#define RDMA_COLLECTIVE_KEYS_H

#include "ns3/collective-stages.h"
#include "ns3/keys.h"

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rdma
{

struct Scenario;

/**
 * @ingroup rdma-collective
 * @brief The keys of a collective operation: what it is, by which algorithm, and in which parts.
 */
class CollectiveKeys
{
  public:
    /// Declares "operation", "algorithm" and "size". @param canBeAuto whether NCCL may choose the
    /// algorithm
    void VisitOperation(Keys& keys, bool canBeAuto);

    /// Declares "channels", "slices", "root" and "inner". @param isByNccl whether NCCL chooses the
    /// slices @param ranksPerServer the default of "inner"
    void VisitShape(Keys& keys, bool isByNccl, uint32_t ranksPerServer);

    /// Declares the keys of an all-to-all.
    void VisitRounds(Keys& keys);

    /// The keys are read: sets the algorithm that none of them names.
    void Resolve()
    {
        m_shape.algorithm = GetAlgorithmName();
    }

    /// @return whether NCCL chooses the algorithm.
    bool IsAuto() const;

    /// @return the algorithm of the operation that is named, or its first one; with "auto" one that
    /// NCCL has. Any, if no operation is named.
    const CollectiveAlgorithm& GetAlgorithm() const;

    const std::string& GetOperation() const
    {
        return m_shape.operation;
    }

    uint64_t GetBytes() const
    {
        return m_shape.bytes;
    }

    /// @return what the keys say, for a number of ranks.
    /// @throws InputError ".key: expected ..., got ..." if they do not fit it
    CollectiveShape MakeShape(uint32_t ranks) const;

    /// The immediate data of a message is its number. @throws InputError if it has no room
    static void CheckMessages(const std::vector<CollectiveStage>& stages);

    /// Simulated time has room for all times that do not depend on the network, one after the
    /// other.
    /// @param longest bytes of a message at most
    /// @throws InputError ": expected ..."
    static void CheckTimes(const CollectivePlan& plan, uint64_t longest);

    /// @throws InputError ".key: expected ..., got ..."
    [[noreturn]] static void FailAt(const std::string& key,
                                    const std::string& expected,
                                    const std::string& got);

  private:
    void CheckRanks(uint32_t ranks) const;
    std::string GetAlgorithmName() const;
    bool HasKey(const char* key) const;
    std::string DescribeChoice() const;
    void ReadMatrix(const JsonValue& matrix);
    nlohmann::ordered_json WriteMatrix() const;

    /// What keys say; sizes of a matrix only. The algorithm can be NcclKeys::AUTO.
    CollectiveShape m_shape;
    uint32_t m_matrixRanks{0}; ///< 0: there is no matrix.
    double m_skew{0};
};

/// @return pairs of servers that stand for all pairs with different designs among the ranks.
/// @param group of the ranks' servers; empty: all servers
std::vector<std::pair<uint32_t, uint32_t>> FindRankPeers(const Scenario& scenario,
                                                         const std::string& group);

} // namespace ns3::rdma

#endif // RDMA_COLLECTIVE_KEYS_H
