// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/expert-routing.h"

#include "ns3/field-reader.h"
#include "ns3/random-stream.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ns3::rdma
{

namespace
{

constexpr uint64_t FIRST_STREAM{0x6d6f650000000000ULL}; ///< Of rank 0; away from other parts.

/// Draws experts, each at most once between two calls of Restore().
class ExpertUrn
{
  public:
    ExpertUrn(uint64_t experts, double exponent)
    {
        for (uint64_t expert = 0; expert < experts; ++expert)
        {
            m_weights.push_back(std::pow(static_cast<double>(expert + 1), -exponent));
        }
        m_sum = std::accumulate(m_weights.begin(), m_weights.end(), 0.0);
    }

    uint32_t Draw(RandomStream& random)
    {
        double left = m_sum;
        for (const uint32_t expert : m_drawn)
        {
            left -= m_weights[expert];
        }
        double place = random.NextDouble() * left;
        uint32_t last = 0; // The last one that is left, where rounding leads beyond it.
        for (uint32_t expert = 0; expert < m_weights.size(); ++expert)
        {
            if (std::find(m_drawn.begin(), m_drawn.end(), expert) != m_drawn.end())
            {
                continue;
            }
            last = expert;
            place -= m_weights[expert];
            if (place < 0)
            {
                break;
            }
        }
        m_drawn.push_back(last);
        return last;
    }

    void Restore()
    {
        m_drawn.clear();
    }

  private:
    std::vector<double> m_weights;
    double m_sum{0};
    std::vector<uint32_t> m_drawn;
};

} // namespace

ExpertRouting::Choices
ExpertRouting::MakeEqual(const ExpertLayer& layer)
{
    Choices choices(layer.ranks);
    for (uint32_t rank = 0; rank < layer.ranks; ++rank)
    {
        for (uint64_t number = 0; number < uint64_t{layer.tokens} * layer.topK; ++number)
        {
            const uint64_t target = (rank + 1 + number) % layer.ranks;
            const uint64_t local = number / layer.ranks % layer.expertsPerRank;
            choices[rank].push_back({static_cast<uint32_t>(number / layer.topK),
                                     static_cast<uint32_t>(target * layer.expertsPerRank + local)});
        }
    }
    return choices;
}

ExpertRouting::Choices
ExpertRouting::MakeZipf(const ExpertLayer& layer, double exponent, uint64_t seed)
{
    Choices choices(layer.ranks);
    ExpertUrn urn(layer.GetExperts(), exponent);
    for (uint32_t rank = 0; rank < layer.ranks; ++rank)
    {
        RandomStream random(seed, FIRST_STREAM + rank);
        for (uint32_t token = 0; token < layer.tokens; ++token)
        {
            for (uint32_t choice = 0; choice < layer.topK; ++choice)
            {
                choices[rank].push_back({token, urn.Draw(random)});
            }
            urn.Restore();
        }
    }
    return choices;
}

ExpertRouting::Choices
ExpertRouting::MakeFromMatrix(const ExpertLayer& layer, const std::vector<uint64_t>& counts)
{
    Choices choices(layer.ranks);
    for (uint32_t src = 0; src < layer.ranks; ++src)
    {
        const uint64_t* const row = &counts[uint64_t{src} * layer.ranks];
        const uint64_t rounds = *std::max_element(row, row + layer.ranks);
        uint32_t token = 0;
        for (uint64_t round = 0; round < rounds; ++round)
        {
            for (uint32_t distance = 1; distance <= layer.ranks; ++distance)
            {
                const uint32_t dst = (src + distance) % layer.ranks;
                if (round < row[dst])
                {
                    const auto local = static_cast<uint32_t>(round % layer.expertsPerRank);
                    choices[src].push_back({token++, dst * layer.expertsPerRank + local});
                }
            }
        }
    }
    return choices;
}

ExpertRouting::Choices
ExpertRouting::Read(const ExpertLayer& layer, const std::string& path)
{
    Choices choices(layer.ranks);
    std::vector<uint32_t> tokens(layer.ranks, 0);
    FieldReader reader(path);
    while (reader.Next())
    {
        reader.ExpectFieldCount(layer.topK + 1, "rank and the topK experts of a token");
        const auto rank =
            static_cast<uint32_t>(reader.GetUnsigned(0, "a rank", 0, layer.ranks - 1));
        if (tokens[rank] == layer.tokens)
        {
            reader.Fail(std::to_string(layer.tokens) + " tokens of each rank",
                        "more of rank " + std::to_string(rank));
        }
        std::vector<uint64_t> experts;
        for (uint32_t choice = 1; choice <= layer.topK; ++choice)
        {
            experts.push_back(reader.GetUnsigned(choice, "an expert", 0, layer.GetExperts() - 1));
            if (std::find(experts.begin(), experts.end() - 1, experts.back()) != experts.end() - 1)
            {
                reader.Fail("each expert of a token once", std::to_string(experts.back()));
            }
            choices[rank].push_back({tokens[rank], static_cast<uint32_t>(experts.back())});
        }
        ++tokens[rank];
    }
    for (uint32_t rank = 0; rank < layer.ranks; ++rank)
    {
        if (tokens[rank] != layer.tokens)
        {
            reader.Fail(std::to_string(layer.tokens) + " tokens of each rank",
                        std::to_string(tokens[rank]) + " of rank " + std::to_string(rank));
        }
    }
    return choices;
}

} // namespace ns3::rdma
