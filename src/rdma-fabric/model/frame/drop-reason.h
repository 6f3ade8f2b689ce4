// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_DROP_REASON_H
#define RDMA_DROP_REASON_H

#include <array>
#include <cstddef>
#include <cstdint>

namespace ns3::rdma
{

/// Why a frame was dropped.
enum class DropReason : uint8_t
{
    BUFFER_FULL,        ///< The switch's shared buffer or AdmissionPolicy did not admit it.
    LINK_LOSS,          ///< Dropped by the link's LossModel.
    LINK_DOWN,          ///< The link was down when the frame was sent, or while it was in flight.
    NO_ROUTE,           ///< No port leads to its destination.
    UNKNOWN_QP,         ///< Its queue pair does not exist.
    OUT_OF_ORDER,       ///< A go-back-N responder expects an earlier PSN, or a bitmap is too short.
    IP_QUEUE_FULL,      ///< A server's queue for packets of ns-3's IP stack was full.
    RECEIVER_NOT_READY, ///< No receive request was posted for its message.
    REFUSED, ///< Its queue pair does not accept it: state, service, key, length or sequence.
    RECEIVE_BUFFER_FULL, ///< The NIC's packet buffer was full.
    NO_RECEIVE_CREDITS,  ///< The NIC had no credits for writes to its host.
    INGRESS_FULL,        ///< The NIC's ingress meter did not admit it.
    KERNEL_BUSY,         ///< A kernel on the NIC had no room for it.
    TRIMMED,     ///< A switch had removed its payload, and the receiving NIC does not answer that.
    PAUSE_STORM, ///< A PfcWatchdog freed its queue, which was paused for too long.
    COUNT
};

constexpr std::size_t DROP_REASONS = static_cast<std::size_t>(DropReason::COUNT);

/// @return the name used in results, for example "buffer-full".
constexpr const char*
GetDropReasonName(DropReason reason)
{
    constexpr std::array<const char*, DROP_REASONS> NAMES{"buffer-full",
                                                          "link-loss",
                                                          "link-down",
                                                          "no-route",
                                                          "unknown-qp",
                                                          "out-of-order",
                                                          "ip-queue-full",
                                                          "receiver-not-ready",
                                                          "refused",
                                                          "receive-buffer-full",
                                                          "no-receive-credits",
                                                          "ingress-full",
                                                          "kernel-busy",
                                                          "trimmed",
                                                          "pause-storm"};
    return NAMES[static_cast<std::size_t>(reason)];
}

/// Frames dropped, by reason.
class DropCounters
{
  public:
    void Count(DropReason reason)
    {
        ++m_counts[static_cast<std::size_t>(reason)];
    }

    uint64_t Get(DropReason reason) const
    {
        return m_counts[static_cast<std::size_t>(reason)];
    }

  private:
    std::array<uint64_t, DROP_REASONS> m_counts{};
};

} // namespace ns3::rdma

#endif // RDMA_DROP_REASON_H
