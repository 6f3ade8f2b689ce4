// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PLANE_VALUES_H
#define RDMA_PLANE_VALUES_H

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-multipath
 * @brief Entropy values of a queue pair that wait for the ports of their planes.
 *
 * A port that is free needs a value of its own plane, but an EntropySelector names values in an
 * order of its own.  Values of other planes are set aside, at most MOST per plane, until the ports
 * of these planes are free; further ones are dropped.  A port that is paused, limited or down
 * therefore delays no packet of another port.
 *
 * The plane of a value is its remainder by the number of planes.  A plane that is not usable is
 * replaced by the next one that is.
 */
class PlaneValues
{
  public:
    /// Values that wait for one plane; our choice.
    static constexpr uint32_t MOST{8};

    /// @param planes at least 2, at most 32
    explicit PlaneValues(uint32_t planes);

    /// @return values that are named for one port at most: one of its plane is then unlikely to
    /// follow.
    uint32_t GetMostDraws() const
    {
        return MOST * static_cast<uint32_t>(m_counts.size());
    }

    /// @return one bit per plane.
    uint32_t GetUsable() const
    {
        return m_usable;
    }

    /// Waiting values are dropped, since their planes may differ now.
    /// @param usable planes, one bit per plane
    void SetUsable(uint32_t usable);

    /// @return the plane by which a value is sent; that of the value itself if none is usable.
    uint32_t GetPlane(uint32_t value) const;

    bool Has(uint32_t plane) const
    {
        return m_counts[plane] > 0;
    }

    /// @return the value that waits longest. Only if there is one.
    uint32_t Take(uint32_t plane);

    /// @param planes one bit per plane
    /// @return that of them whose value waits longest; unset: no value of theirs waits.
    std::optional<uint32_t> FindOldest(uint32_t planes) const;

    /// Sets a value aside for its plane. @return the plane
    uint32_t Put(uint32_t value);

  private:
    std::vector<uint32_t> m_values; ///< MOST places per plane, the oldest value first.
    std::vector<uint64_t> m_order;  ///< Of the values, by place: a later value has a larger number.
    std::vector<uint8_t> m_counts;  ///< By plane.
    uint64_t m_named{0};            ///< Number of values so far.
    uint32_t m_usable;
};

} // namespace ns3::rdma

#endif // RDMA_PLANE_VALUES_H
