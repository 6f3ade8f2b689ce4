// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_NIC_TRANSPORT_H
#define RDMA_NIC_TRANSPORT_H

#include "ns3/bitmap-onloading.h"
#include "ns3/credit-sender.h"
#include "ns3/nic-ports.h"
#include "ns3/opcode.h"
#include "ns3/packet-outcome.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-nic
 * @brief The transport of a NIC: passes each RoCE frame that one of its ports receives to the
 * requester or responder of its queue pair.
 *
 * It has no port and models no time on the chip: it returns one PacketOutcome per packet, which a
 * datapath carries out.  READ responses, and acknowledgments that must not overtake them, are sent
 * when the transmitter takes them.
 */
class NicTransport
{
  public:
    /// @param cnpInterval shortest time between two CNPs of a queue pair
    /// All others outlive this.
    NicTransport(FabricCore& core,
                 const TransportFactory& factory,
                 NicPorts& ports,
                 WorkReporter& reporter,
                 Tick cnpInterval);

    /// @param port at which the frame has arrived
    /// @return null: the frame has no queue pair. @param[out] drop set if it should have one
    QueuePair* FindReceiver(const Frame& frame, uint32_t port, std::optional<DropReason>& drop)
    {
        auto* likely = static_cast<QueuePair*>(m_core.destinations.Get(frame.dst, frame.dstQp));
        const bool isUsual = likely && likely->GetNumber() == frame.dstQp &&
                             likely->GetPort() == port && likely->GetState() >= QpState::RTR &&
                             likely->GetState() < QpState::ERR &&
                             (frame.flags & frame_flag::TRIMMED) == 0 &&
                             (likely->GetRequester() || opcode::IsRequest(frame.opcode));
        return isUsual ? likely : FindAnyReceiver(frame, port, drop);
    }

    /// @param queuePair that FindReceiver() has returned @param detail null if there is none
    /// @param frames of the port at which the frame has arrived; @param heldFor time since its
    /// arrival
    PacketOutcome OnPacket(QueuePair& queuePair,
                           const Frame& frame,
                           const FrameDetail* detail,
                           FrameMaker& frames,
                           Tick heldFor = 0)
    {
        return opcode::IsRequest(frame.opcode)
                   ? OnRequest(queuePair, frame, detail, frames)
                   : OnResponse(queuePair, frame, detail, frames, heldFor);
    }

    /// @param interval shortest time between two CNPs of a queue pair from now on
    void SetCnpInterval(Tick interval)
    {
        m_cnpInterval = interval;
    }

    /// The queue pairs are observed from here on. @param traces outlives this
    void SetTraces(QueuePairTraces& traces)
    {
        m_traces = &traces;
    }

    /// @return the NIC's pool of READs, if it needs the placement of responses; otherwise null.
    ReadPool* FindReadPool() const;

    /// Moves the bitmaps of received packets to host software.
    OnloadedBitmaps& OnloadBitmaps();

    /// Requests are answered with credit from here on.
    void SetCredits(std::unique_ptr<CreditSender> credits)
    {
        GetExtras().credits = std::move(credits);
    }

    /// The queue pair ends.
    void Forget(const QueuePair& queuePair)
    {
        if (m_extras && m_extras->credits)
        {
            m_extras->credits->Forget(queuePair);
        }
    }

    uint64_t GetCnpsSent() const
    {
        return m_cnpsSent;
    }

  private:
    /// Parts that few NICs have.
    struct Extras
    {
        std::unique_ptr<OnloadedBitmaps> bitmaps; ///< Null: they are on the chip.
        std::unique_ptr<CreditSender> credits;    ///< Null: there is no credit.
    };

    /// @return made by the first call.
    Extras& GetExtras()
    {
        if (!m_extras)
        {
            m_extras = std::make_unique<Extras>();
        }
        return *m_extras;
    }

    /// As FindReceiver(), for any frame and queue pair.
    QueuePair* FindAnyReceiver(const Frame& frame, uint32_t port, std::optional<DropReason>& drop);
    PacketOutcome OnRequest(QueuePair& queuePair,
                            const Frame& frame,
                            const FrameDetail* detail,
                            FrameMaker& frames);
    PacketOutcome OnResponse(QueuePair& queuePair,
                             const Frame& frame,
                             const FrameDetail* detail,
                             FrameMaker& frames,
                             Tick heldFor);
    PacketOutcome Handle(QueuePair& queuePair,
                         const Frame& frame,
                         const FrameDetail* detail,
                         FrameMaker& frames,
                         Tick heldFor);
    Completions OnAnswer(QueuePair& queuePair,
                         const Frame& frame,
                         const FrameDetail* detail,
                         FrameMaker& frames,
                         AnswerWay way,
                         PacketOutcome& outcome);
    void OnReliable(QueuePair& queuePair,
                    const Frame& frame,
                    const FrameDetail* detail,
                    FrameMaker& frames,
                    PacketOutcome& outcome);
    void OnUnreliable(QueuePair& queuePair,
                      const Frame& frame,
                      const FrameDetail* detail,
                      PacketOutcome& outcome);
    /// @return whether the services of a queue pair, if it has any, have room for a READ response.
    static bool HasRoom(const QueuePair& queuePair);
    Completions OnReadStream(QueuePair& queuePair,
                             const Frame& frame,
                             const FrameDetail* detail,
                             FrameMaker& frames,
                             PacketOutcome& outcome);

    Tick Now() const
    {
        return m_core.engine->Now();
    }

    void CollectResponses(QueuePair& queuePair, Notices& notices);
    /// @return an acknowledgment to the source port of the answered packet, with that packet's INT
    /// stack.
    FrameIndex MakeAnswer(const QueuePair& queuePair,
                          const Acknowledgment& answer,
                          const Frame& answered,
                          FrameMaker& frames);
    /// Makes a CNP if the frame carries CE. @return NO_FRAME: no CNP is due
    FrameIndex MakeCnp(QueuePair& queuePair, const Frame& frame, FrameMaker& frames);
    /// Makes a CNP. @return NO_FRAME: it is too early for another CNP, or none are used
    FrameIndex MakeDueCnp(QueuePair& queuePair, const Frame& frame, FrameMaker& frames);

    // First the members that every packet needs.
    FabricCore& m_core;
    const TransportFactory& m_factory;
    QueuePairTraces* m_traces{nullptr}; ///< Null: the queue pairs are not traced.
    std::unique_ptr<Extras> m_extras;   ///< Null until something needs them.
    NicPorts& m_ports;
    WorkReporter& m_reporter;
    Tick m_cnpInterval;
    uint64_t m_cnpsSent{0};
};

} // namespace ns3::rdma

#endif // RDMA_NIC_TRANSPORT_H
