// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PRECISION_WATCH_H
#define RDMA_PRECISION_WATCH_H

#include "ns3/byte-buffer.h"
#include "ns3/clustered-mean.h"
#include "ns3/flow-record.h"
#include "ns3/tick.h"

#include <vector>

namespace ns3::rdma
{

/// The precision of the means of a run. Times are picoseconds.
struct PrecisionReport
{
    double target{0}; ///< Half width of the confidence interval, relative to the mean.
    bool isReached{false};
    int64_t fromPs{0};     ///< The end of the warm-up.
    int64_t measuredPs{0}; ///< From there to the end of the run.
    int64_t flows{0};      ///< Completed in that time; the means are over these.
    uint32_t servers{0};
    MeanEstimate fctPs;
    MeanEstimate slowdown;
};

/**
 * @ingroup rdma-scenario
 * @brief Finds out that the mean slowdown is known well enough.
 *
 * Counts the flows that *end* after the warm-up.  In a steady state these are as slow, on average,
 * as those that start (what ends in a stretch of time is what has started, moved), and none of them
 * has to be waited for: the run can stop at once.  Looks at times that grow by a tenth, so that
 * chance has few occasions to stop the run too early, and not before a minimum of flows.
 *
 * Ranks exchange their flows, so that all decide alike.
 */
class PrecisionWatch
{
  public:
    static constexpr Tick FIRST_LOOK{100'000'000}; ///< After the warm-up.
    static constexpr int64_t MIN_FLOWS{1000};

    /// @param target half width of the confidence interval, relative to the mean; 0: never looks
    /// @param from when the warm-up ends; @param nodes that ids come from; @param servers of these
    PrecisionWatch(double target, Tick from, uint32_t nodes, uint32_t servers);

    bool IsOn() const
    {
        return m_target > 0;
    }

    /// @return when to look next; TICK_NEVER if never.
    Tick GetNextTime() const
    {
        return m_next;
    }

    /// A flow of this rank has ended well.
    void Add(const FlowRecord& record);

    /// Appends what has been added since the last Forget(), for another rank.
    void Pack(ByteBuffer& buffer) const;
    /// Takes in what another rank has packed.
    void Unpack(ByteReader& reader);
    /// All ranks have been notified.
    void Forget();

    /// Looks. At GetNextTime(). @return whether the target is reached.
    bool Look();

    /// @return what is known. @param until the run has come
    PrecisionReport GetReport(Tick until) const;

  private:
    /// What others need of a flow.
    struct Ended
    {
        uint32_t src;
        uint32_t dst;
        int64_t fctPs;
        int64_t slowdown; ///< Fixed point.
    };

    void Count(const Ended& ended);

    double m_target;
    Tick m_from;
    Tick m_next;
    bool m_isReached{false};
    uint32_t m_servers;
    ClusteredMean m_fct;
    ClusteredMean m_slowdown;
    std::vector<Ended> m_news; ///< Not sent yet.
};

} // namespace ns3::rdma

#endif // RDMA_PRECISION_WATCH_H
