// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_NCCL_KEYS_H
#define RDMA_NCCL_KEYS_H

#include "ns3/collective-stages.h"
#include "ns3/keys.h"
#include "ns3/topology-graph.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-collective
 * @brief The keys of a collective that are about NCCL, and NCCL's choice of what they leave open.
 */
class NcclKeys
{
  public:
    static constexpr const char* AUTO{"auto"}; ///< Algorithm or protocol: NCCL's own choice.

    /// @return whether NCCL can choose the algorithm of an operation. It sends the messages of the
    /// others one by one, by Simple (src/transport/net.cc: their buffers are shared).
    static bool HasChoice(const std::string& operation);

    /// @param algorithm of the workload; if it is AUTO, any of NCCL
    /// @param isAuto whether the workload's algorithm is AUTO
    void Visit(Keys& keys, const CollectiveAlgorithm& algorithm, bool isAuto);

    /// The keys are read: sets the protocol that none of them names.
    void Resolve(bool isAuto);

    bool IsByNccl() const
    {
        return m_library != Library::NONE;
    }

    /// @return exponent of the timeout of queue pairs: 4.096 us x 2^timeout.
    uint8_t GetTimeout() const
    {
        return m_timeout.value_or(TIMEOUT);
    }

    uint8_t GetRetries() const
    {
        return m_retries.value_or(RETRIES);
    }

    /// @return whether the time model chooses anything.
    bool IsChosen(bool isAuto) const
    {
        return isAuto || m_protocol == AUTO;
    }

    /// Sets algorithm and protocol of a shape of NCCL with its ranks. @param ranks places of the
    /// ranks, for the rate of their links
    /// @return the algorithm
    const CollectiveAlgorithm& Choose(const std::vector<RankPlace>& ranks,
                                      const TopologyGraph& topology,
                                      CollectiveShape& shape) const;

  private:
    void VisitPeers(Keys& keys, const CollectiveAlgorithm& algorithm);

    enum class Library : uint8_t
    {
        NONE,
        NCCL,
        NCCL_ADAPTIVE_ROUTING, ///< As on a fabric with adaptive routing.
    };

    static constexpr uint8_t TIMEOUT{20}; ///< 4.29 s: NCCL 2.30, NCCL_IB_TIMEOUT.
    static constexpr uint8_t RETRIES{7};  ///< NCCL_IB_RETRY_CNT.

    Library m_library{Library::NONE};
    std::optional<uint8_t> m_timeout;
    std::optional<uint8_t> m_retries;
    std::string m_protocol; ///< Can be AUTO.
    NcclPeerSettings m_peers;
    uint64_t m_chunk{NcclPeerRules().chunk};
    DataRate m_copyRate{NcclPeerRules().copyBps};
};

} // namespace ns3::rdma

#endif // RDMA_NCCL_KEYS_H
