// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_SEND_STREAM_KERNEL_H
#define FPGA_SEND_STREAM_KERNEL_H

#include "ns3/kernel-reply.h"
#include "ns3/service-chain.h"

#include <deque>
#include <optional>
#include <vector>

namespace ns3::rdma
{

/// Parameters of a WRITE through services, 40 bytes: where the answer goes, address of the data,
/// their bytes, key of the memory that they go to, its address, name of the completion.
struct SendStreamParameters
{
    static constexpr uint32_t BYTES{40};

    uint64_t target{0};        ///< In the memory of the host that calls.
    uint64_t address{0};       ///< In the memory of the kernel's host.
    uint32_t bytes{0};         ///< At least 1.
    uint32_t remoteKey{0};     ///< Of the memory at the peer.
    uint64_t remoteAddress{0}; ///< Likewise.
    uint64_t wrId{0};          ///< Of the completion on the queue pair that sends.

    std::vector<uint8_t> Encode() const;

    /// @return unset if the bytes are no such parameters.
    static std::optional<SendStreamParameters> Decode(ByteView bytes);
};

/**
 * @ingroup fpga-kernel
 * @brief Reads data of its host, lets them pass services, and WRITEs them to a peer (StRoM section
 * 3.5: send kernel).
 *
 * Called by its own host (KernelHost::Invoke()), or by a peer that may then read through services.
 * Data are read and sent in chunks, so many at a time as the chip has buffers for; one call after
 * the other.  The answer goes to the memory of who has called: OK once all is posted; REJECTED if
 * a service rejects data, of which that chunk and those behind it are not sent; FAULT if data are
 * not pinned; BAD_PARAMETERS.  The completion of the last WRITE reports that the data have arrived.
 */
class SendStreamKernel : public OffloadKernel
{
  public:
    static constexpr uint64_t RPC_CODE{1}; ///< WRITE in fpgasystems/davos, FpgaController.h.

    static TypeId GetTypeId();

    /// Appends a service. Its commands are not carried out.
    void Add(Ptr<StreamService> service);

    uint64_t GetRpcCode() const override;
    KernelStep OnPacket(const KernelInput& input) override;
    KernelStep OnData(uint64_t tag, ByteView bytes, Tick now) override;
    KernelStep OnFault(uint64_t tag, Tick now) override;

  private:
    void ReadMore(KernelStep& step, Tick now);
    void End(KernelStep& step, KernelStatus status, Tick at);
    void Answer(KernelStep& step, KernelStatus status, Tick at) const;

    // Attributes.
    uint32_t m_chunkBytes{0};
    uint32_t m_maxChunks{0};
    uint32_t m_latency{0};

    ServiceChain m_services;
    bool m_isBusy{false};
    bool m_isLocal{false};
    ReplyAddress m_reply;
    SendStreamParameters m_call;
    KernelStatus m_status{KernelStatus::OK};
    uint32_t m_asked{0};  ///< Bytes that reads were given for.
    uint32_t m_passed{0}; ///< Bytes that came.
    uint32_t m_reads{0};  ///< Under way.
    Tick m_sentAt{0};     ///< Of the last WRITE.
};

} // namespace ns3::rdma

#endif // FPGA_SEND_STREAM_KERNEL_H
