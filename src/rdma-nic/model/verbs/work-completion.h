// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_WORK_COMPLETION_H
#define RDMA_WORK_COMPLETION_H

#include <cstdint>

namespace ns3::rdma
{

/**
 * @brief Status of a completed work request; names as in libibverbs' ibv_wc_status.
 *
 * Statuses of reliable datagrams, memory windows and extended connections are not listed: the model
 * has none of them.
 */
enum class WcStatus : uint8_t
{
    SUCCESS,
    LOC_LEN_ERR,       ///< A message exceeds its receive buffer, or a datagram exceeds the MTU.
    LOC_QP_OP_ERR,     ///< The request is inconsistent with its queue pair.
    LOC_PROT_ERR,      ///< A local buffer is not covered by a valid memory region.
    WR_FLUSH_ERR,      ///< The queue pair was in error before the request could be carried out.
    BAD_RESP_ERR,      ///< The opcode of the response does not match the request.
    LOC_ACCESS_ERR,    ///< Receive side: protection error of a WRITE with immediate data.
    REM_INV_REQ_ERR,   ///< The responder refused the request as invalid.
    REM_ACCESS_ERR,    ///< The remote memory region does not allow it.
    REM_OP_ERR,        ///< The responder could not carry it out.
    RETRY_EXC_ERR,     ///< The retransmission timer expired more than retry_cnt times in a row.
    RNR_RETRY_EXC_ERR, ///< The receiver was not ready more than rnr_retry times in a row.
    COUNT
};

/// @return the name, for example "RETRY_EXC_ERR".
const char* GetWcStatusName(WcStatus status);

/// Operation of a completed work request; names as in libibverbs' ibv_wc_opcode.
enum class WcOpcode : uint8_t
{
    SEND,
    RDMA_WRITE,
    RDMA_READ,
    COMP_SWAP,
    FETCH_ADD,
    RECV,
    RECV_RDMA_WITH_IMM,
};

/// Completion of one work request (ibv_wc).
struct WorkCompletion
{
    uint64_t wrId;
    WcStatus status;
    uint32_t qpNumber;               ///< Number of the request's queue pair.
    WcOpcode opcode{WcOpcode::SEND}; ///< Valid if status is SUCCESS.
    bool hasImmediate{false};
    uint32_t immediate{0};
    uint32_t byteLength{0}; ///< Bytes received or read; for datagrams 40 bytes of GRH included.
    uint32_t srcQp{0};      ///< Datagrams: the sender.
};

} // namespace ns3::rdma

#endif // RDMA_WORK_COMPLETION_H
