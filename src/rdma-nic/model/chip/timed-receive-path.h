// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_TIMED_RECEIVE_PATH_H
#define RDMA_TIMED_RECEIVE_PATH_H

#include "ns3/empty-queue-stall.h"
#include "ns3/link-pauser.h"
#include "ns3/nic-transmitter.h"
#include "ns3/slow-path.h"
#include "ns3/traced-callback.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-nic
 * @brief The path of arriving packets through the chip: ingress meter, buffer, context, packet
 * pipeline, transport; then of their payload over PCIe to host memory.
 *
 * Packets are handled in the order of arrival; a packet whose context is missing blocks later ones,
 * whose contexts are fetched in the meantime.  A completion is written after its payload, and after
 * software has been notified of a packet that it must handle.  Payload for GPU memory takes the
 * GpuPath before PCIe.  A packet that takes a receive request, and all packets of a SEND, stay in
 * the receive buffer until the request is on the chip: without one they would be refused (IBTA Vol.
 * 1, section 9.7.5.2.8).  Their acknowledgments are not delayed.  If no request has been posted,
 * EmptyQueueStall may hold them, and all packets behind them.
 *
 * If acknowledgments are made from headers (NicHardware::AnswerBlock), they leave as early as that;
 * everything else happens when the packet has passed the pipeline.
 */
class TimedReceivePath : private EventTarget
{
  public:
    /// A packet, and when the host can see its data.
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
                     ControlPath& controlPath,
                     const uint8_t& dataPriorities);
    ~TimedReceivePath() override;

    /// Takes ownership of a frame that has arrived.
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
        PLACED,  ///< Payload leaves the services, and its address is known. Argument: a copy.
        ON_GPU,  ///< The path to the GPU takes payload. Argument: as PLACED.
    };

    void HandleEvent(uint32_t kind, uint32_t argument) override;

    /// @return whether the ingress meter, if there is one, lets a frame in.
    bool IsAdmitted(const Frame& frame, Tick now);
    /// Gives a frame room in the buffer, or drops it. @return whether it has room
    bool Admit(FrameIndex index, Tick now);
    /// As Admit(), by the exact backlog of the writes over PCIe.
    bool AdmitIfFits(FrameIndex index, Tick now);
    void Drop(FrameIndex index, DropReason reason);
    void Handle(FrameIndex index);
    void HandleHeld(FrameIndex index);             ///< Handle(), for EmptyQueueStall.
    void OnPlaced(uint32_t kind, FrameIndex copy); ///< Argument of PLACED and ON_GPU.
    void CarryOut(QueuePair& queuePair, FrameIndex index);
    /// Sends an acknowledgment of a packet. @param heldFor time since its arrival
    void SendAnswer(FrameIndex answer, const Frame& packet, Tick heldFor);

    /// Writes the payload of an accepted packet to memory.
    /// @return when the write begins: completions are written later
    Tick Place(QueuePair& queuePair, const Frame& frame, const Placement& placement);
    /// As Place(), for any packet.
    Tick PlaceAny(QueuePair& queuePair, const Frame& frame, const Placement& placement, Tick now);
    /// Schedules a write of payload. @param bytes to be written
    /// @return `at`, when an event of `kind` writes it.
    Tick WriteAt(const Frame& frame, Tick at, Event kind, uint32_t bytes);

    /// @return when the chip has the receive request that the packet needs; `now` if it needs none
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
    const HeaderLead& m_answerLead;
    ReadPool* m_reads;       ///< Null: it does not need the placement of responses.
    IngressMeter* m_ingress; ///< Null: the meter is not used.
    ReceiveBuffer& m_buffer;
    GpuPath* m_gpu; ///< Null: the NIC has no GPU.
    LinkPauser m_pauser;
    EmptyQueueStall m_stall;
    /// By the queue pairs' places: when the receive request of the arriving message is on the chip.
    std::vector<Tick> m_requestAt;
    uint32_t m_target;
    PlacedTrace m_placedTrace;
};

} // namespace ns3::rdma

#endif // RDMA_TIMED_RECEIVE_PATH_H
