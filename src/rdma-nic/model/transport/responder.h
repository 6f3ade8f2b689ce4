// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RESPONDER_H
#define RDMA_RESPONDER_H

#include "ns3/atomic-replay-cache.h"
#include "ns3/cumulative-receiver.h"
#include "ns3/drop-reason.h"
#include "ns3/frame.h"
#include "ns3/loss-detector.h"
#include "ns3/opcode.h"
#include "ns3/out-of-order-admission.h"
#include "ns3/placement.h"
#include "ns3/psn-bitmap.h"
#include "ns3/receiver-control.h"
#include "ns3/request-handler.h"
#include "ns3/response-queue.h"
#include "ns3/shared-parameters.h"

#include <boost/container/small_vector.hpp>
#include <memory>
#include <unordered_map>

namespace ns3::rdma
{

/// Parameters of a responder.
struct ResponderConfig
{
    ResponderRules rules;              ///< Rules that the loss recovery of the peer needs.
    bool echoesCe{false};              ///< Answers CE with a bit in the acknowledgment.
    uint32_t ackInterval{1};           ///< In-order packets per acknowledgment.
    uint32_t initialPsn{0};            ///< 24 bits.
    uint32_t mtuBytes{1024};           ///< Payload of a full READ response packet.
    uint8_t ackOperation{opcode::ACK}; ///< READ_ACK if it receives READ responses.
    uint8_t minRnrTimer{12};           ///< Code in RNR NAKs (12: 0.64 ms, as perftest).
    uint32_t maxReadsAndAtomics{16};   ///< max_dest_rd_atomic: READs waiting, atomics remembered.
    Ptr<const ReceiverControl> receiverControl; ///< Prototype; null: CumulativeReceiver.
    Ptr<OutOfOrderAdmission> admission; ///< Of the NIC; null: packets are kept as `rules` say.
    RequestContext requests;
};

/// A receive request that ended.
struct ReceiveCompletion
{
    WorkCompletion completion;
    bool isSolicited;
};

/// A READ whose response the NIC sends as a message.
struct AcceptedRead
{
    uint64_t address;
    uint32_t bytes;
};

/// The answer of a responder to one packet.
struct Answer
{
    bool hasAck{false}; ///< Whether `acknowledgment` is set.
    bool isNew{false};  ///< The packet was carried out or kept: not a duplicate, not dropped.
    bool isDropped{false};
    DropReason dropReason{DropReason::OUT_OF_ORDER}; ///< Valid if isDropped.
    bool hasResponses{false}; ///< The NIC may have to process an executed request further.
    Placement placement;      ///< Of the packet's own payload.
    Acknowledgment acknowledgment{};
};

/**
 * @ingroup rdma-transport
 * @brief The receiving half of a reliable connection: expects, keeps and carries out packets (IBTA
 * Vol. 1, Sections 9.7.4 to 9.7.8).
 *
 * A packet in order is carried out.  A packet behind a gap is kept or dropped, depending on
 * ResponderRules and the NIC's OutOfOrderAdmission.  A repeated READ is answered again, a repeated
 * atomic from the replay cache.  A ReceiverControl, or CumulativeReceiver, decides what is answered
 * to a packet.
 *
 * Plain WRITEs without memory are only counted.  Any other packet out of order is held and carried
 * out in order. SRNIC places its bytes at once, by SSN and PSN offset; only the time at which they
 * are visible in memory differs.
 *
 * It is smaller than a cache line, since there is one per active flow: state for gaps and for
 * requests other than plain WRITEs is allocated on demand.
 */
class Responder
{
  public:
    using Config = SharedParameters<ResponderConfig>;

    /// @param config shared by many responders: initialPsn and qpNumber override its fields
    Responder(const Config& config, uint32_t initialPsn, uint32_t qpNumber);
    explicit Responder(const ResponderConfig& config);

    /// @param detail null if the frame has none
    Answer OnData(const Frame& frame, const FrameDetail* detail);

    /// @return messages that arrived completely and in order, modulo 2^24.
    uint32_t GetMsn() const
    {
        return m_msn;
    }

    /// @return the first PSN that is missing.
    Psn GetExpected() const
    {
        return m_expected;
    }

    /// @return payload placed, each byte counted once.
    uint64_t GetPlacedBytes() const
    {
        return m_placedBytes;
    }

    /// @return whether GetResponses() has an entry.
    bool HasResponses() const
    {
        return m_work && !m_work->responses.IsEmpty();
    }

    /// Applies changed attributes of the queue pair.
    void SetConfig(const Config& config);

    /// @return whether a packet of this PSN would be a duplicate.
    bool IsPast(Psn psn) const
    {
        return psn.IsBefore(m_expected);
    }

    /// READ responses, and acknowledgments behind them, to be sent in order. Only if
    /// HasResponses().
    ResponseQueue& GetResponses()
    {
        return m_work->responses;
    }

    const ResponseQueue& GetResponses() const
    {
        return m_work->responses;
    }

    /// Receive requests that ended since the last call.
    std::vector<ReceiveCompletion> TakeCompletions();

    /// READs accepted since the last call. Only if responses are acknowledged.
    std::vector<AcceptedRead> TakeReads();

    /// @return set once the queue pair must stop.
    std::optional<AsyncEventType> GetError() const
    {
        return m_error;
    }

    /// @return flush completions; further packets are not accepted.
    std::vector<WorkCompletion> Flush();

  private:
    /// A packet out of order that is not a plain WRITE.
    struct Kept
    {
        Frame frame;
        FrameDetail detail; ///< Its cargo points to the next member; it has no INT stack.
        std::unique_ptr<FrameCargo> cargo;
    };

    /// Fields of an acknowledgment beyond the state of the connection.
    struct Reply
    {
        uint8_t operation;
        uint8_t syndrome;
        Psn psn;
        bool isSelective{false};
        uint64_t originalValue{0};
        uint16_t flags{0}; ///< As Acknowledgment::flags.
        Report received{};
    };

    /// Packets received out of order, placed or held.
    struct OutOfOrder
    {
        explicit OutOfOrder(const Ptr<OutOfOrderAdmission>& admission)
            : count(admission)
        {
        }

        PsnBitmap all;
        PsnBitmap last;               ///< The ends of messages.
        HeldCount count;              ///< Of `all`.
        Ptr<ReceiverControl> control; ///< Null: a CumulativeReceiver answers.
    };

    using HeldPackets = std::unordered_map<uint32_t, Kept>; ///< By PSN. Never iterated.

    /// State for requests other than plain WRITEs.
    struct Work
    {
        Work(const ResponderConfig& config, uint32_t qpNumber);

        std::unique_ptr<RequestHandler> handler;
        ResponseQueue responses;
        AtomicReplayCache atomics;
        HeldPackets held;
        std::vector<ReceiveCompletion> completions;
        std::vector<AcceptedRead> reads;
    };

    /// @return made by the first call.
    Work& GetWork();
    bool IsPlain(const Frame& frame) const;

    /// Describes a packet for the decision, in the state after it.
    ArrivedPacket Describe(ArrivedPacket::Kind kind,
                           bool hasResponse,
                           const Frame& frame,
                           const Answer& answer) const;
    /// Decides what is answered, and adds it to the answer.
    void Decide(ArrivedPacket::Kind kind, bool hasResponse, const Frame& frame, Answer& answer);
    void AskControl(const ArrivedPacket& packet, const Frame& frame, Answer& answer);
    void AddReport(const ReceiverAnswer& decision, const Frame& frame, Answer& answer);
    /// Carries out the expected packet. @return whether it was not refused
    bool Accept(const Frame& frame, const FrameDetail* detail, bool isPlain, Answer& answer);
    /// A packet within the window. @return whether it was kept
    bool Keep(const Frame& frame, const FrameDetail* detail, Psn psn, Answer& answer);
    /// @return made by the first call.
    OutOfOrder& GetKept();
    [[gnu::always_inline]] inline void OnExpected(const Frame& frame,
                                                  const FrameDetail* detail,
                                                  Answer& answer);
    /// A packet that is not the expected one, or has no payload.
    void OnOther(const Frame& frame, const FrameDetail* detail, int32_t ahead, Answer& answer);
    /// Repeats the response of a READ or an atomic. @return whether the packet is one of these
    bool AnswerAgain(const Frame& frame, const FrameDetail* detail, Psn psn, Answer& answer);
    /// @return whether the packet was carried out; else it was refused or dropped.
    /// @param[out] placement of its payload, if it was carried out
    bool CarryOut(const Frame& frame,
                  const FrameDetail* detail,
                  Answer& answer,
                  Placement& placement);
    void Refuse(const Execution& execution, const Frame& frame, Answer& answer);
    bool AcceptRead(const Frame& frame, Answer& answer);
    void AnswerAtomic(Psn psn, uint64_t originalValue, const Frame& frame, Answer& answer);
    void AdvanceOverKept(Answer& answer);
    void ForgetKept(Psn first, Psn end);
    /// Makes the answer of a CumulativeReceiver, or one of the same kinds.
    void AnswerInline(ReceiverAnswer::Kind kind, const Frame& frame, Answer& answer);
    void Acknowledge(const Reply& reply, const Frame& frame, Answer& answer);
    /// As Acknowledge(), for the usual answer.
    void AcknowledgeInline(const Reply& reply, const Frame& frame, Answer& answer);

    Psn m_expected;
    uint32_t m_msn{0};
    CumulativeReceiver m_cumulative; ///< Without a ReceiverControl.
    uint32_t m_qpNumber;
    uint8_t m_ackOperation; ///< Copied from m_config, as m_echoesCe.
    bool m_hasCeToEcho : 1; ///< CE was seen since the last answer.
    bool m_isPlain : 1;     ///< WRITEs without immediate data are only counted.
    bool m_echoesCe : 1;
    bool m_hasControl : 1;   ///< OutOfOrder::control is set.
    bool m_sendsReports : 1; ///< Of the ReceiverControl.
    std::optional<AsyncEventType> m_error;
    uint64_t m_placedBytes{0};
    std::unique_ptr<Work> m_work;
    std::unique_ptr<OutOfOrder> m_kept; ///< Null: no packet is kept, and there is no control.
    Config m_config;
};

} // namespace ns3::rdma

#endif // RDMA_RESPONDER_H
