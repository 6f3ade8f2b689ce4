// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RECEIVE_QUEUE_H
#define RDMA_RECEIVE_QUEUE_H

#include "ns3/simple-ref-count.h"
#include "ns3/work-request.h"

#include <deque>
#include <functional>
#include <optional>

namespace ns3::rdma
{

/**
 * @ingroup rdma-verbs
 * @brief Receive work requests that wait for messages, first come first served: one queue pair's
 * own, or shared by several (ibv_srq).
 *
 * A shared one may have a limit: when fewer requests than that are left, a handler is called and
 * the limit is disarmed (IBTA Vol. 1, Section 10.2.9.2).
 */
class ReceiveQueue : public SimpleRefCount<ReceiveQueue>
{
  public:
    using LimitHandler = std::function<void()>;

    /// @param capacity requests held at most; @param maxSge pieces per request at most
    ReceiveQueue(uint32_t capacity, uint32_t maxSge);

    /// Posts a request and all that are linked behind it. @param bad if not null, is set to the
    /// first request that was not posted; untouched if all were.
    PostResult Post(const ReceiveWorkRequest& request, const ReceiveWorkRequest** bad = nullptr);

    /// @return the oldest request, taken out; unset if there is none.
    std::optional<ReceiveWorkRequest> Take();

    /// @return whether NotifyIfLow() has something to report.
    bool IsLow() const
    {
        return m_requests.size() < m_limit;
    }

    /// Calls the limit's handler if fewer requests are left. Apart from Take(), whose caller is in
    /// the middle of a packet.
    void NotifyIfLow();

    bool IsEmpty() const;
    uint32_t GetCount() const;
    uint32_t GetCapacity() const;

    /// Arms the limit event (ibv_modify_srq). @param limit 0 disarms @param handler may post and
    /// arm again
    void SetLimit(uint32_t limit, LimitHandler handler);

  private:
    std::deque<ReceiveWorkRequest> m_requests; ///< Without links.
    uint32_t m_capacity;
    uint32_t m_maxSge;
    uint32_t m_limit{0};
    LimitHandler m_onLimit;
};

} // namespace ns3::rdma

#endif // RDMA_RECEIVE_QUEUE_H
