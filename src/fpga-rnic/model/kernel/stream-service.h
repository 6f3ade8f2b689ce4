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
    bool isSent{false};  ///< It is transmitted; else it is received.
    bool isFirst{true};  ///< Of its message.
    bool isLast{true};   ///< Of its message.
    uint64_t address{0}; ///< Of its first byte: at the peer if it is sent, else at this host.
    ByteView bytes;      ///< Its payload; valid during the call.
    Tick at{0};          ///< When the packet is at the service (StreamTiming); not before now.
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
    BAD_LENGTH, ///< The service does not accept this length.
    TOO_LONG,   ///< After the service, a packet would exceed the path MTU.
    COUNT
};

/// The result of one packet.
struct StreamStep
{
    bool isRejected{false}; ///< Its data are discarded.
    /// ON_PATH: the new payload, of GetBytesBehind() bytes. Empty: unchanged.
    std::vector<uint8_t> bytes;
    Tick passedAt{0}; ///< When the data, or the verdict, leaves the service; 0: at once.
    Tick readyAt{0};  ///< When it accepts the next packet; 0: at once.
    KernelStep step;  ///< Commands, as of any kernel. Its readyAt is not used.
};

/**
 * @ingroup fpga-kernel
 * @brief A kernel that plain RDMA WRITEs pass between network and host (StRoM section 3.5: receive
 * and send kernels).
 *
 * KernelHost::AttachToReceive() and a SendStreamKernel select the queue pairs whose data pass it.
 * Used at both ends, it is a send-receive kernel.  Requests with its code are passed to it as to
 * any kernel: they carry parameters and read results.
 *
 * A state machine, as any kernel: each call has its time and returns the resulting commands.
 */
class StreamService : public OffloadKernel
{
  public:
    /// Position relative to the stream.
    enum class Placement : uint8_t
    {
        ON_PATH,  ///< In the stream: it delays the data and may change them.
        PARALLEL, ///< On a copy: data are unchanged, but delayed until its verdict, if it has one.
    };

    static TypeId GetTypeId();

    virtual Placement GetPlacement() const = 0;

    /// @return time by which a verdict may follow the data without delaying them, if the service is
    /// PARALLEL in its own placement. Default: 0.
    virtual Tick GetHidden() const;

    /// Called for each packet, in the order of its stream; packets of several queue pairs are
    /// interleaved. Retransmitted and duplicate packets are not passed again.
    virtual StreamStep OnStream(const StreamInput& input) = 0;

    /// @return why a message cannot pass, or NONE (default). If it cannot, its request ends in
    /// error, and OnStream() is not called for its packets.
    virtual StreamFault CheckMessage(const StreamMessage& message) const;

    /// @return the attribute, with its valid values, that must be set before any message can pass;
    /// empty if none (default).
    virtual std::string FindSlotFault() const;

    /// @return length of a packet after the service, if it is ON_PATH. Default: unchanged.
    virtual uint32_t GetBytesBehind(uint32_t bytes) const;

    // For services that read memory. Defaults: ignored.
    KernelStep OnData(uint64_t tag, ByteView bytes, Tick now) override;
    KernelStep OnFault(uint64_t tag, Tick now) override;
};

} // namespace ns3::rdma

#endif // FPGA_STREAM_SERVICE_H
