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
 * Not modelled: the client's own work between the two, and what Pilaf adds against torn reads.
 */
class ReadGet : public RpcMethod
{
  public:
    ReadGet(FabricEngine& engine, const RpcPlan& plan, uint32_t slots, Handler handler);

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

    void OnCompletion(const WorkCompletion& completion) override;
    void OnEntry(uint32_t slot);
    bool Read(uint32_t slot, uint64_t address, uint32_t bytes);

    std::vector<State> m_states; ///< By slot.
};

} // namespace ns3::rdma

#endif // RDMA_READ_GET_H
