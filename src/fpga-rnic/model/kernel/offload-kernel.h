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

/// One packet for a kernel: parameters, or a piece of a stream.
struct KernelInput
{
    uint32_t queuePair{0}; ///< Of this NIC, where it came in.
    uint8_t opcode{0};     ///< Of its BTH; 0 if isLocal.
    bool isStream{false};  ///< Of an operation whose messages may be longer; else parameters.
    bool isFirst{true};    ///< Of its message.
    bool isLast{true};     ///< Of its message.
    bool isLocal{false};   ///< From the kernel's own host; else from the peer of its queue pair.
    uint32_t replyKey{0};  ///< R_Key of its message's RETH: of the memory that the answer goes to.
    ByteView bytes;        ///< Its payload; valid during the call.
    Tick at{0};            ///< Now.
};

/// One command to the NIC.
struct KernelCommand
{
    enum class Kind : uint8_t
    {
        READ_HOST,  ///< `length` bytes at `address`; OnData() brings them.
        WRITE_HOST, ///< `bytes` to `address`.
        READ_CARD,  ///< As READ_HOST, of the card's memory.
        WRITE_CARD, ///< As WRITE_HOST.
        SEND_WRITE, ///< An RDMA WRITE of `bytes` to the peer's `address`.
        COMPLETE,   ///< A notification with `tag` for the host, which polls, behind earlier writes.
        INTERRUPT,  ///< As COMPLETE, with an interrupt.
        COUNT
    };

    Kind kind{Kind::READ_HOST};
    Tick at{0}; ///< When the kernel's pipeline emits it; before now: now.
    uint64_t address{0};
    uint32_t length{0};         ///< Of a read, at least 1.
    std::vector<uint8_t> bytes; ///< Of a write.
    uint64_t tag{0};            ///< Identifies it to the kernel.
    uint32_t queuePair{0};      ///< SEND_WRITE: the sender. COMPLETE, INTERRUPT: the subject.
    uint32_t remoteKey{0};      ///< SEND_WRITE.
    bool isSignaled{
        false}; ///< SEND_WRITE: its end is a completion of its queue pair, named by tag.
};

/// What a kernel does with one input.
struct KernelStep
{
    boost::container::small_vector<KernelCommand, 2> commands;
    Tick readyAt{0};         ///< When it can take the next packet; 0: as in the step before.
    Tick wakeAt{TICK_NEVER}; ///< OnWake() is called then, in addition to earlier requested times.
};

/**
 * @ingroup fpga-kernel
 * @brief A user's function on the NIC: takes packets and data, answers with commands (StRoM
 * section 5.2, Listing 1).
 *
 * A state machine over events, which never schedules and reads no clock: a test of it needs no
 * simulator. A KernelHost carries out its commands in the order of their times.
 */
class OffloadKernel : public Object
{
  public:
    static TypeId GetTypeId();
    OffloadKernel();

    /// @return the code by which requests name it: the address in their RETH (StRoM section 5.1).
    virtual uint64_t GetRpcCode() const = 0;

    /// @return what is wrong with its attributes together, one line; empty: nothing. Default.
    virtual std::string FindFault() const;

    virtual KernelStep OnPacket(const KernelInput& input) = 0;

    /// A read is done. @param tag of the command
    virtual KernelStep OnData(uint64_t tag, ByteView bytes, Tick now) = 0;

    /// A command cannot reach its memory. @param tag of the command
    virtual KernelStep OnFault(uint64_t tag, Tick now) = 0;

    /// The requested time of an earlier step has come. Default: nothing.
    virtual KernelStep OnWake(Tick now);

    /// A queue pair of this NIC has stopped or is destroyed: no further packet of a message or a
    /// stream under way on it will come. Default: nothing.
    virtual KernelStep OnQueuePairEnd(uint32_t queuePair, Tick now);

    /// Once, before all else.
    void SetClock(const ClockDomain& clock);

  protected:
    /// @return so many cycles after the next edge.
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
