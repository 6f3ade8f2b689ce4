// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_TIMED_RECEIVE_PATH_H
#define RDMA_TIMED_RECEIVE_PATH_H

#include "ns3/link-pauser.h"
#include "ns3/slow-path.h"
#include "ns3/traced-callback.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-nic
 * @brief Takes arriving packets through the chip: ingress meter, buffer, context, packet pipeline,
 * to the transports, and what they carry on to host memory over PCIe.
 *
 * Packets are handled in the order in which they came; one whose context is missing holds up those
 * behind it, while their contexts are fetched too.  Completions are not written before the payload
 * that they are for, nor before software has been notified of a packet that it must handle.  What
 * is for GPU memory takes the GpuPath before PCIe.  A packet that takes a receive request, and all
 * of a SEND, waits in the receive buffer for it: without one it would be refused (IBTA Vol. 1,
 * section 9.7.5.2.8).  Its acknowledgment does not wait.
 */
class TimedReceivePath : private EventTarget
{
  public:
    /// Data of a packet, and when the host can see them.
    using PlacedTrace = TracedCallback<const Frame&, Time>;

    /// All outlive this.
    TimedReceivePath(NicParts& parts,
                     NicTransport& transport,
                     NicTransmitter& transmitter,
                     NicHardware& hardware,
                     SlowPath& slowPath,
                     ControlPath& controlPath);
    ~TimedReceivePath() override;

    /// A frame has arrived; from here on it belongs to the path.
    void Arrive(FrameIndex index);

    PlacedTrace& GetPlacedTrace()
    {
        return m_placedTrace;
    }

  private:
    enum Event : uint32_t
    {
        HANDLED, ///< A packet has passed the pipeline. Argument: frame.
        PLACED,  ///< Payload leaves the services, and where it goes is known. Argument: a copy.
        ON_GPU,  ///< The path to the GPU takes payload. Likewise.
    };

    void HandleEvent(uint32_t kind, uint32_t argument) override;

    void Take(FrameIndex index, Tick now);         ///< Behind the ingress meter, if there is one.
    bool IsAdmitted(const Frame& frame, Tick now); ///< By the ingress meter, which is used.
    void Drop(FrameIndex index, DropReason reason);
    void Handle(FrameIndex index);
    void HandleRequest(QueuePair& queuePair, FrameIndex index);
    void HandleResponse(QueuePair& queuePair, FrameIndex index);

    /// The payload of an accepted packet goes to the host. @param earliest when it may leave; past:
    /// at once; @param otherAddress where the data of a SEND or a READ go; 0: unknown
    /// @param bytes that go, if not as many as came
    /// @return when the write begins: completions come behind it
    Tick Place(QueuePair& queuePair,
               const Frame& frame,
               Tick earliest = 0,
               uint64_t otherAddress = 0,
               uint32_t bytes = 0);
    Tick PlaceOnGpu(const Frame& frame, Tick now, Tick earliest, uint64_t address, uint32_t bytes);
    /// @return at, when payload is written, by an event of that kind.
    /// @param bytes that go, if not as many as came
    Tick WriteAt(const Frame& frame, Tick at, Event kind, uint32_t bytes = 0);

    /// @return when the chip has the receive request that the packet needs. Now, if it needs none
    Tick GetRequestTime(QueuePair& queuePair, const Frame& frame, Tick now);
    Tick TakeRequest(QueuePair& queuePair, Tick now);
    void Write(const Frame& frame, Tick now, Tick latency);
    bool HasAddress(const Frame& frame) const;

    /// @return time since a packet came.
    Tick GetTimeHere(const Frame& frame) const
    {
        return NicParts::GetElapsed(frame, m_core.engine->Now());
    }

    NicParts& m_parts;
    FabricCore& m_core;
    NicTransport& m_transport;
    NicTransmitter& m_transmitter;
    NicHardware& m_hardware;
    SlowPath& m_slowPath;
    ControlPath& m_controlPath;
    IngressMeter& m_ingress;
    ReceiveBuffer& m_buffer;
    GpuPath& m_gpu;
    LinkPauser m_pauser;
    uint32_t m_target;
    PlacedTrace m_placedTrace;
};

} // namespace ns3::rdma

#endif // RDMA_TIMED_RECEIVE_PATH_H
