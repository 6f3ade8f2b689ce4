// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_KERNEL_REPLY_H
#define FPGA_KERNEL_REPLY_H

#include "ns3/offload-kernel.h"

#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/// How a remote procedure call ended. None is 0, what the caller's memory holds before.
enum class KernelStatus : uint8_t
{
    OK = 1,
    NOT_FOUND,      ///< The key is not there.
    FAULT,          ///< A pointer to memory that is not pinned, null or wild.
    BAD_PARAMETERS, ///< Parameters that mean nothing.
    NO_KERNEL,      ///< No kernel has this code.
    TOO_MANY_STEPS, ///< The bound of elements or of repeated reads was reached: perhaps a circle.
    NO_ROOM,        ///< A partition or a table on the chip is full.
    REJECTED,       ///< A service lets the data not pass.
};

/// @return "NOT_FOUND" and so on.
const char* GetKernelStatusName(KernelStatus status);

/// Where the answer of a call goes.
struct ReplyAddress
{
    uint32_t queuePair{0};
    uint64_t address{0}; ///< At the caller.
    uint32_t remoteKey{0};
};

/**
 * @ingroup fpga-kernel
 * @brief The answer of a remote procedure call: a status word of 8 bytes, and the value behind it.
 *
 * Bits 0 to 31 of the word are the value's bytes, 32 to 39 the status, the others 0.  The caller
 * polls for the word.  An answer that fits into a packet is one WRITE.  Of a longer one the value
 * is written first and the word after it by a WRITE of its own: once
 * the word is there, the value is complete.
 *
 * The paper leaves the form to the user; its kernels write the value alone and have the caller poll
 * for that.
 */
struct KernelReply
{
    static constexpr uint32_t WORD_BYTES{8};

    KernelStatus status{KernelStatus::OK};
    std::vector<uint8_t> value;

    /// @return the word of a reply.
    static uint64_t MakeWord(KernelStatus status, uint32_t bytes);
    static KernelStatus GetStatus(uint64_t word);
    static uint32_t GetBytes(uint64_t word);

    /// Adds the WRITEs to a step. @param at when they leave the kernel
    void AddTo(KernelStep& step, const ReplyAddress& to, Tick at) const;

    /// As above, an answer without a value.
    static void AddStatus(KernelStep& step, const ReplyAddress& to, KernelStatus status, Tick at);
};

} // namespace ns3::rdma

#endif // FPGA_KERNEL_REPLY_H
