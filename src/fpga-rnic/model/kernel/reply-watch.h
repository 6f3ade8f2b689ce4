// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_REPLY_WATCH_H
#define FPGA_REPLY_WATCH_H

#include "ns3/rdma-nic.h"
#include "ns3/request-handler-factory.h"
#include "ns3/simple-ref-count.h"

#include <functional>
#include <unordered_map>

namespace ns3::rdma
{

/**
 * @ingroup fpga-kernel
 * @brief Calls a handler when WRITEs of peers are visible in memory, as if a program polled there.
 *
 * It watches queue pairs that are made with GetHandlers().  Each WRITE is reported once, with the
 * address of its first byte: with hardware off when its last packet has been handled, else when
 * PCIe has written that packet's payload and a core has polled it.
 *
 * Not modelled: that a WRITE whose address translation misses on the way is seen later than its
 * completion could be; the interval of the polling.
 */
class ReplyWatch : public SimpleRefCount<ReplyWatch>, private EventTarget
{
  public:
    using Handler = std::function<void(uint32_t queuePair, uint64_t address)>;

    /// @param nic started
    ReplyWatch(Ptr<RdmaNic> nic, Handler handler);
    ~ReplyWatch() override;

    /// @return what the queue pairs are made with (QueuePairInit::handlers).
    Ptr<const RequestHandlerFactory> GetHandlers();

    /// No further WRITE is reported.
    void Stop();

    /// A queue pair is made.
    void Add(uint32_t queuePair);

    /// A WRITE has been carried out. @param address of its first byte
    void OnWritten(uint32_t queuePair, uint64_t address);

  private:
    enum Event : uint32_t
    {
        WRITTEN, ///< The packet has been handled. Argument: place in m_written.
        SEEN,    ///< Its bytes are in memory. Argument: likewise.
        POLLED,  ///< A core has seen it. Argument: likewise.
    };

    struct Written
    {
        uint32_t queuePair{0};
        uint64_t address{0};
    };

    void HandleEvent(uint32_t kind, uint32_t argument) override;
    void OnPlaced(const Frame& frame, Time at);

    std::shared_ptr<FabricEngine> m_engine;
    Handler m_handler;  ///< Null after Stop().
    Ptr<HostCpu> m_cpu; ///< Null: it takes no time.
    uint32_t m_target;
    PendingEvents<Written> m_written;
    /// By queue pair: until when PCIe writes what it has received. Never iterated.
    std::unordered_map<uint32_t, Tick> m_placedAt;
    /// The largest number in it: most frames of a NIC with other traffic are of later ones.
    uint32_t m_lastQueuePair{0};
};

} // namespace ns3::rdma

#endif // FPGA_REPLY_WATCH_H
