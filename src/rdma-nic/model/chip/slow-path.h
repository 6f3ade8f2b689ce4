// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SLOW_PATH_H
#define RDMA_SLOW_PATH_H

#include "ns3/control-path.h"
#include "ns3/nic-hardware.h"
#include "ns3/nic-transport.h"
#include "ns3/opcode.h"
#include "ns3/pending-events.h"

namespace ns3::rdma
{

/// Counts of one NIC's slow path.
struct SlowPathStats
{
    uint64_t metadata{0}; ///< Packets out of order that host software was notified of.
    uint64_t answers{0};  ///< Negative and selective acknowledgments that took the slow path.
    uint64_t updates{0};  ///< Expected PSNs that software wrote into the NIC.
    uint64_t exits{0};    ///< Of these, those that ended a loss recovery state.
};

/**
 * @ingroup rdma-nic
 * @brief Handles packets out of order and their answers, which the fast path of a NIC does not
 * handle.
 *
 * SRNIC (section 4.4.2): the NIC sends metadata of packets out of order over PCIe to host software.
 * Software keeps the bitmaps, decides which packets to send again (the retry queue is a work queue
 * like others) and writes the new expected PSN into the NIC; OnloadedBitmaps has the states.  Other
 * NICs only delay a sequence NAK, and the CNP that a responder sends with it
 * (RdmaNic::CnpOnMissingPsn), by NicHardware::NakDelay.
 *
 * Not modelled: READ responses out of order, which take the fast path; a full control queue.
 */
class SlowPath : private EventTarget
{
  public:
    /// All outlive this.
    SlowPath(FabricCore& core,
             const QueuePairTable& table,
             NicTransport& transport,
             NicPorts& ports,
             WorkReporter& reporter,
             FrameMaker& frames,
             NicHardware& hardware,
             ControlPath& controlPath);
    ~SlowPath() override;

    /// @return whether an answer takes the slow path. Does not access the queue pair.
    bool IsFor(const Frame& answer) const
    {
        return answer.syndrome == syndrome::NAK_PSN_SEQUENCE && m_divertsNaks &&
               (answer.opcode == opcode::ACK || answer.opcode == opcode::READ_ACK ||
                (answer.opcode == opcode::CNP && !m_bitmaps));
    }

    /// Takes ownership of an answer for which IsFor() returns true.
    void Divert(FrameIndex answer);

    /// Notifies software of a request packet. @return when it has been notified
    Tick Report(uint32_t queuePair, const Frame& frame);

    /// The queue pair is reset or destroyed.
    void Forget(uint32_t queuePair);

    const SlowPathStats& GetStats() const
    {
        return m_stats;
    }

  private:
    enum Event : uint32_t
    {
        ANSWER,   ///< Software is notified of an answer. Argument: frame.
        METADATA, ///< Software is notified of a packet. Argument: note.
        UPDATE,   ///< Software's expected PSN reaches the NIC. Argument: note.
        RETRY,    ///< Entries in a retry queue reach the NIC. Argument: queue pair.
    };

    /// A packet's metadata or an update in flight between NIC and software.
    struct Note
    {
        uint32_t queuePair;
        uint32_t generation; ///< Of the state that it belongs to.
        Psn psn;
        Tick sendTime;    ///< Of the packet.
        uint32_t entropy; ///< Of the packet.
    };

    void HandleEvent(uint32_t kind, uint32_t argument) override;
    void ScheduleNote(Tick when, Event kind, const Note& note);
    /// @return null: the queue pair has been reset in the meantime.
    BitmapOnloading* FindState(const Note& note);
    void OnAnswer(FrameIndex answer);
    void OnRetry(uint32_t queuePair);
    void OnMetadata(const Note& note);
    void OnUpdate(const Note& note);
    Tick NotifySoftware(uint32_t queuePair);
    /// Acknowledges packets that software has found in order.
    /// @param note of the packet that caused it
    void Acknowledge(const Note& note, Psn expected);

    FabricCore& m_core;
    const QueuePairTable& m_table;
    NicTransport& m_transport;
    NicPorts& m_ports;
    WorkReporter& m_reporter;
    FrameMaker& m_frames;
    NicHardware& m_hardware;
    ControlPath& m_controlPath;
    OnloadedBitmaps* m_bitmaps; ///< Null: they are on the chip.
    bool m_divertsNaks;         ///< Whether a sequence NAK takes more time.
    PendingEvents<Note> m_notes;
    uint32_t m_target;
    SlowPathStats m_stats;
};

} // namespace ns3::rdma

#endif // RDMA_SLOW_PATH_H
