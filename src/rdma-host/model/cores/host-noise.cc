// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/host-noise.h"

#include "ns3/type-attributes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(HostNoise);

namespace
{
/// Distinct from the streams of other parts. The 34 bits of node, core and source are added.
constexpr uint64_t FIRST_STREAM{0x6e6f697300000000ULL};
constexpr Tick SHORTEST{100'000'000}; ///< 100 us, which leaves core time for threads.
constexpr Tick BUCKET{10'000'000};    ///< 10 us.
/// Samples of 0 to 10 us, 10 to 20 us and so on, of all 12 cores: rtla-osnoise-hist.rst.
constexpr std::array<uint32_t, 6> BUCKETS{580'463, 77'830, 285, 154, 37, 4};
constexpr uint32_t SAMPLES{658'773};
} // namespace

TypeId
HostNoise::GetTypeId()
{
    static TypeId tid =
        TypeAttributes::Of<HostNoise, Object>("ns3::rdma::HostNoise", "RdmaHost")
            .Add("TimerPeriod",
                 Member(&HostNoise::m_timerPeriod, Time(0), Time(0), Seconds(1)),
                 "Period of the timer interrupt of a core, whose duration is drawn from the "
                 "histogram of rtla-osnoise-hist.rst; 0: none (1 ms: 1,000 interrupts per second "
                 "and core, osnoise-tracer.rst)")
            .Add("ServiceInterval",
                 Member(&HostNoise::m_serviceInterval, Time(0), Time(0), Seconds(1000)),
                 "Mean time between two short threads of kernel and services on a core; 0: none "
                 "(91 ms: 88 threads in a second of eight cores, osnoise-tracer.rst)")
            .Add("ServiceTime",
                 Member(&HostNoise::m_serviceTime, MicroSeconds(33), Time(0), Seconds(1)),
                 "Mean time of such a thread (33 us: the longest noise of seven cores, each over "
                 "the harmonic number of its threads; osnoise-tracer.rst)")
            .Add("ProgramPeriod",
                 Member(&HostNoise::m_programPeriod, Time(0), Time(0), Seconds(1000)),
                 "Time between two time slices that a thread of another program takes on a core; "
                 "0: none");
    return tid;
}

HostNoise::~HostNoise() = default;

std::string
HostNoise::FindFault() const
{
    for (const auto& [name, interval] : {std::pair("TimerPeriod", m_timerPeriod),
                                         std::pair("ServiceInterval", m_serviceInterval),
                                         std::pair("ProgramPeriod", m_programPeriod)})
    {
        if (interval > 0 && interval < SHORTEST)
        {
            return std::string("ns3::rdma::HostNoise::") + name +
                   ": expected 0 or at least 100 us, got " + std::to_string(interval) + " ps";
        }
    }
    return {};
}

void
HostNoise::DoDispose()
{
    if (m_engine)
    {
        m_engine->Unregister(m_target);
        m_engine.reset();
    }
    m_cores = nullptr;
    Object::DoDispose();
}

Tick
HostNoise::GetInterval(Source source) const
{
    switch (source)
    {
    case TIMER:
        return m_timerPeriod;
    case SERVICE:
        return m_serviceInterval;
    default:
        return m_programPeriod;
    }
}

void
HostNoise::Start(std::shared_ptr<FabricEngine> engine,
                 HostCores& cores,
                 uint64_t seed,
                 uint32_t node)
{
    m_cores = &cores;
    m_engine = std::move(engine);
    m_target = m_engine->Register(this);
    m_isRunning = true;
    const auto used =
        std::min(cores.GetCoreCount(), static_cast<uint32_t>(cores.GetThreads().size()));
    for (uint32_t core = 0; core < used; ++core)
    {
        for (const Source source : {TIMER, SERVICE, PROGRAM})
        {
            const uint64_t number = ((uint64_t{node} << 16 | core) << 2) | source;
            m_random.emplace_back(seed, FIRST_STREAM + number);
            if (const Tick interval = GetInterval(source); interval > 0)
            {
                const double phase = GetRandom(core, source).NextDouble();
                const Tick first = source == SERVICE
                                       ? DrawExponential(core, source, interval)
                                       : static_cast<Tick>(phase * static_cast<double>(interval));
                Schedule(core, source, first);
            }
        }
    }
}

void
HostNoise::Stop()
{
    m_isRunning = false;
}

void
HostNoise::Schedule(uint32_t core, Source source, Tick delay)
{
    m_engine->Schedule(m_engine->Now() + std::max<Tick>(delay, 1),
                       FabricEngine::MakeOwner(m_target, source),
                       core);
}

Tick
HostNoise::DrawExponential(uint32_t core, Source source, Tick mean)
{
    const double random = GetRandom(core, source).NextDouble();
    return static_cast<Tick>(-std::log1p(-random) * static_cast<double>(mean));
}

Tick
HostNoise::DrawTimer(RandomStream& random)
{
    uint32_t rest = random.NextBelow(SAMPLES);
    std::size_t bucket = 0;
    while (rest >= BUCKETS[bucket])
    {
        rest -= BUCKETS[bucket++];
    }
    const double part = random.NextDouble();
    return static_cast<Tick>((static_cast<double>(bucket) + part) * static_cast<double>(BUCKET));
}

void
HostNoise::HandleEvent(uint32_t kind, uint32_t core)
{
    if (!m_isRunning)
    {
        return;
    }
    const auto source = static_cast<Source>(kind);
    switch (source)
    {
    case TIMER:
        m_cores->Interrupt(core, DrawTimer(GetRandom(core, source)));
        Schedule(core, source, m_timerPeriod);
        return;
    case SERVICE:
        m_cores->Preempt(core, DrawExponential(core, source, m_serviceTime));
        Schedule(core, source, DrawExponential(core, source, m_serviceInterval));
        return;
    default:
        m_cores->Preempt(core, m_cores->GetTimeSlice());
        Schedule(core, source, m_programPeriod);
    }
}

} // namespace ns3::rdma
