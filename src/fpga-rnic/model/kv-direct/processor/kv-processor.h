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

/// Configuration of a KV processor.
struct KvProcessorSettings
{
    uint32_t slots{1024};    ///< Of the reservation station, a power of two (section 3.3.3).
    uint32_t entries{256};   ///< Operations in it at most; at least 1 (section 3.3.3).
    bool isOutOfOrder{true}; ///< false: the pipeline stalls on a conflict (section 5.1.3).
    /// Whether operations are executed on a value that is being written back; the paper does not
    /// specify this.
    bool isForwardedMeanwhile{true};
    uint32_t issueCycles{10};  ///< Decoder to first memory request, at least 1; our estimate.
    uint32_t answerCycles{10}; ///< Last data to answer; our estimate.
    uint32_t forwardCycles{1}; ///< Dedicated execution engine to answer; our estimate.

    /// @return one line that describes a fault; empty if there is none.
    std::string FindFault() const;
};

/// Counts of one processor.
struct KvProcessorStats
{
    uint64_t operations{0}; ///< Accepted.
    uint64_t answers{0};
    uint64_t forwarded{0};  ///< Executed on the value in the reservation station.
    uint64_t waited{0};     ///< Operations whose slot was busy.
    uint64_t collided{0};   ///< Of these: the slot had another key.
    uint64_t writeBacks{0}; ///< Of forwarded values.
    uint64_t stalls{0};     ///< Operations that stopped the pipeline (no out-of-order engine).
    uint32_t maxEntries{0}; ///< Largest number in the station at a time.

    /// @return the counts since an earlier state; maxEntries is of the whole run.
    KvProcessorStats operator-(const KvProcessorStats& earlier) const;
};

/// The source of a processor's operations.
class KvOperationSource
{
  public:
    virtual ~KvOperationSource() = default;

    /// Called when the processor can accept an operation.
    /// @param operation the next one; its bytes are copied
    /// @param tag of the next one
    /// @return false if there is none now
    virtual bool Next(Tick now, KvOperation& operation, uint64_t& tag) = 0;
};

/// The receiver of a processor's answers.
class KvAnswerSink
{
  public:
    virtual ~KvAnswerSink() = default;

    /// @param answer valid during the call
    /// @param at when it has left the processor, now or later
    virtual void OnAnswer(uint64_t tag, const KvAnswer& answer, Tick at) = 0;
};

/**
 * @ingroup fpga-kv-direct
 * @brief The KV processor: executes operations, at most one per clock cycle, and returns answers
 * (KV-Direct section 3.3, Figure 4).
 *
 * In the reservation station, operations with different hashes overlap.  An operation whose slot is
 * busy is queued.  When the operation in progress ends, queued operations with its key are executed
 * on the value in the station, one per cycle of a dedicated execution engine.  A value that they
 * changed is written back through the main pipeline.  Slot and bucket number are both low bits of
 * the hash.  Two operations in the pipeline therefore never access the same chain of buckets, and
 * the store can execute an operation at the instant of its issue.  Its memory accesses follow: each
 * read when the previous one has completed, then the writes.
 *
 * While a value is written back, arriving operations are still executed on it, and it is written
 * back again.  The first one with another key, or that cannot be forwarded, ends this, so that no
 * operation starves.  The paper does not specify whether they are delayed; with
 * isForwardedMeanwhile false they are.
 *
 * An operation is forwarded if it leaves the value's length unchanged.  Any other may find no
 * memory, which must be known before its answer.  It takes the main pipeline, and so do later
 * operations.  The paper does not specify this case.
 *
 * Without the engine, an operation stalls the pipeline if it conflicts: an operation with its key
 * is in progress, and one of the two writes.
 *
 * A state machine that never schedules: its owner calls Run() at GetNextTime(), so that it needs no
 * simulator.  The main pipeline and the dedicated engine process a value at 64 bytes per cycle: the
 * paper duplicates functions to match PCIe (section 3.2), and 64 bytes at 180 MHz are the 11.52
 * GB/s of its Table 2.
 *
 * Not modelled: the cycles of long keys.
 */
class KvProcessor
{
  public:
    /// All parts outlive this.
    struct Parts
    {
        KvTable& store;
        KvMemoryEngine& memory;
        const KvFunctionTable& functions;
        KvOperationSource& source;
        KvAnswerSink& sink;
    };

    /// @throws VerbsError if settings have a fault
    KvProcessor(const KvProcessorSettings& settings, const ClockDomain& clock, const Parts& parts);

    /// The source has operations again.
    void Notify(Tick now);

    /// @return time of the next event; TICK_NEVER if there is none until Notify().
    Tick GetNextTime() const;

    /// Executes all events that are due.
    /// @param until not before that of an earlier call
    void Run(Tick until);

    const KvProcessorStats& GetStats() const
    {
        return m_stats;
    }

  private:
    using Slot = KvReservationStation::Slot;

    enum class Event : uint8_t
    {
        STEP, ///< A read of an entry in the main pipeline has completed, or its writes have left.
        EXAMINE, ///< The entry at a slot's cursor is examined.
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
    uint32_t m_held{KvReservationStation::NONE}; ///< The entry that stalls the pipeline.
    std::vector<uint32_t> m_underWay; ///< Entries in progress, without the out-of-order engine.
    bool m_isSourceEmpty{true};
    std::vector<uint8_t> m_stored; ///< New value of the current operation.
    KvProcessorStats m_stats;
};

} // namespace ns3::rdma

#endif // FPGA_KV_PROCESSOR_H
