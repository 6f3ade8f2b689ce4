// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/nic-job.h"

#include "scenario-fixture.h"

#include "ns3/exit-status.h"
#include "ns3/input-error.h"
#include "ns3/run-supervisor.h"

#include <csignal>
#include <nlohmann/json.hpp>
#include <stdexcept>

using namespace ns3::rdma;

namespace
{

/// Completes flows of 1000 bytes, one by one, until it must stop or all are done.
RunReport
CompleteFlows(FlowLog& log,
              const std::function<bool(const RunProgress&)>& onProgress,
              uint64_t count,
              FlowStatus last = FlowStatus::COMPLETED)
{
    RunReport report;
    for (uint64_t flow = 0; flow < count; ++flow)
    {
        FlowRecord record;
        record.flow = flow;
        record.bytes = 1000;
        record.fctPs = 2'000'000;
        record.idealPs = 1'000'000;
        record.status = flow + 1 == count ? last : FlowStatus::COMPLETED;
        record.reason = "the link is down";
        report.flowsStarted = flow + 1;
        log.Write(record);
        if (!onProgress({flow + 1, 0, 0, 0}))
        {
            break;
        }
    }
    return report;
}

} // namespace

class NicJobTest : public FolderTest
{
  protected:
    /// Runs one job under a supervisor; the first call of onProgress sees it under way.
    JobState RunJob(const SimulateFunction& simulate, const std::function<void()>& onProgress = {})
    {
        NicJob job;
        job.folder = m_folder / "irn";
        job.scenarioText = "{}\n";
        job.flowsTotal = 5;
        job.simulate = simulate;
        RunSupervisor supervisor(
            {{"irn", [&job](JobChannel& channel) { return RunNicJob(job, channel); }}},
            1);
        const auto states = supervisor.Run(
            [&onProgress](const std::vector<JobState>& jobs) {
                if (onProgress && jobs[0].progress.flowsDone > 0)
                {
                    onProgress();
                }
            },
            [](const JobState&) {});
        return states[0];
    }

    nlohmann::json ReadSummary() const
    {
        return nlohmann::json::parse(ReadText(m_folder / "irn" / "summary.json"));
    }
};

TEST_F(NicJobTest, WritesAllFilesOfACompleteRun)
{
    const JobState state = RunJob([](const auto&, FlowLog& log, const auto& onProgress) {
        return CompleteFlows(log, onProgress, 5);
    });
    EXPECT_EQ(state.exitStatus, EXIT_GOOD);
    EXPECT_EQ(state.progress.flowsTotal, 5U); // Filled in: the simulation does not know.
    EXPECT_EQ(state.GetLines(JobLine::Kind::RESULT),
              std::vector<std::string>{
                  "5 of 5 flows completed, FCT mean 2.0 us, P99 2.0 us, slowdown mean 2.00"});
    EXPECT_EQ(ReadText(m_folder / "irn" / "scenario.json"), "{}\n");
    const auto summary = ReadSummary();
    EXPECT_EQ(summary["partial"], false);
    EXPECT_EQ(summary["flows"]["completed"], 5);
    EXPECT_GT(summary["wall_seconds"], 0.0);
    EXPECT_GT(summary["peak_rss_bytes"], 100'000);
    const std::string flows = ReadText(m_folder / "irn" / "flows.csv");
    EXPECT_EQ(std::count(flows.begin(), flows.end(), '\n'), 6); // Head and five flows.
}

TEST_F(NicJobTest, SaysWhatARunThatEndsByItsPrecisionHasMeasured)
{
    const std::pair<PrecisionReport, const char*> cases[] = {
        {{0.1, true, 0, 0, 3, 16, {2'000'000, 100'000}, {2.5, 0.25}},
         "3 measured: FCT mean 2.0 +- 0.1 us, slowdown mean 2.50 +- 0.25"},
        {{0.01, false, 0, 0, 3, 16, {2'000'000, 100'000}, {2.5, 0.25}},
         "3 measured: FCT mean 2.0 +- 0.1 us, slowdown mean 2.50 +- 0.25 (precision not reached)"},
        {{0.01, false, 0, 0, 1, 16, {}, {2.5, 0}}, "slowdown not measured (precision not reached)"},
    };
    for (const auto& [precision, text] : cases)
    {
        const JobState state =
            RunJob([&report = precision](const auto&, FlowLog& log, const auto& onProgress) {
                RunReport whole = CompleteFlows(log, onProgress, 5);
                whole.precision = report;
                return whole;
            });
        EXPECT_EQ(state.GetLines(JobLine::Kind::RESULT),
                  std::vector<std::string>{std::string("5 of 5 flows completed, ") + text});
    }
}

TEST_F(NicJobTest, KeepsFinishedFlowsWhenInterruptedAndSaysSo)
{
    const auto endless = [](const auto&, FlowLog& log, const auto& onProgress) {
        return CompleteFlows(
            log,
            [&onProgress](const RunProgress& progress) {
                usleep(1000);
                return onProgress(progress);
            },
            1'000'000);
    };
    const JobState state = RunJob(endless, [] { raise(SIGINT); });
    EXPECT_EQ(state.exitStatus, EXIT_INTERRUPTED);
    const auto summary = ReadSummary();
    EXPECT_EQ(summary["partial"], true);
    const int64_t completed = summary["flows"]["completed"];
    EXPECT_GT(completed, 0);
    const std::string flows = ReadText(m_folder / "irn" / "flows.csv");
    EXPECT_EQ(std::count(flows.begin(), flows.end(), '\n'), completed + 1);
    ASSERT_EQ(state.GetLines(JobLine::Kind::RESULT).size(), 1U);
    EXPECT_NE(state.GetLines(JobLine::Kind::RESULT)[0].find("(partial)"), std::string::npos);
}

TEST_F(NicJobTest, ListsFlowsThatStalled)
{
    const JobState state = RunJob([](const auto&, FlowLog& log, const auto& onProgress) {
        return CompleteFlows(log, onProgress, 5, FlowStatus::STALLED);
    });
    EXPECT_EQ(state.exitStatus, EXIT_STALLED);
    EXPECT_EQ(
        state.GetLines(JobLine::Kind::TROUBLE),
        std::vector<std::string>{"flow 4 from 0 to 0 (1000 bytes) stalled: the link is down"});
    EXPECT_EQ(ReadSummary()["flows"]["stalled"], 1);
}

TEST_F(NicJobTest, EndsALongListOfTroublesWithHowManyMore)
{
    const JobState state = RunJob([](const auto&, FlowLog& log, const auto&) {
        FlowRecord record;
        record.status = FlowStatus::FAILED;
        for (int i = 0; i < 50; ++i)
        {
            log.Write(record);
        }
        return RunReport();
    });
    const auto lines = state.GetLines(JobLine::Kind::TROUBLE);
    ASSERT_EQ(lines.size(), 21U);
    EXPECT_EQ(lines.back(), "and 30 more");
    EXPECT_EQ(state.GetLines(JobLine::Kind::RESULT),
              std::vector<std::string>{"0 of 5 flows completed"});
}

TEST_F(NicJobTest, ReportsBrokenInvariants)
{
    const JobState state = RunJob([](const auto&, FlowLog& log, const auto& onProgress) {
        RunReport report = CompleteFlows(log, onProgress, 1);
        report.violations = {"flow 0 finished before its ideal time"};
        return report;
    });
    EXPECT_EQ(state.exitStatus, EXIT_VIOLATION);
    EXPECT_EQ(state.GetLines(JobLine::Kind::VIOLATION),
              std::vector<std::string>{"flow 0 finished before its ideal time"});
}

TEST_F(NicJobTest, LeavesOldResultsAloneWhenItFails)
{
    std::filesystem::create_directory(m_folder / "irn");
    WriteFile("irn/summary.json", "old");
    const JobState bad =
        RunJob([](const auto&, FlowLog&, const auto&) -> RunReport { throw InputError("f: bad"); });
    EXPECT_EQ(bad.exitStatus, EXIT_BAD_INPUT);
    EXPECT_EQ(bad.GetLines(JobLine::Kind::FAILURE), std::vector<std::string>{"f: bad"});
    const JobState broken = RunJob(
        [](const auto&, FlowLog&, const auto&) -> RunReport { throw std::runtime_error("oops"); });
    EXPECT_EQ(broken.exitStatus, EXIT_ERROR);
    EXPECT_EQ(ReadText(m_folder / "irn" / "summary.json"), "old");
    namespace fs = std::filesystem;
    EXPECT_EQ(std::distance(fs::directory_iterator(m_folder), fs::directory_iterator()), 1);
}
