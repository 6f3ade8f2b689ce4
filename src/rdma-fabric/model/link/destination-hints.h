// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_DESTINATION_HINTS_H
#define RDMA_DESTINATION_HINTS_H

#include "ns3/fabric-engine.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-link
 * @brief What frames need at their destination: the engine has its address, too, and fetches it
 * from memory before they arrive.
 *
 * A cache: each endpoint has a few places, and the latest of those that share one has it.  Queue
 * pairs that have none are looked up by their NIC.
 */
class DestinationHints
{
  public:
    /// @param endpoints ids are below this
    void Start(FabricEngine& engine, uint32_t endpoints)
    {
        m_engine = &engine;
        m_first = engine.RegisterPrefetches(endpoints * PER_ENDPOINT);
    }

    /// @return the engine's target that stands for a queue pair of an endpoint.
    uint32_t GetTarget(uint32_t endpoint, uint32_t queuePair) const
    {
        return m_first + endpoint * PER_ENDPOINT + queuePair % PER_ENDPOINT;
    }

    /// @return what has the place of a queue pair, perhaps another one of the endpoint; null:
    /// nothing.
    void* Get(uint32_t endpoint, uint32_t queuePair) const
    {
        return m_engine ? m_engine->GetPrefetch(GetTarget(endpoint, queuePair)) : nullptr;
    }

    /// @param memory of the queue pair: two cache lines
    void Set(uint32_t endpoint, uint32_t queuePair, void* memory)
    {
        if (m_engine)
        {
            m_engine->SetPrefetch(GetTarget(endpoint, queuePair), memory);
        }
    }

    /// The queue pair is about to go.
    void Clear(uint32_t endpoint, uint32_t queuePair, const void* memory)
    {
        if (Get(endpoint, queuePair) == memory)
        {
            Set(endpoint, queuePair, nullptr);
        }
    }

    /// All queue pairs of an endpoint are about to go.
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
    FabricEngine* m_engine{nullptr}; ///< Null: there is no fabric.
};

} // namespace ns3::rdma

#endif // RDMA_DESTINATION_HINTS_H
