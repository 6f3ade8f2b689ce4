// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_CLASS_MARKINGS_H
#define RDMA_CLASS_MARKINGS_H

#include "ns3/attribute-values.h"
#include "ns3/class-settings.h"

#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-switch
 * @brief The marking of a switch some of whose classes have a MarkingPolicy of their own.
 *
 * The other classes share the policy of the switch.  A policy with DequeueMarkers is not called.
 */
class ClassMarkings
{
  public:
    /// Ports of the policy of each class, by port number.
    using Ports = std::array<std::vector<MarkingPort>, PRIORITIES>;

    /**
     * @param classes with and without a policy
     * @param type of the policy of the switch
     * @param shared ports of that policy
     * @param ports of the classes with a policy
     * @throws PolicyError
     */
    ClassMarkings(const ClassTable& classes,
                  TypeId type,
                  const AttributeValues& attributes,
                  const SwitchView& view,
                  const std::vector<MarkingPort>& shared,
                  const Ports& ports);

    /// @return whether a class is marked at this point.
    bool HasPoint(MarkingPoint point) const;

    /// @param frame ECN-capable
    /// @return whether to mark the frame; false if its class is marked at the other point.
    bool ShouldMark(const Frame& frame,
                    const FabricPort& egress,
                    uint64_t queueBytes,
                    MarkingPoint point,
                    Tick now);

  private:
    struct Marking
    {
        Ptr<MarkingPolicy> policy;
        MarkingPoint point;
        std::optional<DequeueMarkers> markers;
    };

    void Add(Ptr<MarkingPolicy> policy,
             const SwitchView& view,
             const std::vector<MarkingPort>& ports);

    std::vector<Marking> m_markings;             ///< The first one is shared.
    std::array<uint32_t, PRIORITIES> m_places{}; ///< By class, in m_markings.
};

/// Starts a policy. @return its point
/// @throws PolicyError
MarkingPoint StartMarking(MarkingPolicy& policy,
                          const SwitchView& view,
                          const std::vector<MarkingPort>& ports);

/// @return MarkingPolicy::GetDequeueMarkers(), checked.
std::optional<DequeueMarkers> TakeDequeueMarkers(const MarkingPolicy& policy, std::size_t ports);

} // namespace ns3::rdma

#endif // RDMA_CLASS_MARKINGS_H
