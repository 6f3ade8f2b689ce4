// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_WORK_COMPLETION_H
#define RDMA_WORK_COMPLETION_H

#include <cstdint>

namespace ns3::rdma
{

/// How a work request ended; names as in libibverbs' ibv_wc_status.
enum class WcStatus : uint8_t
{
    SUCCESS,
    RETRY_EXC_ERR, ///< The retransmission timer expired more than retry_cnt times in a row.
    WR_FLUSH_ERR,  ///< The queue pair was in error before the request could be carried out.
};

/// One work request has ended.
struct WorkCompletion
{
    uint64_t wrId;
    WcStatus status;
    uint32_t qpNumber; ///< Of the sender.
};

} // namespace ns3::rdma

#endif // RDMA_WORK_COMPLETION_H
