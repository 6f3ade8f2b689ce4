// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_REQUEST_BOOK_H
#define RDMA_REQUEST_BOOK_H

#include "ns3/fabric-engine.h"
#include "ns3/rpc-record.h"

#include <deque>
#include <utility>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-rpc
 * @brief The requests of one client that have begun and not ended.
 *
 * They are numbered from 0 in the order of their start, and end in any order.
 */
class OpenRequests
{
  public:
    /// Adds the next request. @param start not before that of the last one
    void Begin(Tick start);

    void End(uint64_t number);

    /// @return the start of the oldest one. @param none returned if none is open
    Tick GetOldestStart(Tick none) const
    {
        return m_starts.empty() ? none : m_starts.front();
    }

  private:
    std::deque<Tick> m_starts; ///< From the oldest open one on; TICK_NEVER: has ended.
    uint64_t m_first{0};       ///< Number of the first of them.
};

/**
 * @ingroup rdma-rpc
 * @brief The requests of one client, from their arrival to their record.
 */
class RequestBook
{
  public:
    /// A request arrives. @param[in,out] record with client and server; gets its number and start
    void Begin(RpcRecord& record, Tick now);

    /// It ends. @param record with bytes and probes
    void End(RpcRecord record, RpcStatus status, Tick now);

    /// The run ends before it does.
    void Abandon(RpcRecord record, RpcStatus status);

    uint64_t GetStarted() const
    {
        return m_started;
    }

    uint64_t GetEnded() const
    {
        return m_ended;
    }

    Tick GetLastEnd() const
    {
        return m_lastEnd;
    }

    /// @return before which time no request began that has not ended, nor will begin.
    Tick GetOldestStart(Tick now) const
    {
        return m_open.GetOldestStart(now);
    }

    /// @return records of requests that have ended since the last call.
    std::vector<RpcRecord> TakeRecords()
    {
        return std::exchange(m_records, {});
    }

  private:
    OpenRequests m_open;
    std::vector<RpcRecord> m_records; ///< Since TakeRecords().
    uint64_t m_started{0};
    uint64_t m_ended{0};
    Tick m_lastEnd{0};
};

} // namespace ns3::rdma

#endif // RDMA_REQUEST_BOOK_H
