// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RANDOM_STREAM_H
#define RDMA_RANDOM_STREAM_H

#include <cstdint>

namespace ns3::rdma
{

/**
 * @ingroup rdma-engine
 * @brief An independent stream of random numbers for one consumer, with 16 bytes of state.
 *
 * PCG-XSH-RR 64/32 (O'Neill 2014, "PCG: A Family of Simple Fast Space-Efficient Statistically Good
 * Algorithms for Random Number Generation").  Each stream number selects another increment, so that
 * draws of one stream never affect another.  ns-3's RngStream keeps 100 bytes and costs several
 * times more per draw, which matters with one stream per port.
 */
class RandomStream
{
  public:
    RandomStream()
        : RandomStream(0, 0)
    {
    }

    /**
     * @param seed of the run, shared by all consumers
     * @param stream number of the consumer, unique in the run
     */
    RandomStream(uint64_t seed, uint64_t stream)
        : m_state(0),
          m_increment((Scramble(stream) << 1) | 1)
    {
        Next32();
        m_state += Scramble(seed + 0x9e3779b97f4a7c15ULL);
        Next32();
    }

    uint32_t Next32()
    {
        const uint64_t old = m_state;
        m_state = old * 6364136223846793005ULL + m_increment;
        const auto folded = static_cast<uint32_t>(((old >> 18) ^ old) >> 27);
        const auto turn = static_cast<uint32_t>(old >> 59);
        return (folded >> turn) | (folded << ((32 - turn) & 31));
    }

    /// @return a number below count. Each is the result of equally many of the 2^32 random words,
    /// or of one more.
    uint32_t NextBelow(uint32_t count)
    {
        return static_cast<uint32_t>((uint64_t{Next32()} * count) >> 32);
    }

    uint64_t Next()
    {
        const uint64_t high = Next32();
        return (high << 32) | Next32();
    }

    /// @return a number in [0, 1) with 53 random bits.
    double NextDouble()
    {
        return static_cast<double>(Next() >> 11) * 0x1.0p-53;
    }

    /// Finaliser of splitmix64 (Steele et al. 2014): every input bit reaches every output bit.
    static constexpr uint64_t Scramble(uint64_t value)
    {
        value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ULL;
        value = (value ^ (value >> 27)) * 0x94d049bb133111ebULL;
        return value ^ (value >> 31);
    }

  private:
    uint64_t m_state;
    uint64_t m_increment; ///< Odd; differs by stream.
};

} // namespace ns3::rdma

#endif // RDMA_RANDOM_STREAM_H
