// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kv-processor.h"

#include "ns3/assert.h"
#include "ns3/verbs-error.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{
constexpr uint32_t NONE{KvReservationStation::NONE};

bool
IsEqual(ByteView one, const std::vector<uint8_t>& other)
{
    return std::equal(one.GetData(), one.GetData() + one.GetSize(), other.begin(), other.end());
}

/// Executes an entry's operation, and copies the store's resulting value to its slot.
class EntryVisitor : public KvOperationVisitor
{
  public:
    EntryVisitor(const KvOperationUnit& unit,
                 KvEntry& entry,
                 KvReservationStation::Slot& slot,
                 std::vector<uint8_t>& stored)
        : KvOperationVisitor(unit, entry.operation, stored, entry.answer),
          m_slot(slot)
    {
    }

    KvChange OnValue(bool found, ByteView value) override
    {
        const KvChange change = KvOperationVisitor::OnValue(found, value);
        const bool isStored = change.kind == KvChange::Kind::STORE;
        const ByteView newest = isStored ? change.value : value;
        m_slot.hasValue = true;
        m_slot.isFound = isStored || (found && change.kind == KvChange::Kind::KEEP);
        m_slot.value.assign(newest.GetData(), newest.GetData() + newest.GetSize());
        return change;
    }

  private:
    KvReservationStation::Slot& m_slot;
};
} // namespace

std::string
KvProcessorSettings::FindFault() const
{
    constexpr uint32_t MAX_SLOTS{1 << 20};
    if (slots == 0 || slots > MAX_SLOTS || (slots & (slots - 1)) != 0)
    {
        return "a reservation station has a power of two of slots, 2^20 at most, not " +
               std::to_string(slots);
    }
    if (entries == 0 || entries > MAX_SLOTS)
    {
        return "a reservation station has 1 to 2^20 operations, not " + std::to_string(entries);
    }
    if (issueCycles == 0)
    {
        return "there is at least 1 cycle from the decoder to the first memory request";
    }
    return "";
}

KvProcessorStats
KvProcessorStats::operator-(const KvProcessorStats& earlier) const
{
    KvProcessorStats since = *this;
    since.operations -= earlier.operations;
    since.answers -= earlier.answers;
    since.forwarded -= earlier.forwarded;
    since.waited -= earlier.waited;
    since.collided -= earlier.collided;
    since.writeBacks -= earlier.writeBacks;
    since.stalls -= earlier.stalls;
    return since;
}

KvProcessor::KvProcessor(const KvProcessorSettings& settings,
                         const ClockDomain& clock,
                         const Parts& parts)
    : m_settings(settings),
      m_clock(clock),
      m_parts(parts),
      m_unit(parts.functions),
      m_station(settings.FindFault().empty() ? settings.slots : 1, settings.entries)
{
    if (const std::string fault = settings.FindFault(); !fault.empty())
    {
        throw VerbsError(fault);
    }
}

void
KvProcessor::Schedule(Tick at, Event event, uint32_t number)
{
    m_events.push({at, m_order++, event, number});
}

Cycle
KvProcessor::GetWords(const std::vector<uint8_t>& value) const
{
    return m_clock.GetWords(static_cast<uint32_t>(value.size()));
}

Tick
KvProcessor::GetNextEdge(Tick now) const
{
    return m_clock.GetTime(m_decoder.GetNext(m_clock.GetCycle(now)));
}

void
KvProcessor::Notify(Tick now)
{
    m_isSourceEmpty = false;
    if (m_admitAt == TICK_NEVER && m_held == NONE && m_station.HasRoom())
    {
        m_admitAt = GetNextEdge(now);
    }
}

Tick
KvProcessor::GetNextTime() const
{
    return m_events.empty() ? m_admitAt : std::min(m_admitAt, m_events.top().at);
}

void
KvProcessor::Run(Tick until)
{
    for (Tick now = GetNextTime(); now <= until && now != TICK_NEVER; now = GetNextTime())
    {
        if (m_events.empty() || m_admitAt < m_events.top().at)
        {
            Admit(now);
            continue;
        }
        const Timed due = m_events.top();
        m_events.pop();
        if (due.event == Event::STEP)
        {
            Step(now, now, due.number);
        }
        else
        {
            Examine(now, due.number);
        }
    }
}

void
KvProcessor::Admit(Tick now)
{
    m_admitAt = TICK_NEVER;
    if (m_held != NONE)
    {
        const uint32_t entry = m_held;
        m_held = NONE;
        Enter(now, entry);
        m_stats.stalls -= m_held != NONE; // An operation counts once, however often it is checked.
    }
    else
    {
        KvOperation operation;
        uint64_t tag = 0;
        if (!m_parts.source.Next(now, operation, tag))
        {
            m_isSourceEmpty = true;
            return;
        }
        ++m_stats.operations;
        const uint64_t hash = m_parts.store.GetHash(operation.key);
        const uint32_t entry = m_station.Add(operation, tag, hash);
        m_stats.maxEntries = std::max(m_stats.maxEntries, m_station.GetUsed());
        Enter(now, entry);
    }
    m_decoder.Block(m_clock.GetCycle(now) + 1);
    if (m_held == NONE && m_station.HasRoom())
    {
        m_admitAt = m_clock.GetLater(now, 1);
    }
}

void
KvProcessor::Enter(Tick now, uint32_t number)
{
    KvEntry& entry = m_station.GetEntry(number);
    if (!m_settings.isOutOfOrder)
    {
        if (Conflicts(entry))
        {
            ++m_stats.stalls;
            m_held = number;
            return;
        }
        m_underWay.push_back(number);
        Issue(now, number);
        return;
    }
    Slot& slot = m_station.GetSlot(entry.slot);
    if (IsIdle(slot))
    {
        Issue(now, number);
        return;
    }
    ++m_stats.waited;
    m_stats.collided += !IsEqual(entry.operation.key, slot.key);
    m_station.Append(number);
    if (m_settings.isForwardedMeanwhile && slot.isWrittenBack && !slot.isExamined &&
        CanForward(slot, slot.first))
    {
        BeginExamining(now, entry.slot, true);
    }
}

bool
KvProcessor::Conflicts(const KvEntry& entry) const
{
    return std::any_of(m_underWay.begin(), m_underWay.end(), [&](uint32_t number) {
        const KvEntry& other = m_station.GetEntry(number);
        return other.slot == entry.slot && other.key == entry.key &&
               (IsKvWrite(entry.operation.opcode) || IsKvWrite(other.operation.opcode));
    });
}

void
KvProcessor::Issue(Tick now, uint32_t number)
{
    KvEntry& entry = m_station.GetEntry(number);
    Slot& slot = m_station.GetSlot(entry.slot);
    slot.isBusy = true;
    slot.isWrittenBack = entry.isWriteBack;
    slot.key = entry.key;
    Visit(entry);
    const Cycle cycle = m_pipeline.Take(m_clock.GetCycle(now), GetWords(slot.value));
    Step(now, m_clock.GetTime(cycle + m_settings.issueCycles), number);
}

void
KvProcessor::Visit(KvEntry& entry)
{
    Slot& slot = m_station.GetSlot(entry.slot);
    slot.hasValue = false;
    slot.isDirty = false;
    entry.accesses.clear();
    entry.nextAccess = 0;
    EntryVisitor visitor(m_unit, entry, slot, m_stored);
    const KvStatus visited = m_parts.store.Visit(entry.operation.key, visitor, entry.accesses);
    entry.status = visitor.GetStatus(visited);
    if (visited != KvStatus::OK && visited != KvStatus::NOT_FOUND)
    {
        slot.hasValue = false; // The store has the old one.
        NS_ASSERT_MSG(!entry.isWriteBack, "a value of the same length was not stored");
    }
}

void
KvProcessor::Step(Tick now, Tick earliest, uint32_t number)
{
    KvEntry& entry = m_station.GetEntry(number);
    Tick done = earliest;
    while (entry.nextAccess < entry.accesses.size())
    {
        const KvAccess& access = entry.accesses[entry.nextAccess];
        ++entry.nextAccess;
        const Tick at = Access(now, earliest, access);
        if (access.isBackground)
        {
            continue;
        }
        done = std::max(done, at);
        if (!access.isWrite)
        {
            Schedule(done, Event::STEP, number);
            return;
        }
    }
    if (done > now)
    {
        Schedule(done, Event::STEP, number);
        return;
    }
    Complete(now, number);
}

Tick
KvProcessor::Access(Tick now, Tick earliest, const KvAccess& access)
{
    KvMemoryEngine& memory = m_parts.memory;
    if (access.cause == KvAccess::Cause::ALLOCATOR)
    {
        // The host's daemon accesses these stacks in its memory, so they bypass the DRAM.
        return access.isWrite ? memory.WriteHost(now, earliest, {access.address, access.bytes})
                              : memory.ReadHost(now, earliest, {access.address, access.bytes});
    }
    return access.isWrite ? memory.Write(now, earliest, access.address, access.bytes)
                          : memory.Read(now, earliest, access.address, access.bytes);
}

void
KvProcessor::Complete(Tick now, uint32_t place)
{
    KvEntry& entry = m_station.GetEntry(place);
    const uint32_t number = entry.slot;
    const bool isWriteBack = entry.isWriteBack;
    if (isWriteBack)
    {
        ++m_stats.writeBacks;
    }
    else
    {
        Answer(entry, m_clock.GetLater(now, m_settings.answerCycles));
    }
    Release(now, place);
    if (!m_settings.isOutOfOrder)
    {
        return;
    }
    Slot& slot = m_station.GetSlot(number);
    slot.isBusy = false;
    slot.isWrittenBack = false;
    if (!slot.isExamined)
    {
        BeginExamining(now, number, isWriteBack);
    }
}

bool
KvProcessor::IsIdle(const Slot& slot) const
{
    return !slot.isBusy && !slot.isExamined && slot.first == NONE;
}

void
KvProcessor::BeginExamining(Tick now, uint32_t number, bool isOrdered)
{
    Slot& slot = m_station.GetSlot(number);
    slot.cursor = slot.first;
    slot.previous = NONE;
    slot.until = slot.last;
    slot.isOrdered = isOrdered;
    if (slot.cursor == NONE)
    {
        EndExamining(now, number);
        return;
    }
    slot.isExamined = true;
    ScheduleExamining(now, number);
}

void
KvProcessor::ScheduleExamining(Tick now, uint32_t slot)
{
    const Cycle cycle = m_engine.Take(m_clock.GetCycle(now), 1);
    Schedule(m_clock.GetTime(cycle), Event::EXAMINE, slot);
}

bool
KvProcessor::CanForward(const Slot& slot, uint32_t place) const
{
    const KvOperation& operation = m_station.GetEntry(place).operation;
    if (!slot.hasValue || !IsEqual(operation.key, slot.key))
    {
        return false;
    }
    switch (operation.opcode)
    {
    case KvOpcode::PUT:
        return slot.isFound && operation.operand.GetSize() == slot.value.size();
    case KvOpcode::DELETE:
        return !slot.isFound;
    default:
        return true;
    }
}

void
KvProcessor::Examine(Tick now, uint32_t number)
{
    Slot& slot = m_station.GetSlot(number);
    const uint32_t place = slot.cursor;
    const KvEntry& entry = m_station.GetEntry(place);
    if (CanForward(slot, place))
    {
        Forward(now, number);
    }
    else if (slot.isOrdered || IsEqual(entry.operation.key, slot.key))
    {
        slot.cursor = NONE; // Later ones must not overtake it.
    }
    else
    {
        slot.previous = place;
        slot.cursor = entry.next;
    }
    if (slot.cursor == NONE || place == slot.until)
    {
        EndExamining(now, number);
        return;
    }
    ScheduleExamining(m_clock.GetLater(now, 1), number);
}

void
KvProcessor::Forward(Tick now, uint32_t number)
{
    Slot& slot = m_station.GetSlot(number);
    const uint32_t place = slot.cursor;
    KvEntry& entry = m_station.GetEntry(place);
    m_station.TakeAtCursor(number);
    const KvEffect effect = m_unit.Apply(entry.operation,
                                         slot.isFound,
                                         ByteView(slot.value),
                                         m_stored,
                                         entry.answer,
                                         entry.status);
    NS_ASSERT_MSG(effect != KvEffect::REMOVE, "removals take the main pipeline");
    if (effect == KvEffect::STORE)
    {
        slot.value.swap(m_stored);
        slot.isDirty = true;
    }
    ++m_stats.forwarded;
    m_engine.Block(m_clock.GetCycle(now) + GetWords(slot.value));
    Answer(entry, m_clock.GetLater(now, m_settings.forwardCycles));
    Release(now, place);
}

void
KvProcessor::EndExamining(Tick now, uint32_t number)
{
    Slot& slot = m_station.GetSlot(number);
    slot.isExamined = false;
    slot.cursor = NONE;
    if (!slot.isBusy && slot.isDirty)
    {
        Issue(now, m_station.AddWriteBack(number));
    }
    if (slot.isBusy)
    {
        // The value is being written back, which need not delay operations that have arrived since.
        if (m_settings.isForwardedMeanwhile && slot.first != NONE && CanForward(slot, slot.first))
        {
            BeginExamining(now, number, true);
        }
        return;
    }
    const uint32_t next = m_station.TakeFirst(number);
    if (next != NONE)
    {
        Issue(now, next);
    }
}

void
KvProcessor::Answer(KvEntry& entry, Tick at)
{
    ++m_stats.answers;
    m_parts.sink.OnAnswer(entry.tag, {entry.status, ByteView(entry.answer)}, at);
}

void
KvProcessor::Release(Tick now, uint32_t number)
{
    if (!m_settings.isOutOfOrder)
    {
        m_underWay.erase(std::find(m_underWay.begin(), m_underWay.end(), number));
    }
    m_station.Remove(number);
    const bool canGoOn = m_held != NONE || (!m_isSourceEmpty && m_station.HasRoom());
    if (m_admitAt == TICK_NEVER && canGoOn)
    {
        m_admitAt = GetNextEdge(now);
    }
}

} // namespace ns3::rdma
