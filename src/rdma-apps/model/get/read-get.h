// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_READ_GET_H
#define RDMA_READ_GET_H

#include "ns3/rpc-method.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-rpc
 * @brief A GET by one-sided READs: one of the entry, one of the value that it points to (StRoM
 * section 6.2, as Pilaf does it).
 *
 * After each READ the client's core waits for one cache miss (SoftwareCosts::MemoryLatency).
 *
 * Not modelled: other work of the client, and what Pilaf adds against torn reads.
 */
class ReadGet : public RpcMethod, private EventTarget
{
  public:
    ReadGet(FabricEngine& engine, const RpcPlan& plan, uint32_t slots, Handler handler);
    ~ReadGet() override;

    bool Look(uint32_t slot,
              const RpcConnection& connection,
              uint64_t key,
              uint32_t probe) override;

  private:
    /// A look under way.
    struct State
    {
        const RpcConnection* connection{nullptr};
        uint64_t key{0};
        uint32_t valueBytes{0}; ///< 0: the entry is being read.
    };

    void HandleEvent(uint32_t kind, uint32_t slot) override; ///< The core has what was read.
    void OnCompletion(const WorkCompletion& completion) override;
    void OnEntry(uint32_t slot);
    bool Read(uint32_t slot, uint64_t address, uint32_t bytes);

    FabricEngine& m_engine;
    Tick m_miss; ///< Time of a load that misses all caches.
    uint32_t m_target;
    std::vector<State> m_states; ///< By slot.
};

} // namespace ns3::rdma

#endif // RDMA_READ_GET_H
