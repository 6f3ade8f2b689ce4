// SPDX-License-Identifier: GPL-2.0-only

#include "python-run.h"

#include "python-registry.h"

#include "ns3/environment-check.h"
#include "ns3/exit-status.h"
#include "ns3/huge-pages.h"
#include "ns3/input-error.h"
#include "ns3/plugin-loader.h"
#include "ns3/run-plan.h"
#include "ns3/run-stopped.h"
#include "ns3/scenario-writer.h"
#include "ns3/verbs-error.h"

#include <atomic>
#include <chrono>
#include <new>
#include <pybind11/stl.h>
#include <stdexcept>
#include <thread>
#include <unistd.h>
#include <vector>

namespace ns3::rdma
{

namespace py = pybind11;

namespace
{

/// ns-3's simulator is one of a process.
class OnlyRun
{
  public:
    OnlyRun()
    {
        if (g_process != 0) // A child that was forked amid a run has its simulator, too.
        {
            throw std::runtime_error("expected one run at a time in a process, got a second one");
        }
        g_process = getpid();
    }

    ~OnlyRun()
    {
        g_process = 0;
        if (g_isExiting)
        {
            SleepForever();
        }
    }

    OnlyRun(const OnlyRun&) = delete;
    OnlyRun& operator=(const OnlyRun&) = delete;

    /// Whether another thread is in a run of this process.
    static bool IsUnderWay()
    {
        return g_process == getpid();
    }

    static bool MustEnd()
    {
        return g_isExiting;
    }

    static void End()
    {
        g_isExiting = true;
    }

  private:
    [[noreturn]] static void SleepForever()
    {
        const py::gil_scoped_release others;
        while (true)
        {
            pause();
        }
    }

    static inline std::atomic<pid_t> g_process{0};
    static inline std::atomic<bool> g_isExiting{false};
};

/// Calls Python's signal handlers. @throws what one has thrown. Needs the GIL
void
CheckSignals()
{
    if (PyErr_CheckSignals() != 0)
    {
        throw py::error_already_set();
    }
}

/// One NIC of a scenario in this process.
class PythonNicRun
{
  public:
    PythonNicRun(const RunPlan& plan, const NicSpec& nic, const py::object& progress)
        : m_name(nic.name),
          m_job(MakeJob(plan, nic, RankGroup::GetSolo())),
          m_progress(progress)
    {
    }

    /// @throws what has gone wrong, with the NIC's name before it
    py::dict Run();

  private:
    int Simulate();
    void Report(const RunProgress& progress);
    bool ShouldStop();
    void TakeDeferredInterrupt();

    std::string m_name;
    NicJob m_job;
    const py::object& m_progress;
    std::vector<JobLine> m_lines;
    std::optional<py::error_already_set> m_interrupt; ///< What a signal handler has thrown.
};

void
PythonNicRun::Report(const RunProgress& progress)
{
    if (!m_progress.is_none())
    {
        const py::gil_scoped_acquire gil;
        m_progress(m_name,
                   progress.flowsDone,
                   progress.flowsTotal,
                   progress.simulatedPs,
                   progress.packetHops);
    }
}

bool
PythonNicRun::ShouldStop()
{
    if (OnlyRun::MustEnd())
    {
        return true;
    }
    if (PyGILState_Check())
    {
        const py::gil_scoped_release others; // For a moment.
    }
    const py::gil_scoped_acquire gil;
    TakeDeferredInterrupt();
    if (!m_interrupt && PyErr_CheckSignals() != 0)
    {
        m_interrupt.emplace();
    }
    return m_interrupt.has_value();
}

void
PythonNicRun::TakeDeferredInterrupt()
{
    if (!m_interrupt && PythonPolicy::TakeInterrupt())
    {
        PyErr_SetNone(PyExc_KeyboardInterrupt);
        m_interrupt.emplace();
    }
}

int
PythonNicRun::Simulate()
{
    JobMessageParser parser([this](const RunProgress& progress) { Report(progress); },
                            [this](JobLine line) { m_lines.push_back(std::move(line)); });
    JobChannel channel(
        [&parser](const std::string& message) { parser.Feed(message.data(), message.size()); },
        [this] { return ShouldStop(); });
    std::optional<py::gil_scoped_release> release;
    if (!HasPythonClasses())
    {
        release.emplace();
    }
    return SimulateAndWrite(m_job, channel);
}

py::dict
PythonNicRun::Run()
{
    const auto status = [this] {
        const std::string begin = m_name + ": ";
        try
        {
            return Simulate();
        }
        catch (const PythonError& error)
        {
            throw PythonError(begin + error.what(), error.GetError());
        }
        catch (const py::error_already_set&)
        {
            throw;
        }
        catch (const RunStopped&)
        {
            return static_cast<int>(EXIT_INTERRUPTED);
        }
        catch (const InputError& error)
        {
            throw InputError(begin + error.what());
        }
        catch (const VerbsError& error)
        {
            throw InputError(begin + error.what()); // More than the NIC has room for.
        }
        catch (const std::bad_alloc&)
        {
            throw std::runtime_error(begin + "out of memory");
        }
        catch (const std::exception& error)
        {
            throw std::runtime_error(begin + error.what());
        }
        catch (...)
        {
            throw std::runtime_error(
                begin + "something was thrown that is no std::exception, perhaps by a plug-in");
        }
    }();
    TakeDeferredInterrupt(); // The run has ended before its next check.
    if (m_interrupt)
    {
        throw py::error_already_set(*m_interrupt);
    }
    const auto get = [this](JobLine::Kind kind) {
        std::vector<std::string> texts;
        for (const JobLine& line : m_lines)
        {
            if (line.kind == kind)
            {
                texts.push_back(line.text);
            }
        }
        return texts;
    };
    py::dict result;
    result["name"] = m_name;
    result["folder"] = m_job.folder.string();
    result["status"] = status;
    result["result"] = get(JobLine::Kind::RESULT);
    result["troubles"] = get(JobLine::Kind::TROUBLE);
    result["violations"] = get(JobLine::Kind::VIOLATION);
    return result;
}

} // namespace

Scenario
ReadPythonScenario(const std::string& file, const ScenarioChanges& changes)
{
    CheckEnvironment();
    LoadPlugins(changes.plugins);
    Scenario scenario = ReadScenario(file, changes);
    if (HasPythonClasses())
    {
        for (const std::string& one : FindUsedClasses(WriteScenario(scenario)))
        {
            scenario.plugins.push_back(one);
        }
    }
    return scenario;
}

py::list
RunPythonScenario(const Scenario& scenario, const std::string& out, const py::object& progress)
{
    const OnlyRun only;
    PythonPolicy::TakeInterrupt(); // Of a run that has ended before it was due.
    const auto prepared = std::make_shared<PreparedScenario>();
    prepared->scenario = scenario;
    const RunPlan plan = PlanRun(prepared, out, {}, 1, &CheckSignals);
    const ScenarioFolder folder(plan.folder);
    RemoveLeftovers(plan);
    UseHugePages();
    py::list results;
    for (const NicSpec& nic : plan.GetScenario().nics)
    {
        if (!OnlyRun::MustEnd())
        {
            results.append(PythonNicRun(plan, nic, progress).Run());
        }
    }
    return results;
}

void
EndRunAtExit()
{
    using namespace std::chrono_literals;
    constexpr auto LONGEST{10s};
    if (!OnlyRun::IsUnderWay())
    {
        return;
    }
    OnlyRun::End();
    const py::gil_scoped_release others;
    const auto end = std::chrono::steady_clock::now() + LONGEST;
    while (OnlyRun::IsUnderWay() && std::chrono::steady_clock::now() < end)
    {
        std::this_thread::sleep_for(1ms);
    }
}

} // namespace ns3::rdma
