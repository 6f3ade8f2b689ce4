// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_EGRESS_LIMITS_H
#define RDMA_EGRESS_LIMITS_H

#include "ns3/class-settings.h"

#include <array>

namespace ns3::rdma
{

/**
 * @ingroup rdma-switch
 * @brief The longest egress queue of each class, the same at all ports of a switch.
 *
 * A frame that would make its queue longer than the limit is not admitted.  A static limit is a
 * number of bytes; a dynamic one is alpha times the free shared memory of the class's pool.
 *
 * Our choice: SONiC accounts egress queues to egress pools of their own; here both directions share
 * one account, whose sizes are those of the ingress pools.
 *
 * Not modelled: the reserve of an egress queue (`size` of its profile).
 *
 * Source: BUFFER_PROFILE (`static_th`, `dynamic_th`) and BUFFER_QUEUE of
 * sonic-net/sonic-buildimage, files/build_templates/buffers_config.j2;
 * SAI_BUFFER_PROFILE_ATTR_SHARED_STATIC_TH and SHARED_DYNAMIC_TH of SAI's saibuffer.h.
 */
class EgressLimits
{
  public:
    explicit EgressLimits(const ClassTable& classes);

    /// @return whether any class has a limit.
    static bool IsAny(const ClassTable& classes);

    /// @param queueBytes with the frame
    /// @param freeBytes of the class's pool, before the frame
    bool Admits(uint32_t classNumber, uint64_t queueBytes, uint64_t freeBytes) const
    {
        const Limit& limit = m_limits[classNumber];
        return queueBytes <= limit.bytes &&
               (limit.alpha == 0 ||
                static_cast<double>(queueBytes) <= limit.alpha * static_cast<double>(freeBytes));
    }

  private:
    struct Limit
    {
        uint64_t bytes{UINT64_MAX};
        double alpha{0}; ///< 0: no dynamic limit.
    };

    std::array<Limit, PRIORITIES> m_limits;
};

} // namespace ns3::rdma

#endif // RDMA_EGRESS_LIMITS_H
