// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_WORK_REPORTER_H
#define RDMA_WORK_REPORTER_H

#include "ns3/nic-hardware.h"
#include "ns3/queue-pair-table.h"
#include "ns3/transport-factory.h"
#include "ns3/under-way.h"

#include <functional>
#include <memory>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-nic
 * @brief Tells consumers how their work requests ended, and moves queue pairs into their error
 * states when they did not end well.
 *
 * What is to be told is collected while a packet or a call is handled, and told by Deliver() when
 * nothing of a queue pair is in use any more: a consumer may post, change or destroy whatever it
 * likes.  What it causes is told after what was to be told before.
 *
 * With hardware timing a completion is written over PCIe and polled by its core before it is told.
 */
class WorkReporter
{
  public:
    using CompletionHandler = std::function<void(const WorkCompletion&)>;
    using AsyncEventHandler = std::function<void(const AsyncEvent&)>;

    WorkReporter(QueuePairTable& table, const TransportFactory& factory);

    /// Completions take time from here on. @param engine and @param hardware outlive this
    void SetHardware(FabricEngine* engine, NicHardware* hardware);

    /// Completions of the packet that is being handled are not written before. Only with hardware.
    void HoldUntil(Tick when)
    {
        m_timing->notBefore = when;
    }

    /// @param handler is told of requests on queue pairs without completion queue
    void SetCompletionHandler(CompletionHandler handler);
    void SetAsyncEventHandler(AsyncEventHandler handler);

    /// Reports what the requester says; it may have failed. @return false: there was nothing
    bool FinishRequests(QueuePair& queuePair, Completions& completions)
    {
        const bool hasReports = !completions.empty() || queuePair.requester->NeedsAttention();
        if (hasReports)
        {
            Settle(queuePair, completions);
        }
        return hasReports;
    }

    /// Reports send requests.
    void Complete(const QueuePair& queuePair, const Completions& completions);

    using ReceiveCompletions = std::vector<ReceiveCompletion>;

    /// Reports receive requests.
    void CompleteReceive(const QueuePair& queuePair, const ReceiveCompletions& completions);

    /// Reports that few receive requests are left, if so. @param queue may be null
    void TellIfLow(const Ptr<ReceiveQueue>& queue);

    /// Flushes all that is posted. @param reason unset: its consumer asked for it
    void EnterError(QueuePair& queuePair, std::optional<AsyncEventType> reason);

    /// The queue pair is reset or destroyed: completions under way to its consumer never come.
    void Forget(uint32_t queuePair);

    /// Tells consumers what was reported. The last thing that a packet or a call does.
    void Deliver()
    {
        if (!m_outbox.empty() && !m_isDelivering)
        {
            m_timing ? WriteAll() : DeliverAll();
        }
    }

  private:
    enum Event : uint32_t
    {
        WRITE, ///< A completion may be written. Argument: place in Timing::written.
        TELL,  ///< Its consumer has it. Likewise.
    };

    /// Something to tell: one of the first three, or a completion for the handler.
    struct Notice
    {
        Ptr<CompletionQueue> queue;
        Ptr<ReceiveQueue> lowQueue;
        std::optional<AsyncEventType> event;
        WorkCompletion completion{};
        uint32_t qpNumber{0};
        bool isReceive{false};
        bool isSolicited{false};
        bool isForgotten{false};
    };

    /// What completions that take time need.
    struct Timing : public EventTarget
    {
        Timing(WorkReporter& reporter, FabricEngine& engine, NicHardware& hardware);
        ~Timing() override;
        void HandleEvent(uint32_t kind, uint32_t place) override;

        WorkReporter& reporter;
        FabricEngine& engine;
        NicHardware& hardware;
        uint32_t target;
        Tick notBefore{0};
        UnderWay<Notice> written; ///< Being written.
    };

    void Settle(QueuePair& queuePair, Completions& completions);
    void FlushReceives(QueuePair& queuePair);
    void Tell(AsyncEventType type, uint32_t queuePair);
    void TellIfOverflowed(const CompletionQueue& queue, uint32_t queuePair);
    void DeliverAll();
    void WriteAll();
    Tick GetWriteTime(const Notice& notice, Tick now);
    void Write(uint32_t place, Tick now);
    void OnEvent(uint32_t kind, uint32_t place);
    void DeliverOne(const Notice& notice);

    std::vector<Notice> m_outbox;
    bool m_isDelivering{false};
    QueuePairTable& m_table;
    const TransportFactory& m_factory;
    CompletionHandler m_onCompletion;
    std::unique_ptr<AsyncEventHandler> m_onAsyncEvent;
    std::unique_ptr<Timing> m_timing; ///< Null: completions take no time.
};

} // namespace ns3::rdma

#endif // RDMA_WORK_REPORTER_H
