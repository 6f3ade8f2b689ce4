// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/token-exchange.h"

#include "ns3/assert.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace ns3::rdma
{

namespace
{

/// @return the messages of the other direction: each rank begins with the next rank, and takes one
/// message of each rank in turn. A message waits for its former dependents.
TokenMessages
Reverse(uint32_t ranks, const TokenMessages& messages)
{
    std::vector<std::vector<std::vector<uint32_t>>> ofPair(
        ranks,
        std::vector<std::vector<uint32_t>>(ranks)); // By sender and receiver.
    std::vector<uint64_t> rounds(ranks, 0);
    for (uint32_t number = 0; number < messages.list.size(); ++number)
    {
        const TokenMessage& one = messages.list[number];
        std::vector<uint32_t>& list = ofPair[one.dst][one.src];
        list.push_back(number);
        rounds[one.dst] = std::max<uint64_t>(rounds[one.dst], list.size());
    }
    TokenMessages reversed;
    reversed.list.reserve(messages.list.size());
    std::vector<uint32_t> numbers(messages.list.size()); // In the other direction.
    for (uint32_t src = 0; src < ranks; ++src)
    {
        for (uint64_t round = 0; round < rounds[src]; ++round)
        {
            for (uint32_t distance = 1; distance < ranks; ++distance)
            {
                const uint32_t dst = (src + distance) % ranks;
                const std::vector<uint32_t>& list = ofPair[src][dst];
                if (round < list.size())
                {
                    const TokenMessage& one = messages.list[list[round]];
                    numbers[list[round]] = static_cast<uint32_t>(reversed.list.size());
                    reversed.list.push_back({src, dst, one.queuePair, one.bytes});
                }
            }
        }
    }
    for (const TokenDependency& one : messages.dependencies)
    {
        reversed.dependencies.push_back({numbers[one.after], numbers[one.before]});
    }
    return reversed;
}

std::shared_ptr<const TokenGraph>
MakeGraph(uint32_t ranks, uint32_t queuePairs, TokenMessages messages, uint64_t tokenBytes)
{
    for (TokenMessage& one : messages.list)
    {
        one.bytes *= tokenBytes;
    }
    return std::make_shared<TokenGraph>(ranks,
                                        queuePairs,
                                        std::move(messages.list),
                                        std::move(messages.dependencies));
}

/// Adjacent ones of the tokens of a rank for a server.
struct TokenRange
{
    uint64_t first;
    uint64_t count;
    uint32_t queuePair;
};

using CutTokens = std::vector<TokenRange> (*)(uint64_t tokens, uint32_t queuePairs);

std::vector<TokenRange>
CutIntoTokens(uint64_t tokens, uint32_t queuePairs)
{
    std::vector<TokenRange> ranges;
    for (uint64_t token = 0; token < tokens; ++token)
    {
        ranges.push_back({token, 1, static_cast<uint32_t>(token % queuePairs)});
    }
    return ranges;
}

std::vector<TokenRange>
CutIntoQueuePairs(uint64_t tokens, uint32_t queuePairs)
{
    std::vector<TokenRange> ranges;
    uint64_t first = 0;
    for (uint32_t number = 0; number < queuePairs; ++number)
    {
        const uint64_t count = GetPartBytes(tokens, queuePairs, number);
        if (count > 0)
        {
            ranges.push_back({first, count, number});
        }
        first += count;
    }
    return ranges;
}

/// Makes the messages of a dispatch in two stages.
class RailDispatch
{
  public:
    RailDispatch(const ExpertLayer& layer,
                 const ExpertRouting::Choices& choices,
                 uint32_t queuePairs,
                 CutTokens cut)
        : m_perServer(layer.ranksPerServer),
          m_servers(layer.ranks / layer.ranksPerServer),
          m_queuePairs(queuePairs),
          m_cut(cut),
          m_users(layer.ranks, std::vector<Users>(m_servers))
    {
        NS_ASSERT_MSG(m_perServer <= std::numeric_limits<uint64_t>::digits,
                      "a set of the ranks of a server has 64 bits");
        for (uint32_t src = 0; src < layer.ranks; ++src)
        {
            AddUsers(layer, choices[src], m_users[src]);
        }
    }

    TokenMessages Make()
    {
        const uint32_t ranks = m_servers * m_perServer;
        std::vector<std::vector<uint32_t>> firsts(ranks, std::vector<uint32_t>(m_servers));
        for (uint32_t src = 0; src < ranks; ++src)
        {
            for (uint32_t distance = 1; distance < m_servers; ++distance)
            {
                const uint32_t server = (src / m_perServer + distance) % m_servers;
                firsts[src][server] = static_cast<uint32_t>(m_messages.list.size());
                AddToServer(src, server);
            }
        }
        // In this order of the sources, combine begins with the next server.
        for (uint32_t relay = 0; relay < ranks; ++relay)
        {
            for (uint32_t distance = 1; distance < m_servers; ++distance)
            {
                const uint32_t src = (relay + distance * m_perServer) % ranks;
                const uint32_t server = relay / m_perServer;
                uint32_t before = firsts[src][server];
                for (const TokenRange& range : m_cut(m_users[src][server].size(), m_queuePairs))
                {
                    AddToRanks(relay, m_users[src][server], range, before++);
                }
            }
        }
        for (uint32_t src = 0; src < ranks; ++src)
        {
            const Users& users = m_users[src][src / m_perServer];
            for (const TokenRange& range : m_cut(users.size(), m_queuePairs))
            {
                AddToRanks(src, users, range, std::nullopt);
            }
        }
        return std::move(m_messages);
    }

  private:
    /// Of each token for a server: which ranks of the server have an expert of it.
    using Users = std::vector<uint64_t>;

    void AddUsers(const ExpertLayer& layer,
                  const std::vector<ExpertChoice>& choices,
                  std::vector<Users>& users) const
    {
        std::vector<uint32_t> last(m_servers, UINT32_MAX); // Token that was added last.
        for (const ExpertChoice& choice : choices)
        {
            const uint32_t dst = choice.expert / layer.expertsPerRank;
            const uint32_t server = dst / m_perServer;
            if (last[server] != choice.token)
            {
                last[server] = choice.token;
                users[server].push_back(0);
            }
            users[server].back() |= uint64_t{1} << dst % m_perServer;
        }
    }

    void AddToServer(uint32_t src, uint32_t server)
    {
        const uint32_t relay = server * m_perServer + src % m_perServer;
        for (const TokenRange& range : m_cut(m_users[src][server].size(), m_queuePairs))
        {
            m_messages.list.push_back({src, relay, range.queuePair, range.count});
        }
    }

    void AddToRanks(uint32_t src,
                    const Users& users,
                    const TokenRange& range,
                    std::optional<uint32_t> before)
    {
        for (uint32_t distance = 1; distance < m_perServer; ++distance)
        {
            const uint32_t place = (src + distance) % m_perServer;
            const auto first = users.begin() + static_cast<std::ptrdiff_t>(range.first);
            const auto tokens =
                std::count_if(first,
                              first + static_cast<std::ptrdiff_t>(range.count),
                              [place](uint64_t ranks) { return (ranks >> place & 1) != 0; });
            if (tokens == 0)
            {
                continue;
            }
            if (before)
            {
                m_messages.dependencies.push_back(
                    {*before, static_cast<uint32_t>(m_messages.list.size())});
            }
            const uint32_t dst = src / m_perServer * m_perServer + place;
            m_messages.list.push_back({src, dst, 0, static_cast<uint64_t>(tokens)});
        }
    }

    uint32_t m_perServer;
    uint32_t m_servers;
    uint32_t m_queuePairs;
    CutTokens m_cut;
    std::vector<std::vector<Users>> m_users; ///< By rank and server.
    TokenMessages m_messages;
};

} // namespace

TokenExchange::TokenExchange(const ExpertLayer& layer,
                             const ExpertRouting::Choices& choices,
                             const TokenSizes& sizes,
                             const TokenMessages& dispatch)
    : m_dispatch(MakeGraph(layer.ranks, sizes.queuePairs, dispatch, sizes.dispatchBytes)),
      m_combine(MakeGraph(layer.ranks,
                          sizes.queuePairs,
                          Reverse(layer.ranks, dispatch),
                          sizes.combineBytes)),
      m_work(layer.ranks, 0)
{
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
    return {layer, choices, sizes, {std::move(messages), {}}};
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
    return {layer, choices, sizes, {std::move(messages), {}}};
}

TokenExchange
TokenExchange::MakeRailPerToken(const ExpertLayer& layer,
                                const ExpertRouting::Choices& choices,
                                const TokenSizes& sizes)
{
    RailDispatch dispatch(layer, choices, sizes.queuePairs, &CutIntoTokens);
    return {layer, choices, sizes, dispatch.Make()};
}

TokenExchange
TokenExchange::MakeRailPerPair(const ExpertLayer& layer,
                               const ExpertRouting::Choices& choices,
                               const TokenSizes& sizes)
{
    RailDispatch dispatch(layer, choices, sizes.queuePairs, &CutIntoQueuePairs);
    return {layer, choices, sizes, dispatch.Make()};
}

} // namespace ns3::rdma
