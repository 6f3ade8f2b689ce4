// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_NCCL_KEYS_H
#define RDMA_NCCL_KEYS_H

#include "ns3/collective-stages.h"
#include "ns3/json-value.h"
#include "ns3/topology-graph.h"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-collective
 * @brief The keys "library" and "protocol" of a collective, and NCCL's choice of what they leave
 * open.
 */
class NcclKeys
{
  public:
    static constexpr const char* AUTO{"auto"}; ///< Algorithm or protocol: NCCL's own choice.

    /// @return whether NCCL can choose the algorithm of an operation. It sends the messages of the
    /// others one by one, by Simple (src/transport/net.cc: their buffers are shared).
    static bool HasChoice(const std::string& operation);

    /// @return the algorithms of an operation that NCCL has; not empty.
    static std::vector<const CollectiveAlgorithm*> ListAlgorithms(const std::string& operation);

    /// @param workload all keys @param algorithm of the workload, or the first one of
    /// ListAlgorithms() @param isAuto whether the workload's algorithm is AUTO
    /// @throws InputError
    void Read(const JsonValue& workload, const CollectiveAlgorithm& algorithm, bool isAuto);

    void Write(nlohmann::ordered_json& json) const;

    bool IsByNccl() const
    {
        return m_isByNccl;
    }

    /// @return whether the time model chooses anything.
    bool IsChosen() const
    {
        return m_isAlgorithmChosen || m_protocol == AUTO;
    }

    /// Sets algorithm and protocol of a shape of NCCL with its ranks. @param ranks places of the
    /// ranks, for the rate of their links
    /// @return the algorithm
    const CollectiveAlgorithm& Choose(const std::vector<RankPlace>& ranks,
                                      const TopologyGraph& topology,
                                      CollectiveShape& shape) const;

  private:
    void ReadProtocol(const JsonValue& workload);
    void CheckAbsence(const JsonValue& workload) const;

    std::string m_operation;
    bool m_isByNccl{false};
    bool m_hasSeparateNotices{false};
    bool m_isAlgorithmChosen{false};
    std::string m_protocol; ///< Can be AUTO.
};

} // namespace ns3::rdma

#endif // RDMA_NCCL_KEYS_H
