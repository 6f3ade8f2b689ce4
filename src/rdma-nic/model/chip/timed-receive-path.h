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
    TimedReceivePath(FabricCore& core,
                     FabricPort& port,
                     const QueuePairTable& table,
                     NicTransport& transport,
                     NicTransmitter& transmitter,
                     NicPorts& ports,
                     WorkReporter& reporter,
                     FrameMaker& frames,
                     NicHardware& hardware,
                     SlowPath& slowPath,
                     ControlPath& controlPath);
    ~TimedReceivePath() override;

    /// A frame has arrived; from here on it belongs to the path.
    void Arrive(FrameIndex index);

    /// The queue pair is reset or destroyed.
    void Forget(const QueuePair& queuePair);

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

    void Take(FrameIndex index, Tick now); ///< Behind the ingress meter, if there is one.
    /// @return whether the ingress meter, if there is one, lets a frame in.
    bool IsAdmitted(const Frame& frame, Tick now);
    /// @return payload on the chip that waits for the way to its memory.
    uint64_t GetWriteBacklog(Tick now) const;
    void Drop(FrameIndex index, DropReason reason);
    void Handle(FrameIndex index);
    void CarryOut(QueuePair& queuePair, FrameIndex index);

    /// The payload of an accepted packet goes to memory. @return when the write begins: completions
    /// come behind it
    Tick Place(QueuePair& queuePair, const Frame& frame, const Placement& placement);
    /// @param bytes that go @return at, when payload is written, by an event of that kind.
    Tick WriteAt(const Frame& frame, Tick at, Event kind, uint32_t bytes);

    /// @return when the chip has the receive request that the packet needs. Now, if it needs none
    Tick GetRequestTime(QueuePair& queuePair, const Frame& frame, Tick now);
    Tick TakeRequest(QueuePair& queuePair, Tick now);
    void Write(const Frame& frame, Tick now, Tick latency);
    bool HasAddress(const Frame& frame) const;

    FabricCore& m_core;
    FabricPort& m_port;
    const QueuePairTable& m_table;
    NicTransport& m_transport;
    NicTransmitter& m_transmitter;
    NicPorts& m_ports;
    WorkReporter& m_reporter;
    FrameMaker& m_frames;
    NicHardware& m_hardware;
    SlowPath& m_slowPath;
    ControlPath& m_controlPath;
    PcieLink& m_pcie;
    ContextCache& m_contexts;
    PacketPipeline& m_pipeline;
    IngressMeter* m_ingress; ///< Null: it is not used.
    ReceiveBuffer& m_buffer;
    GpuPath* m_gpu; ///< Null: the NIC has no GPU beside it.
    LinkPauser m_pauser;
    /// When the receive request of the arriving message is on the chip, by the queue pairs' places.
    std::vector<Tick> m_requestAt;
    uint32_t m_target;
    PlacedTrace m_placedTrace;
};

} // namespace ns3::rdma

#endif // RDMA_TIMED_RECEIVE_PATH_H
