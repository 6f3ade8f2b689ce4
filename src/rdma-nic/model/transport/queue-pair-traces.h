// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_QUEUE_PAIR_TRACES_H
#define RDMA_QUEUE_PAIR_TRACES_H

#include "ns3/lazy-trace-accessor.h"
#include "ns3/queue-pair.h"
#include "ns3/traced-callback.h"
#include "ns3/type-id.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-nic
 * @brief The trace sources of a NIC's queue pairs; the first argument of each is the number of the
 * queue pair.
 *
 * Made when the first callback is connected: a NIC without callbacks spends no time on traces.
 */
struct QueuePairTraces
{
    /// Limits and progress of a requester, to be compared with a later state.
    struct SendState
    {
        explicit SendState(const Requester& requester);

        DataRate rate;
        uint64_t windowBytes;
        uint64_t ackedBytes;
        uint64_t timeouts;
    };

    // Signatures of the traces.
    using RateCallback = void (*)(uint32_t queuePair, DataRate before, DataRate now);
    using WindowCallback = void (*)(uint32_t queuePair, uint64_t before, uint64_t now);
    using BytesCallback = void (*)(uint32_t queuePair, uint64_t bytes);
    using EventCallback = void (*)(uint32_t queuePair);
    using FrameCallback = void (*)(uint32_t queuePair, const Frame& frame);
    using StateCallback = void (*)(uint32_t queuePair, QpState before, QpState now);
    using CompletionCallback = void (*)(uint32_t queuePair, const WorkCompletion& completion);
    using ProgressCallback = void (*)(uint32_t queuePair,
                                      const Requester& requester,
                                      const Frame* answer);
    using TurnCallback = void (*)(uint32_t queuePair, Tick contextAt, Tick fetchedAt);
    using StageCallback = void (*)(const Frame& frame, Tick broughtAt, Tick passedAt);

    /// Calls the traces of all values that have changed.
    /// @param answer that caused the change; null: none
    void ReportChange(uint32_t queuePair,
                      const SendState& before,
                      const Requester& requester,
                      const Frame* answer = nullptr);

    /// The answer to a request, or a CNP, is about to be handled.
    void ReportArrival(uint32_t queuePair, const Frame& frame);

    TracedCallback<uint32_t, DataRate, DataRate> rate;
    TracedCallback<uint32_t, uint64_t, uint64_t> window;
    TracedCallback<uint32_t, uint64_t> acknowledge;
    TracedCallback<uint32_t, const Frame&> retransmit;
    TracedCallback<uint32_t> timeout;
    TracedCallback<uint32_t, const Frame&> nak;
    TracedCallback<uint32_t> cnp;
    TracedCallback<uint32_t, QpState, QpState> state;
    TracedCallback<uint32_t, const WorkCompletion&> completion;
    TracedCallback<uint32_t, const Requester&, const Frame*> progress;
    TracedCallback<uint32_t, Tick, Tick> turn;
    TracedCallback<const Frame&, Tick, Tick> transmitStages;
    TracedCallback<const Frame&, Tick, Tick> receiveStages;
};

/// Makes a member of QueuePairTraces a trace source. @tparam Owner has GetTraces()
template <typename Owner, auto TRACE>
auto&
GetQueuePairTrace(Owner& owner)
{
    return owner.GetTraces().*TRACE;
}

/// Gives a type the trace sources of its queue pairs.
template <typename Owner>
TypeId
AddQueuePairTraces(TypeId type)
{
    const auto get = [](auto trace) { return MakeLazyTraceAccessor(trace); };
    using Traces = QueuePairTraces;
    return type
        .AddTraceSource("Rate",
                        "Congestion control has changed the sending rate, at the wire: queue pair, "
                        "old, new; at most the line rate",
                        get(&GetQueuePairTrace<Owner, &Traces::rate>),
                        "ns3::rdma::QueuePairTraces::RateCallback")
        .AddTraceSource("Window",
                        "The bytes that may be in flight have changed: queue pair, old, new",
                        get(&GetQueuePairTrace<Owner, &Traces::window>),
                        "ns3::rdma::QueuePairTraces::WindowCallback")
        .AddTraceSource("Acknowledge",
                        "Payload was acknowledged: queue pair, all bytes acknowledged so far",
                        get(&GetQueuePairTrace<Owner, &Traces::acknowledge>),
                        "ns3::rdma::QueuePairTraces::BytesCallback")
        .AddTraceSource("Retransmit",
                        "A packet is sent again: queue pair, frame",
                        get(&GetQueuePairTrace<Owner, &Traces::retransmit>),
                        "ns3::rdma::QueuePairTraces::FrameCallback")
        .AddTraceSource("Timeout",
                        "The retransmission timer has expired: queue pair",
                        get(&GetQueuePairTrace<Owner, &Traces::timeout>),
                        "ns3::rdma::QueuePairTraces::EventCallback")
        .AddTraceSource("Nak",
                        "A NAK arrives at the requester, RNR NAKs too: queue pair, frame",
                        get(&GetQueuePairTrace<Owner, &Traces::nak>),
                        "ns3::rdma::QueuePairTraces::FrameCallback")
        .AddTraceSource("Cnp",
                        "A congestion notification packet arrives: queue pair",
                        get(&GetQueuePairTrace<Owner, &Traces::cnp>),
                        "ns3::rdma::QueuePairTraces::EventCallback")
        .AddTraceSource("State",
                        "A queue pair has changed its state: queue pair, old, new",
                        get(&GetQueuePairTrace<Owner, &Traces::state>),
                        "ns3::rdma::QueuePairTraces::StateCallback")
        .AddTraceSource("Completion",
                        "A consumer is notified of a work request that has ended: queue pair, "
                        "completion",
                        get(&GetQueuePairTrace<Owner, &Traces::completion>),
                        "ns3::rdma::QueuePairTraces::CompletionCallback")
        .AddTraceSource("Progress",
                        "After anything that may change when a queue pair sends next: queue pair, "
                        "its requester, the answer that has arrived or null",
                        get(&GetQueuePairTrace<Owner, &Traces::progress>),
                        "ns3::rdma::QueuePairTraces::ProgressCallback")
        .AddTraceSource("Turn",
                        "A turn waits for its context or work requests (hardware timing): queue "
                        "pair, when the context is there, when the work requests are",
                        get(&GetQueuePairTrace<Owner, &Traces::turn>),
                        "ns3::rdma::QueuePairTraces::TurnCallback")
        .AddTraceSource("TransmitStages",
                        "A data packet enters the chip (hardware timing): frame, when its payload "
                        "is there, when it is through the pipeline",
                        get(&GetQueuePairTrace<Owner, &Traces::transmitStages>),
                        "ns3::rdma::QueuePairTraces::StageCallback")
        .AddTraceSource("ReceiveStages",
                        "A frame has arrived on the chip (hardware timing): frame, when its "
                        "context is there, when it is through the pipeline",
                        get(&GetQueuePairTrace<Owner, &Traces::receiveStages>),
                        "ns3::rdma::QueuePairTraces::StageCallback");
}

} // namespace ns3::rdma

#endif // RDMA_QUEUE_PAIR_TRACES_H
