// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RECEIVE_ENGINE_H
#define RDMA_RECEIVE_ENGINE_H

#include "ns3/fabric-port.h"
#include "ns3/nic-hardware.h"
#include "ns3/queue-pair-table.h"
#include "ns3/traced-callback.h"

namespace ns3::rdma
{

class NicReceiver;

/**
 * @ingroup rdma-nic
 * @brief Takes arriving packets through the chip: ingress meter, buffer, context, packet pipeline,
 * and what they carry on to host memory over PCIe; and the acknowledgments back to the port.
 *
 * Packets are handled in the order in which they came; one whose context is missing holds up those
 * behind it, while their contexts are fetched too.
 *
 * Not modelled: the share of acknowledgments in the bus of the transmit pipeline (one beat each).
 */
class ReceiveEngine : private EventTarget
{
  public:
    /// Data of a packet, and when the host can see them.
    using PlacedTrace = TracedCallback<const Frame&, Time>;

    /// All outlive this.
    ReceiveEngine(FabricCore& core,
                  FabricPort& port,
                  NicHardware& hardware,
                  const QueuePairTable& table);
    ~ReceiveEngine() override;

    /// @param receiver of what has passed the chip; outlives this
    void SetReceiver(NicReceiver* receiver);

    /// A frame has arrived; from here on it belongs to the engine.
    void Arrive(FrameIndex index);

    /**
     * @brief The payload of an accepted packet goes to the host.
     * @param frame whose payload it is
     * @param receiveQueue that a receive request is taken from for it; 0: none
     * @param[in,out] requestAt when the receive request of the message is on the chip
     * @return when the write begins: completions come behind it
     */
    Tick Place(const Frame& frame, uint32_t receiveQueue, Tick& requestAt);

    /// Sends an acknowledgment or a CNP.
    void SendControl(FrameIndex index);

    PlacedTrace& GetPlacedTrace()
    {
        return m_placedTrace;
    }

  private:
    enum Event : uint32_t
    {
        HANDLED,      ///< A packet has passed the pipeline. Argument: frame.
        CONTROL_SENT, ///< An acknowledgment is at the port. Argument: frame.
        PLACED,       ///< It is known where payload goes. Argument: frame, a copy.
    };

    void HandleEvent(uint32_t kind, uint32_t argument) override;

    void Take(FrameIndex index, Tick now); ///< Behind the ingress meter, if there is one.
    void Drop(FrameIndex index, DropReason reason);
    void Write(const Frame& frame, Tick now);
    static bool HasAddress(const Frame& frame);

    FabricCore& m_core;
    FabricPort& m_port;
    NicHardware& m_hardware;
    const QueuePairTable& m_table;
    IngressMeter& m_ingress;
    ReceiveBuffer& m_buffer;
    NicReceiver* m_receiver{nullptr};
    uint32_t m_target;
    PlacedTrace m_placedTrace;
};

} // namespace ns3::rdma

#endif // RDMA_RECEIVE_ENGINE_H
