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
 * @brief Calls a handler when WRITEs of peers are visible in memory, as if a program polled the
 * memory.
 *
 * It watches queue pairs that are created with GetHandlers().  Each WRITE is reported once, with
 * the address of its first byte.  Without hardware, the report follows the handling of its last
 * packet.  With hardware, it follows when PCIe has written that packet's payload and a core has
 * polled it.
 *
 * Not modelled: the additional delay of a WRITE whose address translation misses; the polling
 * interval.
 */
class ReplyWatch : public SimpleRefCount<ReplyWatch>, private EventTarget
{
  public:
    using Handler = std::function<void(uint32_t queuePair, uint64_t address)>;

    /// @param nic started
    ReplyWatch(Ptr<RdmaNic> nic, Handler handler);
    ~ReplyWatch() override;

    /// @return the handlers of the watched queue pairs (QueuePairInit::handlers).
    Ptr<const RequestHandlerFactory> GetHandlers();

    /// Ends all reports.
    void Stop();

    /// Adds a queue pair.
    void Add(uint32_t queuePair);

    /// A WRITE has been executed.
    /// @param address of its first byte
    void OnWritten(uint32_t queuePair, uint64_t address);

  private:
    enum Event : uint32_t
    {
        WRITTEN, ///< The packet has been handled. Argument: place in m_written.
        SEEN,    ///< Its bytes are in memory. Argument: place in m_written.
        POLLED,  ///< A core has polled it. Argument: place in m_written.
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
    Ptr<HostCpu> m_cpu; ///< Null: polling takes no time.
    uint32_t m_target;
    PendingEvents<Written> m_written;
    /// By queue pair: when PCIe has written all received payload. Never iterated.
    std::unordered_map<uint32_t, Tick> m_placedAt;
    /// The largest number in m_placedAt. Most frames of other traffic have larger numbers.
    uint32_t m_lastQueuePair{0};
};

} // namespace ns3::rdma

#endif // FPGA_REPLY_WATCH_H
