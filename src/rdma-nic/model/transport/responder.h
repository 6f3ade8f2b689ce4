// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RESPONDER_H
#define RDMA_RESPONDER_H

#include "ns3/atomic-replay-cache.h"
#include "ns3/drop-reason.h"
#include "ns3/frame.h"
#include "ns3/loss-detector.h"
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
    ResponderRules rules;            ///< Rules that the loss recovery of the peer needs.
    bool echoesCe{false};            ///< Answers CE with a bit in the acknowledgment.
    uint32_t ackInterval{1};         ///< In-order packets per acknowledgment.
    uint32_t initialPsn{0};          ///< 24 bits.
    uint32_t mtuBytes{1024};         ///< Payload of a full READ response packet.
    bool isReadStream{false};        ///< It receives READ responses, not requests.
    uint8_t minRnrTimer{12};         ///< Code in RNR NAKs (12: 0.64 ms, as perftest).
    uint32_t maxReadsAndAtomics{16}; ///< max_dest_rd_atomic: READs waiting, atomics remembered.
    Ptr<const ReceiverControl> receiverControl; ///< Prototype; null: no reports.
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
 * @brief The receiving half of a reliable connection: expects, keeps and answers packets (IBTA Vol.
 * 1, Sections 9.7.4 to 9.7.8).
 *
 * A packet in order is carried out.  It is acknowledged at once, or every ackInterval packets and
 * at the end of a message; the echoed bit is set if any packet since the last acknowledgment
 * carried CE. A duplicate is acknowledged again; a READ is answered again, an atomic from the
 * replay cache. Depending on ResponderRules, packets behind a gap are dropped with one NAK per gap,
 * or kept and each answered with a selective NAK.
 *
 * With a ReceiverControl, the order of packets has no meaning: packets are kept, trimmed ones
 * included in the answers, and the policy decides when to report.
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
        bool isSelective;
        Psn psn;
        uint64_t originalValue;
        uint16_t flags{0}; ///< Of a report: bits of frame_flag; the next two are set.
        Psn base{};
        uint32_t receivedBytes{0};
    };

    /// Packets received out of order, placed or held.
    struct OutOfOrder
    {
        PsnBitmap all;
        PsnBitmap last;               ///< The ends of messages.
        Ptr<ReceiverControl> control; ///< Null: packets out of order are acknowledged one by one.
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

    // With a ReceiverControl: responder-reports.cc.
    void OnProbe(const Frame& frame, Answer& answer);
    /// Completes the packet, and answers as the ReceiverControl decides.
    void AskControl(ArrivedPacket& packet, const Frame& frame, Answer& answer);
    void OnReported(const Frame& frame, const FrameDetail* detail, Answer& answer);
    /// @return whether the packet takes part in the reports: not refused, not beyond the window.
    bool Take(const Frame& frame, const FrameDetail* detail, int32_t ahead, Answer& answer);
    void Report(const ReceiverAnswer& report, const Frame& frame, Answer& answer);
    /// Carries out the expected packet. @return whether it was not refused
    bool Accept(const Frame& frame, const FrameDetail* detail, bool isPlain, Answer& answer);
    void Keep(const Frame& frame, const FrameDetail* detail, Psn psn, Answer& answer);
    [[gnu::always_inline]] inline void OnExpected(const Frame& frame,
                                                  const FrameDetail* detail,
                                                  Answer& answer);
    void OnFuture(const Frame& frame, const FrameDetail* detail, Psn psn, Answer& answer);
    /// Repeats the response of a READ or an atomic. @return whether the packet is one of these
    bool AnswerAgain(const Frame& frame, const FrameDetail* detail, Psn psn, Answer& answer);
    void OnDuplicate(const Frame& frame, const FrameDetail* detail, Psn psn, Answer& answer);
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
    void AcknowledgeExpected(const Frame& frame, Answer& answer);
    void Acknowledge(const Reply& reply, const Frame& frame, Answer& answer);
    /// As Acknowledge(), for the usual answer.
    void AcknowledgeInline(const Reply& reply, const Frame& frame, Answer& answer);
    void AddReport(const Reply& reply, Acknowledgment& acknowledgment) const;

    Psn m_expected;
    uint32_t m_msn{0};
    uint32_t m_unanswered{0}; ///< In-order packets since the last acknowledgment.
    uint32_t m_ackInterval;
    uint32_t m_qpNumber;
    bool m_hasNaked : 1;     ///< A NAK was sent for the present gap.
    bool m_hasCeToEcho : 1;  ///< CE was seen since the last acknowledgment.
    bool m_isPlain : 1;      ///< WRITEs without immediate data are only counted.
    bool m_isReadStream : 1; ///< Copied from m_config, as the next one.
    bool m_echoesCe : 1;
    bool m_sendsReports : 1;
    std::optional<AsyncEventType> m_error;
    uint64_t m_placedBytes{0};
    std::unique_ptr<Work> m_work;
    std::unique_ptr<OutOfOrder> m_kept; ///< Null: no packet is kept, and no reports are sent.
    Config m_config;
};

} // namespace ns3::rdma

#endif // RDMA_RESPONDER_H
