// SPDX-License-Identifier: GPL-2.0-only

// A scenario with a list of workloads: arrivals, numbers, times and results of each.

#include "../test-files.h"
#include "workload-list-fixture.h"

#include "ns3/flow-number.h"
#include "ns3/flow-rerun.h"
#include "ns3/scenario-digest.h"
#include "ns3/scenario-writer.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{

TEST_F(WorkloadListTest, ArrivalsOfAWorkloadDoNotDependOnTheOthers)
{
    const auto alone = FindArrivals(ReadList({POISSON})).at("background");
    // 8 servers at 0.3 of 100 Gb/s for 100 us, flows of 10.5 kB on average: about 286.
    EXPECT_GT(alone.size(), 200U);
    const Json other = With(POISSON, {{"name", "other"}, {"load", 0.5}});
    for (const auto& list : std::vector<std::vector<Json>>{{POISSON, INCAST},
                                                           {INCAST, POISSON},
                                                           {other, POISSON, GRAPH},
                                                           {GETS, POISSON}})
    {
        EXPECT_EQ(FindArrivals(ReadList(list)).at("background"), alone);
    }
}

TEST_F(WorkloadListTest, TheNameMakesTheRandomNumbers)
{
    const auto two = FindArrivals(ReadList({POISSON, With(POISSON, {{"name", "other"}})}));
    EXPECT_NE(two.at("background"), two.at("other"));
    const auto renamed = FindArrivals(ReadList({With(POISSON, {{"name", "other"}})}));
    EXPECT_EQ(renamed.at("other"), two.at("other"));
    const auto reseeded = FindArrivals(ReadList({POISSON}, {{"seed", 2}}));
    EXPECT_NE(reseeded.at("background"), two.at("background"));
}

TEST_F(WorkloadListTest, NamedAfterItsTypeAWorkloadIsTheSameAsAlone)
{
    Json alone = MakeJson({});
    alone.erase("workloads");
    alone["workload"] = POISSON;
    alone["workload"].erase("name");
    const Outcome one = Run(Read(alone.dump()));
    const Outcome list = Run(ReadList({With(POISSON, {{"name", "poisson"}})}));
    std::istringstream rows(one.flows);
    std::string expected;
    for (std::string line; std::getline(rows, line);)
    {
        expected += (expected.empty() ? "workload," : "poisson,") + line + "\n";
    }
    EXPECT_EQ(list.flows, expected);
    EXPECT_EQ(list.summary["slowdown"], one.summary["slowdown"]);
}

TEST_F(WorkloadListTest, StartAndEndHoldToThePicosecond)
{
    const Json list{{"name", "two"},
                    {"type", "flows"},
                    {"start", "7001ps"},
                    {"flows",
                     {{{"src", 0}, {"dst", 1}, {"bytes", 1}, {"start", "0us"}},
                      {{"src", 0}, {"dst", 1}, {"bytes", 1}, {"start", "1us"}}}}};
    const auto starts = [this](const Json& workload) {
        std::vector<int64_t> found;
        const auto arrivals = FindArrivals(ReadList({workload}));
        for (const Arrival& one : arrivals.at("two"))
        {
            found.push_back(std::get<3>(one));
        }
        return found;
    };
    EXPECT_EQ(starts(list), (std::vector<int64_t>{7001, 1'007'001}));
    // The second one starts at 1,007,001 ps: an end at that time leaves it out.
    EXPECT_EQ(starts(With(list, {{"end", "1007001ps"}})), (std::vector<int64_t>{7001}));
    EXPECT_EQ(starts(With(list, {{"end", "1007002ps"}})), (std::vector<int64_t>{7001, 1'007'001}));
    const Outcome run = Run(ReadList({list}));
    EXPECT_NE(run.flows.find("two,0,0,1,1,7.001,"), std::string::npos) << run.flows;
    EXPECT_NE(run.flows.find("two,1,0,1,1,1007.001,"), std::string::npos) << run.flows;
}

TEST_F(WorkloadListTest, TimesOfAPoissonWorkloadCountFromItsStart)
{
    const auto early = FindArrivals(ReadList({POISSON})).at("background");
    auto late = FindArrivals(ReadList({With(POISSON, {{"start", "50us"}})})).at("background");
    for (Arrival& one : late)
    {
        std::get<3>(one) -= 50'000'000;
    }
    EXPECT_EQ(late, early);
    EXPECT_EQ(ReadList({With(POISSON, {{"start", "50us"}})}).workloads[0]->GetLastTime(),
              MicroSeconds(150));
    EXPECT_EQ(
        ReadList({With(POISSON, {{"start", "50us"}, {"end", "60us"}})}).workloads[0]->GetLastTime(),
        MicroSeconds(60));
}

TEST_F(WorkloadListTest, AGraphBeginsAtItsStartAndBeginsNothingAtItsEnd)
{
    const auto rows = [this](const Json& changes) {
        return FindRows(Run(ReadList({With(GRAPH, changes)})).flows, "ring");
    };
    const auto whole = rows({{"start", "3001ps"}});
    ASSERT_EQ(whole.size(), 3U);
    EXPECT_EQ(whole.at(0).rfind("0,0,1,5000,3.001,", 0), 0U) << whole.at(0);
    // The start of the second operation is a number of ps, which the third field after the bytes
    // states in ns.
    const std::string second = whole.at(1).substr(std::string("1,1,2,5000,").size());
    const auto startPs = std::llround(std::stod(second.substr(0, second.find(','))) * 1000);
    const auto cut = [&](int64_t end) {
        return rows({{"start", "3001ps"}, {"end", std::to_string(end) + "ps"}}).size();
    };
    EXPECT_EQ(cut(startPs), 1U);
    EXPECT_EQ(cut(startPs + 1), 2U);
    EXPECT_EQ(Run(ReadList({With(GRAPH, {{"end", "1ns"}}), INCAST})).summary["flows"]["completed"],
              11); // One operation and two rounds of five flows.
}

TEST_F(WorkloadListTest, TheSummariesOfWorkloadsAddUpToTheWhole)
{
    const Outcome run = Run(ReadList({POISSON, INCAST, GRAPH, GETS}));
    const Json& workloads = run.summary["workloads"];
    EXPECT_EQ(workloads.size(), 4U);
    for (const char* key : {"started", "completed", "failed", "stalled"})
    {
        uint64_t sum = 0;
        for (const auto& [name, part] : workloads.items())
        {
            sum += part["flows"][key].get<uint64_t>();
        }
        EXPECT_EQ(sum, run.summary["flows"][key]) << key;
    }
    EXPECT_EQ(workloads["incast"]["flows"]["completed"], 10);
    EXPECT_EQ(workloads["ring"]["flows"]["started"], 3);
    EXPECT_EQ(workloads["gets"]["flows"]["started"], 0);
    EXPECT_EQ(workloads["gets"]["rpc"]["status"]["wrong"], 0);
    EXPECT_FALSE(run.summary.contains("rpc"));
    double weighted = 0;
    for (const auto& [name, part] : workloads.items())
    {
        if (part["flows"]["completed"] > 0)
        {
            weighted +=
                part["fct_us"]["mean"].get<double>() * part["flows"]["completed"].get<double>();
        }
    }
    EXPECT_NEAR(weighted / run.summary["flows"]["completed"].get<double>(),
                run.summary["fct_us"]["mean"].get<double>(),
                1e-6);
    // Flows are numbered from 0 in each workload.
    EXPECT_EQ(FindRows(run.flows, "incast").size(), 10U);
    EXPECT_EQ(FindRows(run.flows, "ring").rbegin()->first, 2);
}

TEST_F(WorkloadListTest, TheIdealOfAFlowDoesNotDependOnOtherWorkloads)
{
    // In a fat-tree the path of a flow follows from its entropy, and its ideal from the path.
    const auto rows = [this](const std::vector<Json>& list) {
        Json json = MakeJson(list);
        json["fabric"] = {{"topology", "fat-tree"}, {"servers", 64}, {"hostRate", "100Gbps"}};
        std::map<int, std::string> found;
        for (const auto& [number, row] : FindRows(Run(Read(json.dump())).flows, "incast"))
        {
            std::istringstream cells(row);
            std::string cell;
            for (int i = 0; i < 7; ++i)
            {
                std::getline(cells, cell, ',');
            }
            found[number] = cell; // ideal_ns
        }
        return found;
    };
    const Json wide = With(INCAST, {{"senders", 40}});
    EXPECT_EQ(rows({wide}), rows({POISSON, wide}));
}

TEST_F(WorkloadListTest, PrecisionIsThatOfTheRandomArrivalsBetweenAllServers)
{
    const Json longer = With(POISSON, {{"duration", "20ms"}});
    const Json frequent = With(INCAST, {{"repeats", 600}});
    const Outcome run = Run(ReadList({longer, frequent}, {{"precision", 0.2}, {"warmup", "20us"}}));
    ASSERT_TRUE(run.report.precision);
    EXPECT_TRUE(run.report.precision->isReached);
    uint64_t counted = 0;
    for (const auto& [number, row] : FindRows(run.flows, "background"))
    {
        std::istringstream text(row);
        std::vector<std::string> cells;
        for (std::string cell; std::getline(text, cell, ',');)
        {
            cells.push_back(cell);
        }
        const bool isDone = cells.back() == "completed";
        counted += isDone && std::stod(cells[4]) + std::stod(cells[5]) >= 20'000 ? 1 : 0;
    }
    EXPECT_EQ(run.report.precision->flows, static_cast<int64_t>(counted));
}

TEST_F(WorkloadListTest, WithoutDrainARunEndsWhenTheTimeOfItsLastWorkloadIsOver)
{
    const Json late = With(POISSON, {{"name", "late"}, {"start", "30us"}, {"end", "120us"}});
    const Outcome run = Run(ReadList({POISSON, late, INCAST}, {{"drain", false}}));
    EXPECT_EQ(run.report.simulatedPs, 120'000'000); // The latest of 100 us and 120 us.
}

TEST_F(WorkloadListTest, AFluidStartIsThatOfAllWorkloads)
{
    const Scenario scenario = ReadList({POISSON, INCAST}, {{"fluidStart", "11us"}});
    RunInput input(scenario);
    FlowSource& flows = *input.StartRunFlows();
    std::map<uint32_t, uint64_t> reduced;
    while (const auto flow = flows.Next())
    {
        reduced[flow->workload] += flow->fluidBytes > 0 ? 1 : 0;
    }
    EXPECT_GT(reduced[0], 0U);
    EXPECT_EQ(reduced[1], 5U); // The first round, 1 us old.
    EXPECT_EQ(Run(scenario).summary["workloads"]["incast"]["flows"]["completed"], 10);
}

TEST_F(WorkloadListTest, TheResolvedScenarioReadsTheSame)
{
    Json json = MakeJson({POISSON, With(INCAST, {{"end", "1ms"}}), GRAPH, GETS});
    json["series"] = {{"flows", {{{"workload", "incast"}, {"flow", 3}}, {{"workload", "ring"}}}}};
    const std::string once = WriteScenario(Read(json.dump()));
    EXPECT_EQ(WriteScenario(Read(once)), once);
    const Json read = Json::parse(once);
    EXPECT_EQ(read["workloads"][0]["name"], "background");
    EXPECT_EQ(read["workloads"][0]["start"], "0ps");
    EXPECT_EQ(read["workloads"][1]["end"], "1ms");
    EXPECT_FALSE(read.contains("workload"));
}

TEST_F(WorkloadListTest, SeriesOfFlowsNameTheirWorkloads)
{
    Json json = MakeJson({POISSON, With(INCAST, {{"bytes", "500kB"}})});
    json["series"] = {{"interval", "10us"},
                      {"what", {"rate"}},
                      {"flows", {{{"workload", "incast"}, {"flow", 3}}}}};
    const Scenario scenario = Read(json.dump());
    std::ostringstream flows;
    FlowLog log(flows, GetWorkloadNames(scenario));
    SimulationRun run(scenario, scenario.nics.front());
    run.Run(log, [](const RunProgress&) { return true; });
    run.WriteSeries(m_folder);
    std::istringstream text(ReadText(m_folder / "rate.csv"));
    std::string line;
    std::getline(text, line);
    EXPECT_EQ(line.rfind("workload,time_ns,flow,", 0), 0U) << line;
    int rows = 0;
    while (std::getline(text, line))
    {
        EXPECT_EQ(line.rfind("incast,", 0), 0U) << line;
        EXPECT_NE(line.find(",3,"), std::string::npos) << line;
        ++rows;
    }
    EXPECT_GT(rows, 3);
}

TEST_F(WorkloadListTest, AFlowOfAWorkloadIsExplained)
{
    const Scenario scenario = ReadList({POISSON, INCAST});
    const auto folder = m_folder / "irn";
    std::filesystem::create_directory(folder);
    std::ofstream(folder / "flows.csv") << Run(scenario).flows;
    std::ofstream(folder / "scenario.json")
        << WriteRunScenario(scenario, scenario.nics.front(), MakeDigest(scenario));
    RecordedRunOptions options;
    options.folder = folder.string();
    options.baseDirectory = m_folder.string();
    const RecordedRun run(options);
    const uint64_t flow = run.FindFlow(7, "incast");
    EXPECT_EQ(flow, flow_number::Make(1, 7));
    const RerunOutcome outcome = RepeatRun(run, flow, [](const RunProgress&) {});
    ASSERT_EQ(outcome.flows.size(), 1U);
    EXPECT_EQ(outcome.flows[0].record.flow, flow);
    EXPECT_NE(GetInputError([&] { run.FindFlow(7, ""); }).find("--workload: expected the workload"),
              std::string::npos);
    EXPECT_NE(GetInputError([&] { run.FindFlow(7, "incats"); }).find("(nearest: incast"),
              std::string::npos);
}

TEST_F(WorkloadListTest, AFailedFlowIsNamedWithItsWorkload)
{
    Json json = MakeJson({INCAST});
    json["linkEvents"] = {{{"at", "11us"}, {"link", {0, 8}}, {"state", "down"}}};
    json["run"] = {{"stallLimit", "100us"}};
    const Scenario scenario = Read(json.dump());
    std::ostringstream flows;
    FlowLog log(flows, GetWorkloadNames(scenario));
    SimulationRun run(scenario, scenario.nics.front());
    run.Run(log, [](const RunProgress&) { return true; });
    ASSERT_FALSE(log.GetTroubles().empty());
    EXPECT_NE(log.GetTroubles()[0].find(" of incast from "), std::string::npos)
        << log.GetTroubles()[0];
}

TEST(FlowNumber, KeepsWorkloadAndNumber)
{
    const uint64_t flow = flow_number::Make(3, 12);
    EXPECT_EQ(flow_number::GetWorkload(flow), 3U);
    EXPECT_EQ(flow_number::GetLocal(flow), 12U);
    EXPECT_EQ(flow_number::Make(0, 12), 12U);
    EXPECT_LT(flow, flow_number::Make(4, 0));
    EXPECT_EQ(flow_number::Describe(12, {}), "flow 12");
    EXPECT_EQ(flow_number::Describe(flow, {"a", "b", "c", "d"}), "flow 12 of d");
}

} // namespace
