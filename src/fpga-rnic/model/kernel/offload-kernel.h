// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_OFFLOAD_KERNEL_H
#define FPGA_OFFLOAD_KERNEL_H

#include "ns3/byte-view.h"
#include "ns3/clock-domain.h"
#include "ns3/object.h"

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// One packet for a kernel: parameters, or a part of a stream.
struct KernelInput
{
    uint32_t queuePair{0}; ///< Of this NIC, on which it arrived.
    uint8_t opcode{0};     ///< Of its BTH; 0 if isLocal.
    bool isStream{false};  ///< Its operation allows messages of several packets; else parameters.
    bool isFirst{true};    ///< Of its message.
    bool isLast{true};     ///< Of its message.
    bool isLocal{false};   ///< From the kernel's own host; else from the peer of its queue pair.
    uint32_t replyKey{0};  ///< R_Key in its message's RETH: key of the memory for the answer.
    ByteView bytes;        ///< Its payload; valid during the call.
    Tick at{0};            ///< Now.
};

/// One command to the NIC.
struct KernelCommand
{
    enum class Kind : uint8_t
    {
        READ_HOST,  ///< Reads `length` bytes at `address`, for OnData().
        WRITE_HOST, ///< Writes `bytes` to `address`.
        READ_CARD,  ///< As READ_HOST, for the card's memory.
        WRITE_CARD, ///< As WRITE_HOST, for the card's memory.
        SEND_WRITE, ///< Sends an RDMA WRITE of `bytes` to the peer's `address`.
        COMPLETE,   ///< Notifies the polling host with `tag`, after earlier writes.
        INTERRUPT,  ///< As COMPLETE, by an interrupt.
        COUNT
    };

    Kind kind{Kind::READ_HOST};
    Tick at{0}; ///< When the kernel's pipeline emits it; times before now mean now.
    uint64_t address{0};
    uint32_t length{0};         ///< Of a read, at least 1.
    std::vector<uint8_t> bytes; ///< Of a write.
    uint64_t tag{0};            ///< Identifies it to the kernel.
    uint32_t queuePair{0};      ///< SEND_WRITE: the sender. COMPLETE, INTERRUPT: the subject.
    uint32_t remoteKey{0};      ///< SEND_WRITE: R_Key of the memory.
    bool isSignaled{false};     ///< SEND_WRITE: generates a completion with `tag` as wrId.
};

/// The result of one input.
struct KernelStep
{
    boost::container::small_vector<KernelCommand, 2> commands;
    Tick readyAt{0};         ///< When the kernel accepts the next packet; 0: unchanged.
    Tick wakeAt{TICK_NEVER}; ///< Time of a call of OnWake(), in addition to earlier requests.
};

/**
 * @ingroup fpga-kernel
 * @brief A user's function on the NIC: receives packets and data, returns commands (StRoM section
 * 5.2, Listing 1).
 *
 * A state machine over events, which never schedules and reads no clock, so a test needs no
 * simulator.  A KernelHost executes its commands in the order of their times.
 */
class OffloadKernel : public Object
{
  public:
    static TypeId GetTypeId();
    OffloadKernel();

    /// @return the code of the kernel: the address in the RETH of its requests (StRoM section 5.1).
    virtual uint64_t GetRpcCode() const = 0;

    /// @return one line that describes a conflict of its attributes; empty if there is none
    /// (default).
    virtual std::string FindFault() const;

    virtual KernelStep OnPacket(const KernelInput& input) = 0;

    /// A read has completed.
    /// @param tag of the command
    virtual KernelStep OnData(uint64_t tag, ByteView bytes, Tick now) = 0;

    /// The memory of a command is not accessible.
    /// @param tag of the command
    virtual KernelStep OnFault(uint64_t tag, Tick now) = 0;

    /// Called at the time that an earlier step requested. Default: ignored.
    virtual KernelStep OnWake(Tick now);

    /// A queue pair of this NIC has stopped or is destroyed: its unfinished messages and streams
    /// get no further packet. Default: ignored.
    virtual KernelStep OnQueuePairEnd(uint32_t queuePair, Tick now);

    /// Called once, before all other functions.
    void SetClock(const ClockDomain& clock);

  protected:
    /// @return the time `cycles` after the next clock edge.
    Tick After(Tick now, Cycle cycles) const;

    const ClockDomain& GetClock() const
    {
        return m_clock;
    }

  private:
    ClockDomain m_clock; ///< 156.25 MHz and 64 bytes until it is set (StRoM section 5.2).
};

} // namespace ns3::rdma

#endif // FPGA_OFFLOAD_KERNEL_H
