// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_CALL_KERNEL_H
#define FPGA_CALL_KERNEL_H

#include "ns3/kernel-reply.h"
#include "ns3/offload-kernel.h"

#include <optional>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup fpga-kernel
 * @brief Base of kernels that answer each call separately, with several calls in progress at a
 * time.
 *
 * Each call has a place, whose number is in bits 0 to 31 of the tag of its commands.  The kernel
 * accepts no further calls while all places are in use.
 */
class CallKernel : public OffloadKernel
{
  public:
    static TypeId GetTypeId();

    /// @return calls dropped because they had no target address.
    uint64_t GetDropped() const
    {
        return m_dropped;
    }

  protected:
    /// @return the destination of a call's answer; unset if the call has no target, which is
    /// counted.
    std::optional<ReplyAddress> FindReply(const KernelInput& input);

    /// Begins a call.
    /// @return its place
    uint32_t Begin(const ReplyAddress& reply, Tick now, KernelStep& step);

    /// @param handler name of the caller, for example "OnData()"
    /// @return the place of the call that issued a command.
    /// @throws PolicyError if no such call is in progress
    uint32_t GetPlace(const char* handler, uint64_t tag) const;

    /// Ends a call and adds its answer.
    /// @param at when the answer leaves
    void End(uint32_t place, const KernelReply& reply, Tick at, Tick now, KernelStep& step);

    /// Adds the reads of the value that is the answer.  A value that is longer than a packet is
    /// passed on while it arrives, as in StRoM Listing 2: its first packet leaves before the rest
    /// has been read.
    void ReadValue(uint32_t place, uint64_t address, uint32_t bytes, Tick now, KernelStep& step);

    /// Data of ReadValue(). Sends them, and ends the call with the last ones.
    /// @param tag of the read
    void OnValue(uint64_t tag, ByteView bytes, Tick now, KernelStep& step);

    /// A fault of ReadValue(). Ends the call with FAULT when no read of it is outstanding.
    void OnValueFault(uint64_t tag, Tick now, KernelStep& step);

    /// Adds the answer BAD_PARAMETERS.
    void Refuse(const ReplyAddress& reply, Tick now, KernelStep& step) const;

    /// Adds a read of the host's memory.
    /// @param place of the call
    void Read(uint32_t place, uint64_t address, uint32_t bytes, Tick now, KernelStep& step) const;

    uint32_t m_latency{0}; ///< Cycles from one input to the next command; an attribute.

  private:
    struct Place
    {
        ReplyAddress reply;
        bool isUsed{false};
        uint32_t partsLeft{0}; ///< Outstanding reads of ReadValue().
        uint32_t sent{0};      ///< Bytes of the value in WRITEs.
        bool hasFault{false};
    };

    void ReadPart(uint64_t tag, uint64_t address, uint32_t bytes, Tick now, KernelStep& step) const;
    /// Ends the call when all parts of the value have been read.
    /// @param value that is not sent yet
    void EndValue(uint32_t place, std::vector<uint8_t> value, Tick now, KernelStep& step);

    uint32_t m_maxCalls{0};
    std::vector<Place> m_places;
    uint32_t m_used{0};
    uint64_t m_dropped{0};
};

} // namespace ns3::rdma

#endif // FPGA_CALL_KERNEL_H
