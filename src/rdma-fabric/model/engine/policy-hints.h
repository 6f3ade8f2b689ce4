// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_POLICY_HINTS_H
#define RDMA_POLICY_HINTS_H

#include "ns3/object.h"

#include <cstdint>
#include <optional>

namespace ns3::rdma
{

/**
 * @ingroup rdma-engine
 * @brief What a policy may answer so that a NIC calls it less often, or fetches memory early: the
 * speed of a simulation, not its results (docs/speed-hints.md).
 *
 * The defaults are always right.  A policy has to override none of these; each is asked of the
 * kinds of policies that its description names.
 */
class PolicyHints : public Object
{
  public:
    /// @return whether OnSent() does anything: false spares the call per packet.
    /// CongestionControl: called once, after Start(). LossRecovery: once, when the queue pair
    /// starts to send. Default: true.
    virtual bool NeedsOnSent() const;

    /// @return whether OnAck() does anything until the next call of another kind: false spares the
    /// calls until then. LossRecovery: called at the start and after each other call. Default:
    /// true.
    virtual bool NeedsOnAck() const;

    /// @return the queue pair that Pick() will probably give next: it is fetched from memory early.
    /// SendScheduler: called after each Pick(). Default: unset, unknown.
    virtual std::optional<uint32_t> GetLikely() const;
};

} // namespace ns3::rdma

#endif // RDMA_POLICY_HINTS_H
