// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FLOWLET_TABLE_H
#define RDMA_FLOWLET_TABLE_H

#include "ns3/frame.h"
#include "ns3/random-stream.h"

#include <limits>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-routing
 * @brief The port of each flowlet: a flow keeps its port until it pauses (Vanini et al. 2017,
 * section 3; Alizadeh et al. 2014, section 3.4).
 *
 * A fixed number of entries, indexed by a hash of entropy and destination; flows with the same
 * entry are treated as one.
 */
class FlowletTable
{
  public:
    /// @param entries at least one
    /// @param timeout a pause of at least this ends a flowlet
    void Start(uint32_t entries, Tick timeout)
    {
        m_flowlets.assign(entries, Flowlet());
        m_timeout = timeout;
    }

    /**
     * @param count ports to choose from
     * @param choose called if a flowlet begins, with the number of the flow's last port, which may
     * be count or above; returns a number below count
     * @return the number of the frame's port
     */
    template <typename Chooser>
    uint32_t Choose(const Frame& frame, uint32_t count, Tick now, Chooser choose)
    {
        const uint64_t flow = uint64_t{frame.entropy} << 32 | frame.dst;
        Flowlet& flowlet = m_flowlets[RandomStream::Scramble(flow) % m_flowlets.size()];
        if (now >= flowlet.endsAt || flowlet.choice >= count)
        {
            flowlet.choice = choose(flowlet.choice);
        }
        flowlet.endsAt = now + m_timeout;
        return flowlet.choice;
    }

  private:
    struct Flowlet
    {
        /// End of the flowlet unless another frame arrives earlier; 0: no frame yet.
        Tick endsAt{0};
        uint32_t choice{std::numeric_limits<uint32_t>::max()}; ///< No port before the first frame.
    };

    std::vector<Flowlet> m_flowlets;
    Tick m_timeout{0};
};

} // namespace ns3::rdma

#endif // RDMA_FLOWLET_TABLE_H
