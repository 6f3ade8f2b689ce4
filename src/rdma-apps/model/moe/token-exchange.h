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

/**
 * @ingroup rdma-collective
 * @brief The messages that carry the tokens of a layer to their experts (dispatch) and the results
 * back (combine).
 *
 * Combine is dispatch in the other direction, over the same queue pairs.  A choice of an expert on
 * the token's own rank needs no message.
 *
 * Source: DeepEP (github.com/deepseek-ai/DeepEP, docs/legacy.md and csrc/kernels/internode_ll.cu).
 * Not modelled: the scales of FP8 elements and the 16 bytes of source information of a message
 * (3 % of a token of 7,168 elements), and the atomic operation per rank and expert that carries the
 * number of tokens, for which each WRITE has immediate data here.
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
    /// @param dispatch messages with a number of tokens in place of bytes
    TokenExchange(const ExpertLayer& layer,
                  const ExpertRouting::Choices& choices,
                  const TokenSizes& sizes,
                  std::vector<TokenMessage> dispatch);

    std::shared_ptr<const TokenGraph> m_dispatch;
    std::shared_ptr<const TokenGraph> m_combine;
    std::vector<uint64_t> m_work;
};

} // namespace ns3::rdma

#endif // RDMA_TOKEN_EXCHANGE_H
