// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_KERNEL_REPLY_H
#define FPGA_KERNEL_REPLY_H

#include "ns3/offload-kernel.h"

#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/// Result of a remote procedure call. No value is 0, the initial content of the caller's memory.
enum class KernelStatus : uint8_t
{
    OK = 1,
    NOT_FOUND,      ///< The key does not exist.
    FAULT,          ///< A pointer is null or refers to memory that is not pinned.
    BAD_PARAMETERS, ///< The parameters are invalid.
    NO_KERNEL,      ///< No kernel has this code.
    TOO_MANY_STEPS, ///< The limit of elements or repeated reads was reached.
    NO_ROOM,        ///< A partition or a table on the chip is full.
    REJECTED,       ///< A service rejected the data.
};

/// @return the name, for example "NOT_FOUND".
const char* GetKernelStatusName(KernelStatus status);

/// Destination of a call's answer.
struct ReplyAddress
{
    uint32_t queuePair{0};
    uint64_t address{0}; ///< In the caller's memory.
    uint32_t remoteKey{0};
};

/**
 * @ingroup fpga-kernel
 * @brief The answer of a remote procedure call: a status word of 8 bytes, followed by the value.
 *
 * Bits 0 to 31 of the word are the number of value bytes, bits 32 to 39 the status, the others 0.
 * The caller polls the word.  An answer that fits into a packet is one WRITE.  A longer answer is
 * WRITEs of the value and then one of the word.  The value is complete when the word is visible.
 *
 * The paper leaves the format to the user; its kernels write the value alone, and the caller polls
 * the value.
 */
struct KernelReply
{
    static constexpr uint32_t WORD_BYTES{8};

    KernelStatus status{KernelStatus::OK};
    std::vector<uint8_t> value;

    static uint64_t MakeWord(KernelStatus status, uint32_t bytes);
    static KernelStatus GetStatus(uint64_t word);
    static uint32_t GetBytes(uint64_t word);

    /// Adds the WRITEs to a step.
    /// @param at when they leave the kernel
    /// @param sent bytes of the value that AddPart() has sent; `value` follows them
    void AddTo(KernelStep& step, const ReplyAddress& to, Tick at, uint32_t sent = 0) const;

    /// Adds the WRITE of a part of a value that is longer than a packet.
    /// @param offset in the value
    static void AddPart(KernelStep& step,
                        const ReplyAddress& to,
                        uint32_t offset,
                        std::vector<uint8_t> bytes,
                        Tick at);

    /// As above, for an answer without a value.
    static void AddStatus(KernelStep& step, const ReplyAddress& to, KernelStatus status, Tick at);
};

} // namespace ns3::rdma

#endif // FPGA_KERNEL_REPLY_H
