// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_DESTINATION_HINTS_H
#define RDMA_DESTINATION_HINTS_H

#include "ns3/fabric-engine.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-link
 * @brief What frames need at their destination: the engine knows it too, and fetches it from memory
 * before they arrive.
 *
 * A cache: each node has a few places, and whoever came last has one.  Who is not here is looked up
 * by the node itself.
 */
class DestinationHints
{
  public:
    /// @param nodes ids are below this
    void Start(FabricEngine& engine, uint32_t nodes)
    {
        m_engine = &engine;
        m_first = engine.RegisterPrefetches(nodes * PER_NODE);
    }

    /// @return the engine's target that stands for a queue pair of a node.
    uint32_t GetTarget(uint32_t node, uint32_t queuePair) const
    {
        return m_first + node * PER_NODE + queuePair % PER_NODE;
    }

    /// @return what has the place of a queue pair, perhaps another one of the node; null: nothing.
    void* Get(uint32_t node, uint32_t queuePair) const
    {
        return m_engine ? m_engine->GetPrefetch(GetTarget(node, queuePair)) : nullptr;
    }

    /// @param memory of the queue pair: two cache lines
    void Set(uint32_t node, uint32_t queuePair, void* memory)
    {
        if (m_engine)
        {
            m_engine->SetPrefetch(GetTarget(node, queuePair), memory);
        }
    }

    /// The queue pair is about to go.
    void Clear(uint32_t node, uint32_t queuePair, const void* memory)
    {
        if (Get(node, queuePair) == memory)
        {
            Set(node, queuePair, nullptr);
        }
    }

    /// All queue pairs of a node are about to go.
    void ClearNode(uint32_t node)
    {
        for (uint32_t place = 0; place < PER_NODE; ++place)
        {
            Set(node, place, nullptr);
        }
    }

  private:
    static constexpr uint32_t PER_NODE{16};

    uint32_t m_first{0};
    FabricEngine* m_engine{nullptr}; ///< Null: there is no fabric.
};

} // namespace ns3::rdma

#endif // RDMA_DESTINATION_HINTS_H
