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
 * @brief Posted receive work requests in FIFO order, of one queue pair or shared by several
 * (ibv_srq).
 *
 * A shared queue may have a limit: when fewer requests are left, a handler is called and the limit
 * is disarmed (IBTA Vol. 1, Section 10.2.9.2).
 */
class ReceiveQueue : public SimpleRefCount<ReceiveQueue>
{
  public:
    using LimitHandler = std::function<void()>;

    /// @param capacity largest number of requests
    /// @param maxSge largest number of pieces per request
    ReceiveQueue(uint32_t capacity, uint32_t maxSge);

    /// Posts a request and all requests linked behind it.
    /// @param bad if not null, is set to the first request that was not posted; unchanged if all
    /// were posted.
    PostResult Post(const ReceiveWorkRequest& request, const ReceiveWorkRequest** bad = nullptr);

    /// Removes the oldest request.
    /// @return the request; unset if there is none.
    std::optional<ReceiveWorkRequest> Take();

    /// @return whether NotifyIfLow() would call the handler.
    bool IsLow() const
    {
        return m_requests.size() < m_limit;
    }

    /// Calls the limit's handler if fewer requests are left. Separate from Take(), whose caller is
    /// still processing a packet.
    void NotifyIfLow();

    bool IsEmpty() const;
    uint32_t GetCount() const;
    uint32_t GetCapacity() const;

    /// Arms the limit event (ibv_modify_srq).
    /// @param limit 0 disarms
    /// @param handler may post requests and arm the limit again
    void SetLimit(uint32_t limit, LimitHandler handler);

  private:
    std::deque<ReceiveWorkRequest> m_requests; ///< Their next pointers are null.
    uint32_t m_capacity;
    uint32_t m_maxSge;
    uint32_t m_limit{0};
    LimitHandler m_onLimit;
};

} // namespace ns3::rdma

#endif // RDMA_RECEIVE_QUEUE_H
