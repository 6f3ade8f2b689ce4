// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_LINK_CHANGES_H
#define RDMA_LINK_CHANGES_H

#include "ns3/fabric.h"
#include "ns3/link-fault.h"
#include "ns3/scenario.h"

#include <map>
#include <optional>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-scenario
 * @brief Changes the links of a fabric at the times of the scenario's "linkEvents".
 *
 * The last change of a link counts: the end of a flap's failure brings it up, whatever other events
 * did.  "up" ends a half-open state, but no loss.
 */
class LinkChanges final : private EventTarget
{
  public:
    /// Schedules all events. @param events, fabric outlive this @param seed of the run
    LinkChanges(const std::vector<LinkEvent>& events, uint64_t seed, Fabric& fabric);
    ~LinkChanges() override;

    /// @return events of flaps that were handled, the same on all ranks.
    uint64_t GetEventCount() const
    {
        return m_handled;
    }

    LinkChanges(const LinkChanges&) = delete;
    LinkChanges& operator=(const LinkChanges&) = delete;

  private:
    /// Events of flaps. Argument: place of the entry.
    enum Event : uint32_t
    {
        FAIL,
        RECOVER,
        ROUTE,
    };

    void HandleEvent(uint32_t kind, uint32_t argument) override;
    bool IsUpkeep(uint32_t kind, uint32_t argument) const override;
    void ScheduleOnce(const LinkEvent& event);
    void ScheduleFlap(Tick when, Event kind, uint32_t place);
    void Fail(uint32_t place);
    void SetState(const LinkEvent& event, LinkState state);
    void ChangeLoss(const LinkEvent& event);
    void SetLinkState(std::size_t link, const LinkEvent& event, LinkState state);
    /// @return the fault of the direction that begins at an end; made if there is none.
    LinkFault& GetFault(std::size_t link, uint32_t end);

    const std::vector<LinkEvent>& m_events;
    uint64_t m_seed;
    Fabric& m_fabric;
    std::map<std::size_t, Ptr<LinkFault>> m_faults; ///< By link, twice its number, and end.
    uint64_t m_handled{0};
    std::optional<uint32_t> m_target; ///< Unset: no link flaps.
};

} // namespace ns3::rdma

#endif // RDMA_LINK_CHANGES_H
