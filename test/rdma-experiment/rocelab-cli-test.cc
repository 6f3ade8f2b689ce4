// SPDX-License-Identifier: GPL-2.0-only

#include "rocelab-cli-fixture.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace ns3::rdma;

TEST_F(RocelabCli, AnswersABadCommandLineWithOneLine)
{
    WriteFile("s.json", GOOD_SCENARIO);
    ExpectBadInput({}, "expected a command: run, check, list, perftest, nccl, measure, ");
    ExpectBadInput({"runn", "s.json"}, "expected a command (nearest: run), got \"runn\"");
    ExpectBadInput({"all_reduce_perf", "-b", "8"},
                   "expected nccl all_reduce_perf, got the command");
    ExpectBadInput({"ib_write_bw"},
                   "expected perftest ib_write_bw, got the command \"ib_write_bw\"");
    ExpectBadInput({"run"}, "scenario is required");
    ExpectBadInput({"run", "s.json", "s.json"}, "The following argument was not expected: s.json");
    ExpectBadInput({"run", "s.json", "--sede", "3"}, "expected an option of run (nearest: --seed");
    ExpectBadInput({"run", "s.json", "--sede=3"}, "expected an option of run (nearest: --seed");
    ExpectBadInput({"run", "s.json", "--seed", "18446744073709551616"}, "--seed: expected a whole");
    ExpectBadInput({"run", "s.json", "--jobs", "-1"}, "--jobs: ");
    ExpectBadInput({"run", "s.json", "--jobs", "99999999999999999999"}, "--jobs: ");
    ExpectBadInput({"run", "s.json", "--out", ""}, "--out: expected a value, got an empty text");
    ExpectBadInput({"run", "s.json", "--set", "seed"}, "--set seed: expected PATH=VALUE");
    ExpectBadInput({"run", "s.json", "--set", "run={\"seed\": 1, \"seed\": 2}"},
                   "--set run={\"seed\": 1, \"seed\": 2}: $.seed: expected each key once");
    ExpectBadInput({"run", "no\nfile.json"}, "no?file.json: expected a readable scenario file");
    ExpectBadInput({"run", "/dev/zero"}, "/dev/zero:1: expected a scenario file, got a NUL byte");
    ExpectBadInput({"run", "s.json", "--seed", "-1"}, "--seed: expected a whole number");
    ExpectBadInput({"run", "s.json", "--jobs", "0"}, "--jobs: ");
    ExpectBadInput({"run", "no.json"}, "no.json: expected a readable scenario file");
    ExpectBadInput({"run", "s.json", "--set", "fabric.servers=x"}, "s.json: $.fabric.servers: ");
    ExpectBadInput({"run", "s.json", "--nic", "srnik"}, "--nic: expected a NIC of the scenario");
    ExpectBadInput({"run", "s.json", "--plugin", "no.so"}, "--plugin no.so: expected a plug-in");
    ExpectBadInput({"check", "s.json", "--set", "name=../x"}, "s.json: $.name: expected");
    ExpectBadInput({"list", "nics"}, "topic: nics not in");
    ExpectBadInput({"list", "pipeline"}, "list pipeline: expected --nic PRESET, got none");
    ExpectBadInput({"list", "pipeline", "--nic", "srnc"},
                   "list pipeline: --nic[0].preset: expected a NIC preset (nearest: srnic");
    ExpectBadInput({"list", "presets", "--json"},
                   "list: --json: expected the topic attributes, columns, keys, measurements or "
                   "pipeline");
    ExpectBadInput({"list", "--json"}, "list: --json: expected the topic attributes");
    ExpectBadInput({"list", "types", "--nic", "srnic"},
                   "list: --nic: expected a topic that is about a NIC");
}

TEST_F(RocelabCli, RefusesAnOutputFolderThatCannotBeWritten)
{
    WriteFile("s.json", GOOD_SCENARIO);
    WriteFile("file", "");
    ExpectBadInput({"run", "s.json", "--out", "file"},
                   "file/small/irn: expected a folder that can");
    ExpectBadInput({"run", "s.json", "--out", "/proc/none"}, "/proc/none/small: expected a folder");
}

TEST_F(RocelabCli, FailsIfItsOutputIsFull)
{
    WriteFile("s.json", GOOD_SCENARIO);
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"run", "s.json"}, {"check", "s.json"}, {"list"}, {"--help"}})
    {
        const Ending ending = Wait(Start(arguments, "/dev/full"));
        EXPECT_EQ(ending.status, EXIT_ERROR) << arguments.front();
        EXPECT_EQ(ending.error.rfind("rocelab: standard output: cannot be written", 0), 0U)
            << ending.error;
        EXPECT_EQ(std::count(ending.error.begin(), ending.error.end(), '\n'), 1);
    }
    EXPECT_FALSE(ReadText(m_folder / "results/small/srnic/summary.json").empty());
}

TEST_F(RocelabCli, WritesResultsWithoutReaderOfItsLines)
{
    WriteFile("s.json", GOOD_SCENARIO);
    const auto pipe = m_folder / "pipe";
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    const int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    const int writer = open(pipe.c_str(), O_WRONLY | O_CLOEXEC);
    close(reader);
    // The program gets this writer, of a pipe that has no reader any more.
    const Ending ending = Wait(Start({"run", "s.json", "--jobs", "1"}, "", writer));
    close(writer);
    EXPECT_EQ(ending.status, EXIT_GOOD) << ending.error;
    EXPECT_EQ(ending.error, "");
    EXPECT_FALSE(ReadText(m_folder / "results/small/srnic/summary.json").empty());
}

TEST_F(RocelabCli, EndsAtOnceOnASignalBeforeAnythingRuns)
{
    WriteFile("s.cdf", "1 0\n2 1\n");
    WriteFile("s.json", GOOD_SCENARIO);
    // Reads its scenario from a pipe whose writer says nothing.
    const auto pipe = m_folder / "pipe";
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    for (const int signal : {SIGTERM, SIGINT})
    {
        const pid_t id = Start({"run", "pipe"});
        const int writer = open(pipe.c_str(), O_WRONLY | O_CLOEXEC); // Waits for the reader.
        kill(id, signal);
        const Ending ending = Wait(id);
        close(writer);
        EXPECT_EQ(ending.status, EXIT_INTERRUPTED);
        EXPECT_EQ(ending.error, "rocelab: interrupted\n");
    }
    EXPECT_FALSE(std::filesystem::exists(m_folder / "results"));
}

TEST_F(RocelabCli, StartsAWorkloadWhoseFlowsCannotBeCounted)
{
    WriteFile("s.cdf", "1 0\n2 1\n");
    WriteFile("s.json", GOOD_SCENARIO);
    const pid_t id = Start(
        {"run",
         "s.json",
         "--nic",
         "irn",
         "--set",
         R"(workload={"type": "poisson", "sizes": "s.cdf", "load": 0.5, "duration": "1000000s"})"});
    WaitForProcessorTime(id);
    kill(id, SIGTERM); // While they are counted, or the first of them run.
    const Ending ending = Wait(id);
    EXPECT_EQ(ending.status, EXIT_INTERRUPTED);
    EXPECT_EQ(ending.error.rfind("rocelab: interrupted", 0), 0U) << ending.error;
}

TEST_F(RocelabCli, RunsInALimitedAddressSpace)
{
#ifdef __SANITIZE_ADDRESS__
    GTEST_SKIP() << "the address sanitizer reserves terabytes";
#endif
    WriteFile("s.json", GOOD_SCENARIO);
    constexpr rlim_t KIB{1024};
    for (const rlim_t kib : {rlim_t{8'000'000}, rlim_t{1'000'000}})
    {
        rlimit before{};
        getrlimit(RLIMIT_AS, &before);
        const rlimit limit{kib * KIB, before.rlim_max};
        ASSERT_EQ(setrlimit(RLIMIT_AS, &limit), 0);
        const pid_t id = Start({"run", "s.json"});
        setrlimit(RLIMIT_AS, &before);
        const Ending ending = Wait(id);
        EXPECT_EQ(ending.status, EXIT_GOOD) << ending.error;
        EXPECT_EQ(ending.error, "");
    }
}

TEST_F(RocelabCli, DistinguishesScenariosByTheirHash)
{
    WriteFile("s.cdf", "1 0\n2000 1\n");
    WriteFile("s.json", GOOD_SCENARIO);
    const std::string poisson =
        R"(workload={"type": "poisson", "sizes": "s.cdf", "load": 0.5, "duration": "2us"})";
    const auto getHash = [&](const std::vector<std::string>& more) {
        std::vector<std::string> arguments{"run", "s.json", "--nic", "irn", "--set", poisson};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const Ending ending = Run(arguments);
        EXPECT_EQ(ending.status, EXIT_GOOD) << ending.error;
        const auto text = ReadText(m_folder / "results/small" / "irn/scenario.json");
        return nlohmann::json::parse(text)["rocelab"]["scenario"]["hash"].get<std::string>();
    };
    const std::string hash = getHash({});
    EXPECT_EQ(hash.size(), 16U);
    EXPECT_EQ(getHash({}), hash);
    EXPECT_EQ(getHash({"--nic", "srnic"}), hash);
    EXPECT_EQ(getHash({"--set", "nics[0]={\"preset\": \"irn\", \"hardware\": \"on\"}"}), hash);
    EXPECT_NE(getHash({"--seed", "2"}), hash);
    EXPECT_NE(getHash({"--set", "fabric.pfc=true"}), hash);
    EXPECT_NE(getHash({"--set", "attributes.ns3::rdma::RdmaNic::Ipv6=true"}), hash);
    WriteFile("s.cdf", "1 0\n2001 1\n");
    EXPECT_NE(getHash({}), hash); // Another content of the same name.
}

TEST_F(RocelabCli, SaysThatMeansAreOfFinishedFlowsOnly)
{
    WriteFile("s.json", GOOD_SCENARIO);
    const Ending ending = Run({"run",
                               "s.json",
                               "--nic",
                               "irn",
                               "--set",
                               R"(linkEvents=[{"at": "0us", "link": [1, 4], "state": "down"}])",
                               "--set",
                               "run.stallLimit=10ms"});
    EXPECT_EQ(ending.output.rfind("irn: 1 of 2 flows completed, of these only: FCT mean ", 0), 0U)
        << ending.output;
}

TEST_F(RocelabCli, ChecksAndListsWithoutWriting)
{
    WriteFile("s.json", GOOD_SCENARIO);
    const Ending check = Run({"check", "s.json", "--seed", "9"});
    EXPECT_EQ(check.status, EXIT_GOOD) << check.error;
    EXPECT_EQ(nlohmann::json::parse(check.output)["run"]["seed"], 9);
    const Ending list = Run({"list", "presets"});
    EXPECT_NE(list.output.find("srnic"), std::string::npos);
    EXPECT_EQ(list.error, "");
    for (const char* topic : {"topologies", "workloads", "types", "attributes"})
    {
        EXPECT_EQ(Run({"list", topic}).status, EXIT_GOOD) << topic;
    }
    EXPECT_FALSE(std::filesystem::exists(m_folder / "results"));
}

TEST_F(RocelabCli, WritesTheSameBytesTwice)
{
    WriteFile("s.json", GOOD_SCENARIO);
    const Ending once = Run({"run", "s.json"});
    ASSERT_EQ(once.status, EXIT_GOOD) << once.error;
    EXPECT_EQ(once.error, "");
    EXPECT_EQ(std::count(once.output.begin(), once.output.end(), '\n'), 2); // One line per NIC.
    const Ending again = Run({"run", "s.json", "--out", "again", "--jobs", "1", "--quiet"});
    ASSERT_EQ(again.status, EXIT_GOOD);
    EXPECT_EQ(again.output + again.error, "");
    for (const char* file : {"irn/flows.csv", "irn/scenario.json", "srnic/flows.csv"})
    {
        const std::string text = ReadText(m_folder / "results/small" / file);
        EXPECT_FALSE(text.empty());
        EXPECT_EQ(text, ReadText(m_folder / "again/small" / file));
    }
}

TEST_F(RocelabCli, CapturesWithoutAChangeOfResults)
{
    WriteFile("s.json", GOOD_SCENARIO);
    ASSERT_EQ(Run({"run", "s.json"}).status, EXIT_GOOD);
    const Ending ending =
        Run({"run", "s.json", "--out", "tap", "--pcap", "--pcap-hosts", "0,3", "--pcap-headers"});
    ASSERT_EQ(ending.status, EXIT_GOOD) << ending.error;
    for (const std::string nic : {"irn", "srnic"})
    {
        const auto tapped = m_folder / "tap/small" / nic;
        EXPECT_EQ(ReadText(tapped / "flows.csv"),
                  ReadText(m_folder / "results/small" / nic / "flows.csv"));
        std::set<std::string> files;
        for (const auto& entry : std::filesystem::directory_iterator(tapped))
        {
            files.insert(entry.path().filename().string());
        }
        EXPECT_EQ(files,
                  (std::set<std::string>{"flows.csv",
                                         "host-0.pcap",
                                         "host-3.pcap",
                                         "scenario.json",
                                         "summary.json"}));
    }
}

TEST_F(RocelabCli, RefusesCapturesThatCannotBe)
{
    WriteFile("s.json", GOOD_SCENARIO);
    ExpectBadInput({"run", "s.json", "--pcap", "--pcap-hosts", "4"}, "--pcap-hosts: expected node");
    ExpectBadInput({"run", "s.json", "--pcap", "--pcap-qps", "two"}, "--pcap-qps: expected");
    ExpectBadInput({"run", "s.json", "--pcap", "--pcap-opcodes", "x"}, "--pcap-opcodes: expected");
    for (const char* option : {"--pcap-hosts=0", "--pcap-qps=2", "--pcap-opcodes=4"})
    {
        const std::string name = std::string(option).substr(0, std::string(option).find('='));
        ExpectBadInput({"run", "s.json", option}, name + " requires --pcap");
    }
    ExpectBadInput({"run", "s.json", "--pcap-headers"}, "--pcap-headers requires --pcap");
}

TEST_F(RocelabCli, EndsARunThatCannotFinishAtItsStallLimit)
{
    WriteFile("s.json", GOOD_SCENARIO);
    const Ending ending = Run({"run",
                               "s.json",
                               "--nic",
                               "irn",
                               "--set",
                               "run.stallLimit=10ms",
                               "--set",
                               R"(linkEvents=[{"at": "0us", "link": [1, 4], "state": "down"}])"});
    EXPECT_EQ(ending.status, EXIT_STALLED) << ending.error;
    EXPECT_EQ(ending.error.rfind("rocelab: irn: flow 0 from 0 to 1 (1000 bytes) ", 0), 0U)
        << ending.error;
    const auto summary =
        nlohmann::json::parse(ReadText(m_folder / "results/small/irn/summary.json"));
    EXPECT_EQ(summary["flows"]["completed"], 1);
}

TEST_F(RocelabCli, KeepsFinishedFlowsOnCtrlC)
{
    WriteFile("s.cdf", "1000 0\n2000 1\n");
    WriteFile("s.json", GOOD_SCENARIO);
    const pid_t id = Start(
        {"run",
         "s.json",
         "--set",
         R"(workload={"type": "poisson", "sizes": "s.cdf", "load": 0.9, "duration": "200ms"})"});
    WaitForFlows();
    kill(id, SIGINT);
    const Ending ending = Wait(id);
    EXPECT_EQ(ending.status, EXIT_INTERRUPTED) << ending.error;
    EXPECT_EQ(ending.error.rfind("rocelab: interrupted; irn: ", 0), 0U) << ending.error;
    EXPECT_EQ(std::count(ending.error.begin(), ending.error.end(), '\n'), 1);
    const auto summary =
        nlohmann::json::parse(ReadText(m_folder / "results/small/irn/summary.json"));
    EXPECT_EQ(summary["partial"], true);
    EXPECT_GT(summary["flows"]["completed"], 0);
}

TEST_F(RocelabCli, EstimatesTheCostOfEachNicAndSeed)
{
    WriteFile("s.json", GOOD_SCENARIO);
    const Ending ending = Run({"check", "s.json", "--cost", "--seeds", "3,4"});
    ASSERT_EQ(ending.status, EXIT_GOOD) << ending.error;
    const auto json = nlohmann::json::parse(ending.output);
    EXPECT_EQ(json["scenario"], nlohmann::json::parse(Run({"check", "s.json"}).output));
    ASSERT_EQ(json["costs"].size(), 4);
    // Flows of 1 and 977 packets (1e6 / 1024), as many acknowledgments, two links.
    const nlohmann::json last{{"nic", "srnic"},
                              {"seed", 4},
                              {"flows", 2},
                              {"packets", 978},
                              {"packet_hops", 978 * 2 * 2},
                              {"other_traffic", false},
                              // 3,912 hops at 5.8 million per second are 0.67 ms, rounded to 1 ms.
                              {"processor_seconds", 0.001},
                              {"not_counted", nlohmann::json::array()}};
    EXPECT_EQ(json["costs"][3], last);
    EXPECT_EQ(json["costs"][1]["nic"], "irn");
    ExpectBadInput({"check", "s.json", "--seeds", "3"}, "--seeds requires --cost");
    ExpectBadInput({"check", "s.json", "--cost", "--seeds", "3,-1"},
                   "--seeds: expected a whole number");
    ExpectBadInput({"check", "s.json", "--ranks", "2"},
                   "s.json: $.fabric: expected at most 1 rank");
}

TEST_F(RocelabCli, PathsStartWhereBaseSays)
{
    std::filesystem::create_directory(m_folder / "there");
    WriteFile("there/sizes.cdf", "0 0\n1000 1\n");
    WriteFile("s.json", GOOD_SCENARIO);
    const std::vector<std::string> check{
        "check",
        "s.json",
        "--set",
        R"(workload={"type": "poisson", "sizes": "sizes.cdf", "load": 0.5, "duration": "1us"})"};
    ExpectBadInput(check, "s.json: $.workload.sizes: expected a file beside the scenario file");
    std::vector<std::string> based = check;
    based.insert(based.end(), {"--base", "there", "--cost"});
    const Ending ending = Run(based);
    ASSERT_EQ(ending.status, EXIT_GOOD) << ending.error;
    EXPECT_EQ(nlohmann::json::parse(ending.output)["files"].count("sizes.cdf"), 1);
}

TEST_F(RocelabCli, HandsCommandsOfThePythonPackageToIt)
{
    ExpectBadInput({"sweep", "none.json"}, "none.json: expected a file, got nothing of that name");
    ExpectBadInput({"sweep"}, "command line: the following arguments are required: FILE");
    ExpectBadInput({"report", "none"},
                   "none: expected a folder RESULTS/<scenario name>, got no folder");
    ExpectBadInput({"diff", "none"}, "command line: the following arguments are required: B");
}
