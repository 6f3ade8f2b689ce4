// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_STREAM_SERVICE_H
#define FPGA_STREAM_SERVICE_H

#include "ns3/offload-kernel.h"

#include <string>
#include <vector>

namespace ns3::rdma
{

/// One packet of a stream that passes a service.
struct StreamInput
{
    uint32_t queuePair{0};
    bool isSent{false};  ///< On its way out; else it has come in.
    bool isFirst{true};  ///< Of its message.
    bool isLast{true};   ///< Of its message.
    uint64_t address{0}; ///< Where its first byte goes: at this host, or at the peer if it is sent.
    ByteView bytes;      ///< Its payload; valid during the call.
    Tick at{0};          ///< When its first word is at the service; not before now.
};

/// One message of a stream, before its first packet.
struct StreamMessage
{
    uint32_t queuePair{0};
    bool isSent{false};
    uint64_t bytes{0};
};

/// Why a message cannot pass a service.
enum class StreamFault : uint8_t
{
    NONE,
    NO_KEY,     ///< The queue pair has no key.
    BAD_LENGTH, ///< The service cannot take so many bytes.
    TOO_LONG,   ///< A packet would be longer than the path MTU behind it.
    COUNT
};

/// What a service does with one packet.
struct StreamStep
{
    bool isRejected{false};     ///< Its data are discarded.
    std::vector<uint8_t> bytes; ///< ON_PATH: in place of the packet's, GetBytesBehind() of them.
                                ///< Empty: unchanged.
    Tick passedAt{0};           ///< When the data, or the verdict, leaves the service; 0: at once.
    Tick readyAt{0};            ///< When it can take the next packet; 0: at once.
    KernelStep step;            ///< Commands, as of any kernel. Its readyAt is not used.
};

/**
 * @ingroup fpga-kernel
 * @brief A kernel that plain RDMA WRITEs pass on their way between network and host (StRoM section
 * 3.5: receive and send kernels).
 *
 * KernelHost::AttachToReceive() and a SendStreamKernel choose the queue pairs whose data pass it;
 * both ends together make a send-receive kernel.  Requests with its code are passed to it as to any
 * kernel: they carry parameters and read results.
 *
 * A state machine, as any kernel: each call has its time and returns the commands that follow.
 */
class StreamService : public OffloadKernel
{
  public:
    /// Where it is.
    enum class Placement : uint8_t
    {
        ON_PATH,  ///< In the stream: data leave it later, and may leave it changed.
        PARALLEL, ///< On a copy: data go on unchanged, but not before its verdict if it has one.
    };

    static TypeId GetTypeId();

    virtual Placement GetPlacement() const = 0;

    /// @return by how much a verdict may come later than the data without delaying them, if the
    /// service is PARALLEL in its own placement. Default: 0
    virtual Tick GetHidden() const;

    /// A packet, in the order of its stream; packets of several queue pairs come interleaved. One
    /// that is sent again, or comes twice, is not shown again.
    virtual StreamStep OnStream(const StreamInput& input) = 0;

    /// @return why a message cannot pass: its request ends in error, and none of its packets is
    /// shown. Default: NONE.
    virtual StreamFault CheckMessage(const StreamMessage& message) const;

    /// @return what is missing for any message to pass it, an attribute and its values; empty:
    /// nothing. Default.
    virtual std::string FindSlotFault() const;

    /// @return bytes behind the service of a packet of so many, if it is ON_PATH. Default: as many.
    virtual uint32_t GetBytesBehind(uint32_t bytes) const;

    // A service that reads nothing gets no OnData(). Defaults: nothing.
    KernelStep OnData(uint64_t tag, ByteView bytes, Tick now) override;
    KernelStep OnFault(uint64_t tag, Tick now) override;
};

} // namespace ns3::rdma

#endif // FPGA_STREAM_SERVICE_H
