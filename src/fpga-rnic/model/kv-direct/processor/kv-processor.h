// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_KV_PROCESSOR_H
#define FPGA_KV_PROCESSOR_H

#include "ns3/clocked-entry.h"
#include "ns3/kv-memory-engine.h"
#include "ns3/kv-operation-unit.h"
#include "ns3/kv-reservation-station.h"
#include "ns3/kv-table.h"

#include <cstdint>
#include <queue>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// How a KV processor is built.
struct KvProcessorSettings
{
    uint32_t slots{1024};    ///< Of the reservation station, a power of two (section 3.3.3).
    uint32_t entries{256};   ///< Operations in it at most, at least 1 (section 3.3.3).
    bool isOutOfOrder{true}; ///< false: the pipeline stalls on a conflict (section 5.1.3).
    /// Whether operations are carried out on a value that is being written back; the paper leaves
    /// it open.
    bool isForwardedMeanwhile{true};
    uint32_t issueCycles{
        10}; ///< From the decoder to the first memory request, at least 1; our estimate.
    uint32_t answerCycles{10}; ///< From the last data to the answer; our estimate.
    uint32_t forwardCycles{1}; ///< Of the dedicated execution engine, to the answer; likewise.

    /// @return what is wrong, one line; empty: nothing.
    std::string FindFault() const;
};

/// Counts of one processor.
struct KvProcessorStats
{
    uint64_t operations{0}; ///< That were taken in.
    uint64_t answers{0};
    uint64_t forwarded{0};  ///< Carried out on the value in the reservation station.
    uint64_t waited{0};     ///< Found their slot busy.
    uint64_t collided{0};   ///< Of these: with another key that has the slot.
    uint64_t writeBacks{0}; ///< Of forwarded values.
    uint64_t stalls{0};     ///< Operations that stopped the pipeline (no out-of-order engine).
    uint32_t maxEntries{0}; ///< That were in the station at a time.

    /// @return what was counted since an earlier state; maxEntries is of all the time.
    KvProcessorStats operator-(const KvProcessorStats& earlier) const;
};

/// Where a processor takes operations from.
class KvOperationSource
{
  public:
    virtual ~KvOperationSource() = default;

    /// The processor can take one. @param operation, @param tag of the next one; what it points to
    /// is copied @return false: there is none now
    virtual bool Next(Tick now, KvOperation& operation, uint64_t& tag) = 0;
};

/// What receives the answers.
class KvAnswerSink
{
  public:
    virtual ~KvAnswerSink() = default;

    /// @param at when it has left the processor, now or later; @param answer valid during the call
    virtual void OnAnswer(uint64_t tag, const KvAnswer& answer, Tick at) = 0;
};

/**
 * @ingroup fpga-kv-direct
 * @brief The KV processor: operations in, one per clock cycle at most, answers out (KV-Direct
 * section 3.3, Figure 4).
 *
 * The reservation station lets operations with different hashes overlap.  Those with the hash of
 * one under way wait; when that is done, those with its key are carried out on the value in the
 * station, one per cycle of one dedicated execution engine, and a value that they changed is
 * written back through the main pipeline.  The slot is made of the low bits of the hash, as is the
 * number of the key's bucket: so two operations in the pipeline never touch one chain of buckets,
 * and the store can carry one out at the instant of its issue.  Its memory accesses follow: each
 * read when the one before is there, then the writes.
 *
 * While a value is written back, operations that come are still carried out on it, and it is
 * written back again; the first one with another key, or that cannot be forwarded, ends that, so
 * that no operation starves.  The paper leaves open whether they wait; with isForwardedMeanwhile
 * false they do.
 *
 * Forwarded are operations that leave the value's length as it is.  One that does not may find no
 * memory, which has to be known before it is answered: it takes the main pipeline, and so do those
 * behind it.  The paper does not state what its engine does then.
 *
 * Without the engine an operation that writes, or follows one that does, with the key of one under
 * way stops the pipeline until that is done.
 *
 * A state machine that never schedules: its owner calls Run() at GetNextTime(), so that it needs no
 * simulator.  The main pipeline and the dedicated engine take a value at 64 bytes per cycle: the
 * paper duplicates functions to match PCIe (section 3.2), and 64 bytes at 180 MHz are the 11.52
 * GB/s of its Table 2.
 *
 * Not modelled: cycles that long keys take.
 */
class KvProcessor
{
  public:
    /// All outlive this.
    struct Parts
    {
        KvTable& store;
        KvMemoryEngine& memory;
        const KvFunctionTable& functions;
        KvOperationSource& source;
        KvAnswerSink& sink;
    };

    /// Throws a VerbsError if settings have a fault.
    KvProcessor(const KvProcessorSettings& settings, const ClockDomain& clock, const Parts& parts);

    /// The source has operations again.
    void Notify(Tick now);

    /// @return when it has something to do; TICK_NEVER: nothing until Notify().
    Tick GetNextTime() const;

    /// Does all that is due. @param until never before an earlier call's
    void Run(Tick until);

    const KvProcessorStats& GetStats() const
    {
        return m_stats;
    }

  private:
    using Slot = KvReservationStation::Slot;

    enum class Event : uint8_t
    {
        STEP,    ///< Of an entry in the main pipeline: a read is there, or its writes have left.
        EXAMINE, ///< The entry at a slot's cursor.
    };

    struct Timed
    {
        Tick at;
        uint64_t order;
        Event event;
        uint32_t number; ///< Of the entry, or the slot.

        bool operator>(const Timed& other) const
        {
            return at != other.at ? at > other.at : order > other.order;
        }
    };

    void Schedule(Tick at, Event event, uint32_t number);
    /// @return cycles that a value takes on the bus, at least 1.
    Cycle GetWords(const std::vector<uint8_t>& value) const;
    Tick GetNextEdge(Tick now) const;
    void Admit(Tick now);
    void Enter(Tick now, uint32_t entry);
    bool Conflicts(const KvEntry& entry) const;
    void Issue(Tick now, uint32_t entry);
    void Visit(KvEntry& entry);
    void Step(Tick now, Tick earliest, uint32_t entry);
    Tick Access(Tick now, Tick earliest, const KvAccess& access);
    void Complete(Tick now, uint32_t entry);
    bool IsIdle(const Slot& slot) const;
    bool CanForward(const Slot& slot, uint32_t entry) const;
    void BeginExamining(Tick now, uint32_t slot, bool isOrdered);
    void ScheduleExamining(Tick now, uint32_t slot);
    void Examine(Tick now, uint32_t slot);
    void Forward(Tick now, uint32_t slot);
    void EndExamining(Tick now, uint32_t slot);
    void Answer(KvEntry& entry, Tick at);
    void Release(Tick now, uint32_t entry);

    KvProcessorSettings m_settings;
    ClockDomain m_clock;
    Parts m_parts;
    KvOperationUnit m_unit;
    KvReservationStation m_station;
    std::priority_queue<Timed, std::vector<Timed>, std::greater<>> m_events;
    uint64_t m_order{0};
    Tick m_admitAt{TICK_NEVER};
    ClockedEntry m_decoder;                      ///< Of operations, one per cycle.
    ClockedEntry m_pipeline;                     ///< Of the main pipeline.
    ClockedEntry m_engine;                       ///< Of the dedicated execution engine.
    uint32_t m_held{KvReservationStation::NONE}; ///< That stops the pipeline.
    std::vector<uint32_t> m_underWay;            ///< Entries, without the out-of-order engine.
    bool m_isSourceEmpty{true};
    std::vector<uint8_t> m_stored; ///< Of the operation that is carried out.
    KvProcessorStats m_stats;
};

} // namespace ns3::rdma

#endif // FPGA_KV_PROCESSOR_H
