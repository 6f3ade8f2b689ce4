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

/// Parameters of a WRITE through services, 40 bytes: address of the answer, address and size of the
/// data, key and address of the destination, wrId of the completion.
struct SendStreamParameters
{
    static constexpr uint32_t BYTES{40};

    uint64_t target{0};        ///< Address of the answer in the caller's memory.
    uint64_t address{0};       ///< In the memory of the kernel's host.
    uint32_t bytes{0};         ///< At least 1.
    uint32_t remoteKey{0};     ///< Of the memory at the peer.
    uint64_t remoteAddress{0}; ///< Of the memory at the peer.
    uint64_t wrId{0};          ///< Of the completion on the sending queue pair.

    std::vector<uint8_t> Encode() const;

    /// @return unset if the parameters are malformed.
    static std::optional<SendStreamParameters> Decode(ByteView bytes);
};

/**
 * @ingroup fpga-kernel
 * @brief Reads data of its host, passes them through services, and WRITEs them to a peer (StRoM
 * section 3.5: send kernel).
 *
 * The caller is its own host (KernelHost::Invoke()), or a peer that thereby reads through services.
 * Data are read and sent in chunks; MaxChunks limits the outstanding chunks to the buffers on the
 * chip.  One call is executed at a time.
 *
 * The answer is written to the caller's memory: OK when all WRITEs are posted; REJECTED if a
 * service rejects a chunk, in which case this and later chunks are not sent; FAULT if data are not
 * pinned; BAD_PARAMETERS.  The completion of the last WRITE reports that the data have arrived.
 */
class SendStreamKernel : public OffloadKernel
{
  public:
    static constexpr uint64_t RPC_CODE{1}; ///< WRITE in fpgasystems/davos, FpgaController.h.

    static TypeId GetTypeId();

    /// Appends a service. Its commands are not executed.
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
    uint32_t m_asked{0};  ///< Bytes for which reads were issued.
    uint32_t m_passed{0}; ///< Bytes that were read.
    uint32_t m_reads{0};  ///< Outstanding.
    Tick m_sentAt{0};     ///< Of the last WRITE.
};

} // namespace ns3::rdma

#endif // FPGA_SEND_STREAM_KERNEL_H
