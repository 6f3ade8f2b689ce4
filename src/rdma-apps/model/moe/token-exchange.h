// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_TOKEN_EXCHANGE_H
#define RDMA_TOKEN_EXCHANGE_H

#include "ns3/expert-routing.h"
#include "ns3/token-graph.h"

#include <memory>

namespace ns3::rdma
{

/// Sizes and queue pairs of the messages of an exchange.
struct TokenSizes
{
    uint64_t dispatchBytes{0}; ///< Of a token.
    uint64_t combineBytes{0};  ///< Of a token.
    uint32_t queuePairs{1};    ///< Of two ranks.
};

/// Messages of a direction, with a number of tokens in place of bytes, and which wait for others.
struct TokenMessages
{
    std::vector<TokenMessage> list; ///< Those of a sender in the order of posting.
    std::vector<TokenDependency> dependencies;
};

/**
 * @ingroup rdma-collective
 * @brief The messages that carry the tokens of a layer to their experts (dispatch) and the results
 * back (combine).
 *
 * Combine is dispatch in the other direction, over the same queue pairs.  A choice of an expert on
 * the token's own rank needs no message.
 *
 * In two stages, rank (s, g), which is rank g of server s, sends a token once to rank (t, g) for
 * all its experts on server t, which is all that passes a NIC.  When the message has arrived, (t,
 * g) forwards the token once to each other rank of server t that has one of its experts.  In
 * combine (t, g) waits for the results of these ranks, and returns their sum.  Tokens for the own
 * server are sent to the ranks of their experts.
 *
 * Source: DeepEP (github.com/deepseek-ai/DeepEP, docs/legacy.md,
 * csrc/kernels/legacy/internode_ll.cu; for two stages internode.cu with its roles RDMASender,
 * RDMAAndNVLForwarder, NVLSender and NVLAndRDMAForwarder, and pull request 500, LL-Layered, for one
 * token at a time). Not modelled: the scales of FP8 elements and the 16 bytes of source information
 * of a message (3 % of a token of 7,168 elements), and the atomic operation per rank and expert
 * that carries the number of tokens, for which each WRITE has immediate data here; of two stages,
 * forwarding of a message before all of it has arrived, the bounded buffers of the forwarding
 * ranks, and the time of a reduction.
 */
class TokenExchange
{
  public:
    /// One message per token and expert, over the queue pair of the expert, as the low-latency
    /// kernels of DeepEP.
    static TokenExchange MakePerToken(const ExpertLayer& layer,
                                      const ExpertRouting::Choices& choices,
                                      const TokenSizes& sizes);

    /// One message per two ranks and queue pair, with each token once, whatever the number of its
    /// experts on that rank, as the normal kernels of DeepEP. Combine returns the sum of a token's
    /// results on a rank.
    static TokenExchange MakePerPair(const ExpertLayer& layer,
                                     const ExpertRouting::Choices& choices,
                                     const TokenSizes& sizes);

    /// In two stages, a message per token and server, over the token's queue pair in turn, and a
    /// message per token and rank that it is forwarded to.
    static TokenExchange MakeRailPerToken(const ExpertLayer& layer,
                                          const ExpertRouting::Choices& choices,
                                          const TokenSizes& sizes);

    /// In two stages, a message per rank, server and queue pair, and of each of these a message per
    /// rank that tokens are forwarded to.
    static TokenExchange MakeRailPerPair(const ExpertLayer& layer,
                                         const ExpertRouting::Choices& choices,
                                         const TokenSizes& sizes);

    const std::shared_ptr<const TokenGraph>& GetDispatch() const
    {
        return m_dispatch;
    }

    const std::shared_ptr<const TokenGraph>& GetCombine() const
    {
        return m_combine;
    }

    /// @return by rank: choices of its experts, those of its own tokens included.
    const std::vector<uint64_t>& GetWork() const
    {
        return m_work;
    }

  private:
    TokenExchange(const ExpertLayer& layer,
                  const ExpertRouting::Choices& choices,
                  const TokenSizes& sizes,
                  const TokenMessages& dispatch);

    std::shared_ptr<const TokenGraph> m_dispatch;
    std::shared_ptr<const TokenGraph> m_combine;
    std::vector<uint64_t> m_work;
};

} // namespace ns3::rdma

#endif // RDMA_TOKEN_EXCHANGE_H
