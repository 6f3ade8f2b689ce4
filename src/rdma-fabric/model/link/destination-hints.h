// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_DESTINATION_HINTS_H
#define RDMA_DESTINATION_HINTS_H

#include "ns3/fabric-engine.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-link
 * @brief Addresses of the memory that frames need at their destination, so that the engine can
 * prefetch it before they arrive.
 *
 * A cache: each endpoint has a few entries, and a queue pair replaces another one in its entry.
 * The NIC looks up queue pairs that have no entry.
 */
class DestinationHints
{
  public:
    /// @param endpoints upper bound of the endpoint ids
    void Start(FabricEngine& engine, uint32_t endpoints)
    {
        m_engine = &engine;
        m_first = engine.RegisterPrefetches(endpoints * PER_ENDPOINT);
    }

    /// @return the engine's prefetch id of a queue pair's entry.
    uint32_t GetTarget(uint32_t endpoint, uint32_t queuePair) const
    {
        return m_first + endpoint * PER_ENDPOINT + queuePair % PER_ENDPOINT;
    }

    /// @return the memory in the entry of a queue pair, which may belong to another queue pair of
    /// the endpoint; null: none.
    void* Get(uint32_t endpoint, uint32_t queuePair) const
    {
        return m_engine ? m_engine->GetPrefetch(GetTarget(endpoint, queuePair)) : nullptr;
    }

    /// @param memory two cache lines of the queue pair
    void Set(uint32_t endpoint, uint32_t queuePair, void* memory)
    {
        if (m_engine)
        {
            m_engine->SetPrefetch(GetTarget(endpoint, queuePair), memory);
        }
    }

    /// Removes a queue pair that is about to be deleted.
    void Clear(uint32_t endpoint, uint32_t queuePair, const void* memory)
    {
        if (Get(endpoint, queuePair) == memory)
        {
            Set(endpoint, queuePair, nullptr);
        }
    }

    /// Removes all queue pairs of an endpoint.
    void ClearEndpoint(uint32_t endpoint)
    {
        for (uint32_t place = 0; place < PER_ENDPOINT; ++place)
        {
            Set(endpoint, place, nullptr);
        }
    }

  private:
    static constexpr uint32_t PER_ENDPOINT{16};

    uint32_t m_first{0};
    FabricEngine* m_engine{nullptr}; ///< Null without a fabric.
};

} // namespace ns3::rdma

#endif // RDMA_DESTINATION_HINTS_H
