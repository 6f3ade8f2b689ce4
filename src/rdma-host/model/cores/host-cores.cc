// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/host-cores.h"

#include "ns3/assert.h"
#include "ns3/host-noise.h"
#include "ns3/log.h"
#include "ns3/type-attributes.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

NS_LOG_COMPONENT_DEFINE("HostCores");

NS_OBJECT_ENSURE_REGISTERED(HostCores);

TypeId
HostCores::GetTypeId()
{
    static TypeId tid = TypeAttributes::Of<HostCores, Object>("ns3::rdma::HostCores", "RdmaHost")
                            .Add("Cores",
                                 Member(&HostCores::m_coreCount, 16, 1, 65536),
                                 "Cores that threads are bound to, round robin (16: one NUMA node "
                                 "of the thesis' node501 to 504, Table A.1)")
                            .Add("TimeSlice",
                                 Member(&HostCores::m_timeSlice, MilliSeconds(3), MicroSeconds(1)),
                                 "How long a thread may run while another one waits (3 ms: Linux' "
                                 "sched_min_granularity from 8 cores on)")
                            .Add("RemoteMemory",
                                 Member(&HostCores::m_isRemote, false),
                                 "Whether the program's memory is on the other NUMA node");
    return tid;
}

std::vector<TypeId>
HostCores::GetPartTypes()
{
    return {HostCores::GetTypeId(),
            HostCosts::GetTypeId(),
            HostNoise::GetTypeId(),
            CacheHierarchy::GetTypeId()};
}

HostCores::~HostCores() = default;

void
HostCores::DoDispose()
{
    if (m_engine)
    {
        m_engine->Unregister(m_target);
        m_engine.reset();
    }
    m_threads.clear();
    m_cores.clear();
    m_costs = nullptr;
    m_caches = nullptr;
    Object::DoDispose();
}

void
HostCores::Start(std::shared_ptr<FabricEngine> engine,
                 Ptr<const HostCosts> costs,
                 Ptr<const CacheHierarchy> caches)
{
    m_engine = std::move(engine);
    m_costs = costs;
    m_caches = caches;
    m_target = m_engine->Register(this);
    m_cores.resize(m_coreCount);
}

HostThread&
HostCores::AddThread(HostProgram& program, ThreadFootprint footprint)
{
    const auto number = static_cast<uint32_t>(m_threads.size());
    const uint32_t core = number % m_coreCount;
    m_threads.push_back(std::make_unique<HostThread>(program, number, core));
    m_cores[core].roundBytes += footprint.roundBytes;
    m_cores[core].turnBytes +=
        footprint.turnBytes + uint64_t{m_costs->Get().switchLines} * CacheHierarchy::LINE_BYTES;
    m_hasNewThreads = true;
    return *m_threads.back();
}

void
HostCores::UpdateLineTimes()
{
    const uint32_t perL3 = m_caches->GetCoresPerL3();
    std::vector<uint64_t> rounds(m_coreCount / perL3 + 1, 0);
    std::vector<uint64_t> turns(rounds.size(), 0);
    for (uint32_t core = 0; core < m_coreCount; ++core)
    {
        rounds[core / perL3] += m_cores[core].roundBytes;
        turns[core / perL3] += m_cores[core].turnBytes;
    }
    for (const auto& thread : m_threads)
    {
        const Core& core = m_cores[thread->m_core];
        const uint32_t l3 = thread->m_core / perL3;
        thread->m_lineTime = m_caches->GetLineTime(core.roundBytes, rounds[l3], m_isRemote);
        thread->m_switchLineTime = m_caches->GetLineTime(core.turnBytes, turns[l3], m_isRemote);
    }
}

uint32_t
HostCores::GetNumber(const Core& core) const
{
    return static_cast<uint32_t>(&core - m_cores.data());
}

void
HostCores::Schedule(Tick when, Event event, uint32_t argument)
{
    m_engine->Schedule(when, FabricEngine::MakeOwner(m_target, event), argument);
}

void
HostCores::Notify(HostThread& thread)
{
    const Tick now = m_engine->Now();
    const Tick handler = m_costs->Get().interrupt;
    Core& core = m_cores[thread.m_core];
    const bool isIdle = !core.running && core.interruptUntil <= now;
    const Tick begin = std::max(core.interruptUntil, isIdle ? now + m_costs->Get().idleExit : now);
    ++thread.m_interrupts;
    core.interruptUntil = begin + handler;
    core.interruptTime += handler;
    core.stepEnd += handler; // Delays the current step, if any.
    core.preemptedUntil += core.preemptedUntil > now ? handler : 0;
    Schedule(core.interruptUntil, NOTIFY, thread.m_number);
}

void
HostCores::NotifyAt(HostThread& thread, Tick when)
{
    Schedule(when, TIMER, thread.m_number);
}

bool
HostCores::Delay(Core& core, Tick time)
{
    const bool isInStep = core.running && core.running->m_state == HostThread::State::RUNNING;
    core.stepEnd += isInStep ? time : 0;
    return isInStep;
}

void
HostCores::Interrupt(uint32_t core, Tick time)
{
    const Tick now = m_engine->Now();
    Core& taken = m_cores[core];
    if (Delay(taken, time))
    {
        taken.interruptUntil = std::max(taken.interruptUntil, now) + time;
        taken.interruptTime += time;
        taken.preemptedUntil += taken.preemptedUntil > now ? time : 0;
    }
}

void
HostCores::Preempt(uint32_t core, Tick time)
{
    Core& taken = m_cores[core];
    if (Delay(taken, time))
    {
        taken.preemptedUntil =
            std::max({taken.preemptedUntil, taken.interruptUntil, m_engine->Now()}) + time;
    }
}

void
HostCores::OnNotified(HostThread& thread)
{
    if (thread.m_state == HostThread::State::SLEEPING)
    {
        MakeReady(thread);
    }
    else
    {
        thread.m_isNotified = true;
    }
}

void
HostCores::MakeReady(HostThread& thread)
{
    Core& core = m_cores[thread.m_core];
    thread.m_state = HostThread::State::READY;
    core.ready.push_back(&thread);
    if (!core.running)
    {
        Dispatch(core);
    }
    else if (core.running->m_state == HostThread::State::SPINNING)
    {
        ScheduleSliceEnd(core);
    }
}

void
HostCores::Dispatch(Core& core)
{
    if (core.ready.empty())
    {
        return;
    }
    HostThread& thread = *core.ready.front();
    core.ready.pop_front();
    thread.m_isIdle = false;
    core.running = &thread;
    core.sliceFrom = m_engine->Now();
    const bool isSwitch = core.last && core.last != &thread;
    core.last = &thread;
    if (!isSwitch)
    {
        Continue(core, thread);
        return;
    }
    const HostCostTable& costs = m_costs->Get();
    ++thread.m_switches;
    thread.m_step = 0;
    thread.m_then = HostThread::Then::CONTINUE;
    // For a thread that slept, HostCosts::Sleep and WakeUp include the switch.
    const Tick preempted = thread.m_hasSlept ? 0 : costs.contextSwitch;
    thread.Spend(HostTask::SWITCH, preempted + costs.switchLines * thread.m_switchLineTime);
    RunStep(core, thread);
}

void
HostCores::Continue(Core& core, HostThread& thread)
{
    if (std::exchange(m_hasNewThreads, false))
    {
        UpdateLineTimes();
    }
    thread.m_step = 0;
    thread.m_then = HostThread::Then::CONTINUE;
    thread.m_program.Continue(thread);
    NS_ASSERT_MSG(thread.m_step > 0 || thread.m_then != HostThread::Then::CONTINUE,
                  "a program must spend time before it continues");
    thread.m_hasSlept = false;
    RunStep(core, thread);
}

void
HostCores::RunStep(Core& core, HostThread& thread)
{
    const Tick now = m_engine->Now();
    thread.m_state = HostThread::State::RUNNING;
    core.stepEnd = std::max(now, core.interruptUntil) + thread.m_step;
    NS_LOG_LOGIC("thread " << thread.m_number << ", core " << thread.m_core << ": a step of "
                           << thread.m_step << " ps begins, its end is in " << core.stepEnd - now
                           << " ps");
    Schedule(core.stepEnd, STEP, GetNumber(core));
}

void
HostCores::OnStepEnd(Core& core)
{
    const Tick now = m_engine->Now();
    if (core.stepEnd > now)
    {
        Schedule(core.stepEnd, STEP, GetNumber(core)); // The step was lengthened.
        return;
    }
    HostThread& thread = *core.running;
    NS_LOG_LOGIC("thread " << thread.m_number << ", core " << thread.m_core << ": the step ends");
    thread.m_step = 0;
    switch (thread.m_then)
    {
    case HostThread::Then::SLEEP:
        if (!thread.m_isNotified)
        {
            thread.m_hasSlept = true;
            ++thread.m_sleeps;
            Release(core, HostThread::State::SLEEPING);
            return;
        }
        thread.m_isNotified = false;
        break;
    case HostThread::Then::SPIN:
        BeginSpin(core, thread);
        return;
    case HostThread::Then::END:
        Release(core, HostThread::State::ENDED);
        return;
    default:
        break;
    }
    if (!core.ready.empty() && now - core.sliceFrom >= ToTick(m_timeSlice))
    {
        core.ready.push_back(&thread);
        Release(core, HostThread::State::READY);
        return;
    }
    Continue(core, thread);
}

void
HostCores::Release(Core& core, HostThread::State state)
{
    core.running->m_state = state;
    core.running = nullptr;
    Dispatch(core);
}

void
HostCores::BeginSpin(Core& core, HostThread& thread)
{
    thread.m_state = HostThread::State::SPINNING;
    thread.m_spinFrom = m_engine->Now();
    if (MustShare(core))
    {
        ScheduleSliceEnd(core);
    }
}

bool
HostCores::MustShare(const Core& core) const
{
    return m_hasIdleSlices ? !core.ready.empty()
                           : std::any_of(core.ready.begin(),
                                         core.ready.end(),
                                         [](const HostThread* one) { return !one->m_isIdle; });
}

void
HostCores::ScheduleSliceEnd(Core& core)
{
    Schedule(std::max(m_engine->Now(), core.sliceFrom + ToTick(m_timeSlice)),
             SLICE,
             GetNumber(core));
}

void
HostCores::StopIdleSlices()
{
    m_hasIdleSlices = false;
}

void
HostCores::EndSpin(HostThread& thread, Tick until) const
{
    thread.m_account[thread.m_spinTask] += until - thread.m_spinFrom;
}

void
HostCores::Unspin(HostThread& thread)
{
    if (thread.m_state != HostThread::State::SPINNING)
    {
        // The thread does not spin yet, or polls when it has its core again.
        thread.m_then =
            thread.m_then == HostThread::Then::SPIN ? HostThread::Then::CONTINUE : thread.m_then;
        Core& core = m_cores[thread.m_core];
        const bool wasIdle = std::exchange(thread.m_isIdle, false);
        if (wasIdle && !m_hasIdleSlices && core.running &&
            core.running->m_state == HostThread::State::SPINNING)
        {
            ScheduleSliceEnd(core); // None is pending if all other threads are idle.
        }
        return;
    }
    const Tick now = m_engine->Now();
    const Tick period = std::max<Tick>(thread.m_spinPeriod, 1); // PollCall may be 0.
    const Tick rounds = (now - thread.m_spinFrom + period - 1) / period;
    const Tick until = thread.m_spinFrom + rounds * period;
    EndSpin(thread, now);
    thread.m_step = 0;
    thread.m_then = HostThread::Then::CONTINUE;
    thread.Spend(thread.m_spinTask, until - now);
    RunStep(m_cores[thread.m_core], thread);
}

void
HostCores::OnSliceEnd(Core& core)
{
    const Tick now = m_engine->Now();
    const bool isOver = core.running && core.running->m_state == HostThread::State::SPINNING &&
                        MustShare(core) && now - core.sliceFrom >= ToTick(m_timeSlice);
    if (isOver)
    {
        EndSpin(*core.running, now);
        core.running->m_isIdle = true;
        core.ready.push_back(core.running);
        Release(core, HostThread::State::READY);
    }
}

void
HostCores::HandleEvent(uint32_t kind, uint32_t argument)
{
    switch (kind)
    {
    case STEP:
        OnStepEnd(m_cores[argument]);
        return;
    case NOTIFY:
        OnNotified(*m_threads[argument]);
        return;
    case TIMER:
        Notify(*m_threads[argument]);
        return;
    default:
        OnSliceEnd(m_cores[argument]);
    }
}

Tick
HostCores::GetUse(const HostThread& thread) const
{
    const Tick now = m_engine->Now();
    const Tick total = thread.m_account.GetTotal();
    if (thread.m_state == HostThread::State::SPINNING)
    {
        return total + now - thread.m_spinFrom;
    }
    if (thread.m_state != HostThread::State::RUNNING)
    {
        return total;
    }
    const Core& core = m_cores[thread.m_core];
    const Tick resumed = std::max({now, core.interruptUntil, core.preemptedUntil});
    return total - std::max<Tick>(0, core.stepEnd - resumed);
}

HostAccount
HostCores::GetAccount(const HostThread& thread) const
{
    HostAccount account = thread.m_account;
    if (thread.m_state == HostThread::State::SPINNING)
    {
        account[thread.m_spinTask] += m_engine->Now() - thread.m_spinFrom;
    }
    return account;
}

Tick
HostCores::GetInterruptTime(uint32_t core) const
{
    return m_cores[core].interruptTime;
}

} // namespace ns3::rdma
