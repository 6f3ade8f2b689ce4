// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_KEY_RANKS_H
#define RDMA_KEY_RANKS_H

#include <array>
#include <cstdint>
#include <cstring>
#include <utility>

namespace ns3::rdma
{

/**
 * @ingroup rdma-engine
 * @brief Sorts up to MAX_KEYS different numbers by rank: the rank of a key is the number of smaller
 * keys.
 *
 * The loops have no branch that depends on the keys.  A vector of keys at a time is compared with
 * each of the others: for a dozen keys this takes less time than a sort that compares two keys at a
 * time.
 */
class KeyRanks
{
  public:
    static constexpr uint32_t LANES{4}; ///< Keys in a Vector.
    static constexpr uint32_t MAX_KEYS{128};

    using Vector [[gnu::vector_size(LANES * sizeof(int32_t))]] = int32_t;

    /**
     * @param first number of the first of LANES keys; a multiple of LANES
     * @param keys of which those beyond the count given to Compute() are ignored
     */
    void SetKeys(uint32_t first, Vector keys)
    {
        std::memcpy(&m_keys[first], &keys, sizeof keys);
    }

    /// @param count of keys; 1 to MAX_KEYS
    void Compute(uint32_t count);

    /// @return the rank of a key. Only after Compute().
    uint32_t GetRank(uint32_t number) const
    {
        return static_cast<uint32_t>(m_ranks[number]);
    }

  private:
    static constexpr std::size_t LINE{64};

    template <std::size_t... GROUPS>
    void ComputeGroups(uint32_t first, uint32_t count, std::index_sequence<GROUPS...>);

    alignas(LINE) std::array<int32_t, MAX_KEYS> m_keys;
    alignas(LINE) std::array<int32_t, MAX_KEYS> m_ranks;
};

} // namespace ns3::rdma

#endif // RDMA_KEY_RANKS_H
