// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PENDING_EVENTS_H
#define RDMA_PENDING_EVENTS_H

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-hardware
 * @brief Values of pending events; the argument of an event is the place of its value.
 *
 * Places are reused, the one freed last first: memory is bounded by the most values pending at a
 * time.
 */
template <typename Value>
class PendingEvents
{
  public:
    /// @return the place of a value.
    uint32_t Put(Value value)
    {
        if (m_free.empty())
        {
            m_free.push_back(static_cast<uint32_t>(m_values.size()));
            m_values.emplace_back();
        }
        const uint32_t place = m_free.back();
        m_free.pop_back();
        m_values[place] = std::move(value);
        return place;
    }

    /// @return the value at a place, which is freed.
    Value Take(uint32_t place)
    {
        m_free.push_back(place);
        return std::exchange(m_values[place], Value{});
    }

    const Value& operator[](uint32_t place) const
    {
        return m_values[place];
    }

    /// @return all places; free ones hold undefined values.
    std::vector<Value>& GetAll()
    {
        return m_values;
    }

  private:
    std::vector<Value> m_values;
    std::vector<uint32_t> m_free; ///< Free places.
};

} // namespace ns3::rdma

#endif // RDMA_PENDING_EVENTS_H
