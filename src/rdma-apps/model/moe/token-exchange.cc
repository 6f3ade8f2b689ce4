// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/token-exchange.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

namespace
{

/// @return the messages of the other direction: each rank begins with the next rank, and takes one
/// message of each rank in turn.
std::vector<TokenMessage>
Reverse(uint32_t ranks, const std::vector<TokenMessage>& messages)
{
    std::vector<std::vector<std::vector<TokenMessage>>> ofPair(
        ranks,
        std::vector<std::vector<TokenMessage>>(ranks)); // By sender and receiver.
    std::vector<uint64_t> rounds(ranks, 0);
    for (const TokenMessage& one : messages)
    {
        auto& list = ofPair[one.dst][one.src];
        list.push_back({one.dst, one.src, one.queuePair, one.bytes});
        rounds[one.dst] = std::max<uint64_t>(rounds[one.dst], list.size());
    }
    std::vector<TokenMessage> reversed;
    reversed.reserve(messages.size());
    for (uint32_t src = 0; src < ranks; ++src)
    {
        for (uint64_t round = 0; round < rounds[src]; ++round)
        {
            for (uint32_t distance = 1; distance < ranks; ++distance)
            {
                const auto& list = ofPair[src][(src + distance) % ranks];
                if (round < list.size())
                {
                    reversed.push_back(list[round]);
                }
            }
        }
    }
    return reversed;
}

std::vector<TokenMessage>
MultiplyBytes(std::vector<TokenMessage> messages, uint64_t bytes)
{
    for (TokenMessage& one : messages)
    {
        one.bytes *= bytes;
    }
    return messages;
}

} // namespace

TokenExchange::TokenExchange(const ExpertLayer& layer,
                             const ExpertRouting::Choices& choices,
                             const TokenSizes& sizes,
                             std::vector<TokenMessage> dispatch)
    : m_combine(std::make_shared<TokenGraph>(
          layer.ranks,
          sizes.queuePairs,
          MultiplyBytes(Reverse(layer.ranks, dispatch), sizes.combineBytes))),
      m_work(layer.ranks, 0)
{
    m_dispatch =
        std::make_shared<TokenGraph>(layer.ranks,
                                     sizes.queuePairs,
                                     MultiplyBytes(std::move(dispatch), sizes.dispatchBytes));
    for (const std::vector<ExpertChoice>& ofRank : choices)
    {
        for (const ExpertChoice& choice : ofRank)
        {
            ++m_work[choice.expert / layer.expertsPerRank];
        }
    }
}

TokenExchange
TokenExchange::MakePerToken(const ExpertLayer& layer,
                            const ExpertRouting::Choices& choices,
                            const TokenSizes& sizes)
{
    std::vector<TokenMessage> messages;
    for (uint32_t src = 0; src < layer.ranks; ++src)
    {
        for (const ExpertChoice& choice : choices[src])
        {
            const uint32_t dst = choice.expert / layer.expertsPerRank;
            if (dst != src)
            {
                const uint32_t local = choice.expert % layer.expertsPerRank;
                messages.push_back({src, dst, local % sizes.queuePairs, 1});
            }
        }
    }
    return {layer, choices, sizes, std::move(messages)};
}

TokenExchange
TokenExchange::MakePerPair(const ExpertLayer& layer,
                           const ExpertRouting::Choices& choices,
                           const TokenSizes& sizes)
{
    std::vector<TokenMessage> messages;
    for (uint32_t src = 0; src < layer.ranks; ++src)
    {
        std::vector<uint64_t> tokens(layer.ranks, 0);
        std::vector<uint32_t> last(layer.ranks, UINT32_MAX); // Token that was counted last.
        for (const ExpertChoice& choice : choices[src])
        {
            const uint32_t dst = choice.expert / layer.expertsPerRank;
            tokens[dst] += last[dst] == choice.token ? 0 : 1;
            last[dst] = choice.token;
        }
        for (uint32_t distance = 1; distance < layer.ranks; ++distance)
        {
            const uint32_t dst = (src + distance) % layer.ranks;
            for (uint32_t number = 0; number < sizes.queuePairs; ++number)
            {
                const uint64_t part = GetPartBytes(tokens[dst], sizes.queuePairs, number);
                if (part > 0)
                {
                    messages.push_back({src, dst, number, part});
                }
            }
        }
    }
    return {layer, choices, sizes, std::move(messages)};
}

} // namespace ns3::rdma
