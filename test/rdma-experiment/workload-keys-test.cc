// SPDX-License-Identifier: GPL-2.0-only

// Bad input of "workloads", "plugins" and what refers to workloads: one line each.

#include "ns3/workload-keys.h"

#include "../test-files.h"
#include "scenario-fixture.h"

#include <nlohmann/json.hpp>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

constexpr const char* LIST_SCENARIO{R"({
  "name": "list",
  "fabric": {"topology": "star", "servers": 8, "hostRate": "100Gbps", "linkDelay": "1us"},
  "groups": {"stores": [0, 1], "clients": [6, 7]},
  "nics": ["irn"],
  "workloads": [
    {"name": "background", "type": "poisson", "sizes": "sizes.cdf", "load": 0.3,
     "duration": "100us"},
    {"name": "incast", "type": "incast", "senders": 5, "bytes": "20kB"},
    {"name": "gets", "type": "rpc", "clients": "clients", "servers": "stores", "request": "read",
     "keys": 100, "valueBytes": "64B", "duration": "60us", "warmup": "10us"},
    {"name": "messages", "type": "streams",
     "streams": [{"sender": 2, "receiver": 3, "messageBytes": "4KiB"}],
     "duration": "50us", "warmup": "10us", "cooldown": "10us"}]
})"};

class WorkloadKeysTest : public FolderTest
{
  protected:
    WorkloadKeysTest()
    {
        WriteFile("sizes.cdf", "1000 0\n20000 100\n");
        WriteFile("text.so", "no library\n");
    }

    /// @return what is wrong, without the name of the file.
    std::string FindFault(const std::vector<std::string>& sets) const
    {
        ScenarioChanges changes;
        changes.sets = sets;
        const std::string file = (m_folder / "s.json").string();
        const std::string error = GetInputError([&] { Read(LIST_SCENARIO, changes); });
        EXPECT_EQ(error.find('\n'), std::string::npos) << error;
        EXPECT_EQ(error.rfind(file + ": ", 0), 0U) << error;
        return error.substr(std::min(error.size(), file.size() + 2));
    }
};

struct FaultCase
{
    std::vector<std::string> sets;
    const char* message;
};

const FaultCase FAULTS[]{
    // The list itself.
    {{"workloads=[]"}, "$.workloads: expected 1 to 1024 workloads, got 0"},
    {{"workloads={}"}, "$.workloads: expected a list, got"},
    {{"workloads=null"}, "$.workloads: expected a list, got null"},
    {{"workloads=3"}, "$.workloads: expected a list, got 3"},
    {{"workloads=poisson"}, "$.workloads: expected a list, got \"poisson\""},
    {{"workloads[0]=3"}, "$.workloads[0]: expected an object, got 3"},
    {{"workloads[1]=null"}, "$.workloads[1]: expected an object, got null"},
    {{"workloads[1]=[]"}, "$.workloads[1]: expected an object, got"},
    {{"workloads[1]={}"}, "$.workloads[1]: expected a key \"name\", got none"},
    {{R"(workloads=[{"type": "incast", "senders": 2, "bytes": 1}])"},
     "$.workloads[0]: expected a key \"name\", got none"},
    {{R"(workloads=[{"name": "a"}])"}, "$.workloads[0]: expected a key \"type\", got none"},
    {{R"(workloads=[{"name": "a", "type": "incats"}])"}, "$.workloads[0].type: expected one of"},
    {{R"(workloads=[{"name": "a", "type": 3}])"}, "$.workloads[0].type: expected one of"},
    // Names.
    {{"workloads[1].name=background"},
     "$.workloads[1].name: expected a name of its own for each workload, got \"background\" again"},
    {{"workloads[3].name=gets"},
     "$.workloads[3].name: expected a name of its own for each workload, got \"gets\" again"},
    {{R"(workloads[0].name="")"}, "$.workloads[0].name: expected a name that begins with a letter"},
    {{"workloads[0].name=3"}, "$.workloads[0].name: expected a string"},
    {{"workloads[0].name=null"}, "$.workloads[0].name: expected a string"},
    {{"workloads[0].name=[]"}, "$.workloads[0].name: expected a string"},
    {{"workloads[0].name=3rd"}, "$.workloads[0].name: expected a name that begins with a letter"},
    {{"workloads[0].name=two words"}, "$.workloads[0].name: expected a name that begins with"},
    {{"workloads[0].name=a,b"}, "$.workloads[0].name: expected a name that begins with a letter"},
    {{"workloads[0].name=a/b"}, "$.workloads[0].name: expected a name that begins with a letter"},
    {{"workloads[0].name=a:b"}, "$.workloads[0].name: expected a name that begins with a letter"},
    {{"workloads[0].name=.."}, "$.workloads[0].name: expected a name that begins with a letter"},
    {{R"(workloads[0].name="a\nb")"}, "$.workloads[0].name: expected a name that begins with"},
    {{"workloads[0].name=caf\xc3\xa9"}, "$.workloads[0].name: expected a name that begins with"},
    {{"workloads[0].name=all"}, "$.workloads[0].name: expected a name that begins with a letter"},
    {{"workloads[0].name=aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffggggg"},
     "$.workloads[0].name: expected a name that begins with a letter and has up to 64"},
    // Times.
    {{"workloads[0].start=-1us"}, "$.workloads[0].start: expected a time such as"},
    {{"workloads[0].start=1"}, "$.workloads[0].start: expected a time such as"},
    {{"workloads[0].start=null"}, "$.workloads[0].start: expected a time such as"},
    {{"workloads[0].start=1000001s"}, "$.workloads[0].start: expected a time such as"},
    {{"workloads[0].start=0.5ps"}, "$.workloads[0].start: expected a time such as"},
    {{"workloads[0].end=0us"}, "$.workloads[0].end: expected a time after the start, 0ps"},
    {{"workloads[0].end=-1us"}, "$.workloads[0].end: expected a time such as"},
    {{"workloads[0].end=soon"}, "$.workloads[0].end: expected a time such as"},
    {{"workloads[0].end=[]"}, "$.workloads[0].end: expected a time such as"},
    {{"workloads[1].start=5us", "workloads[1].end=5us"},
     "$.workloads[1].end: expected a time after the start, 5us"},
    {{"workloads[1].start=5us", "workloads[1].end=4999999ps"},
     "$.workloads[1].end: expected a time after the start, 5us"},
    {{"workloads[2].end=10us"}, "$.workloads[2].end: expected a time after the warm-up, 10us"},
    {{"workloads[2].start=30us", "workloads[2].end=40us"},
     "$.workloads[2].end: expected a time after the warm-up, 40us"},
    {{"workloads[3].end=20us"}, "$.workloads[3].end: expected a time after warm-up and cool-down"},
    // Keys that are not there.
    {{"workloads[0].stop=1us"}, "$.workloads[0].stop: expected a known key"},
    {{"workloads[0].strat=1us"}, "$.workloads[0].strat: expected a known key (nearest: start"},
    {{R"(workloads[2].background={"type": "incast"})"},
     R"($.workloads[2].background: expected "workloads": [{"name": "background", ...}, ...])"},
    {{R"(workloads[3].background={"type": "incast"})"},
     R"($.workloads[3].background: expected "workloads": [{"name": "background", ...}, ...])"},
    {{"workloads[0].background=null"},
     R"($.workloads[0].background: expected "workloads": [{"name": "background", ...}, ...])"},
    // What a workload of any place says of itself.
    {{"workloads[0].load=2"}, "$.workloads[0].load: expected a number above 0 and at most 1"},
    {{"workloads[0].sizes=none.cdf"}, "$.workloads[0].sizes: expected a file beside"},
    {{"workloads[1].senders=9"}, "$.workloads[1]: incast: expected 1 to 7 senders"},
    {{"workloads[2].servers=store"}, "$.workloads[2].servers: expected a group of $.groups"},
    {{"workloads[3].streams=[]"}, "$.workloads[3].streams: expected"},
    // Of the run.
    {{R"(run={"fluidStart": "1us"})"},
     "$.run.fluidStart: expected a workload of flows alone with it, got rpc"},
    {{R"(run={"drain": false})", "workloads[1].start=1s"},
     "$.run.drain: expected workloads that start before the run ends without drain, at 100us, got "
     "incast at 1s"},
    {{R"(run={"precision": 0.1, "warmup": "1us"})",
      R"(workloads=[{"name": "a", "type": "incast", "senders": 2, "bytes": 1},
                    {"name": "b", "type": "incast", "senders": 2, "bytes": 1}])"},
     "$.run.precision: expected at least one workload of random arrivals between all servers"},
    {{R"(run={"precision": 0.1, "warmup": "100us"})"},
     "$.run.warmup: expected an end before that of the workload, 100us, got 100us"},
    // Series.
    {{R"(series={"flows": [3]})"},
     R"($.series.flows[0]: expected {"workload": NAME, "flow": NUMBER} or a group, got 3)"},
    {{R"(series={"flows": [{"workload": "incats"}]})"},
     "$.series.flows[0].workload: expected one of"},
    {{R"(series={"flows": [{"flow": 3}]})"},
     "$.series.flows[0]: expected a key \"workload\", got none"},
    {{R"(series={"flows": [{"workload": "incast", "flow": -1}]})"},
     "$.series.flows[0].flow: expected a whole number"},
    {{R"(series={"flows": [{"workload": "incast", "flow": 281474976710656}]})"},
     "$.series.flows[0].flow: expected a whole number"},
    {{R"(series={"flows": [{"workload": "incast", "flows": 1}]})"},
     "$.series.flows[0].flows: expected a known key"},
    // Plug-ins.
    {{"plugins=mine.so"}, "$.plugins: expected a list, got \"mine.so\""},
    {{"plugins=[3]"}, "$.plugins[0]: expected a string"},
    {{R"(plugins=["mine.so"])"}, "$.plugins[0]: expected a file beside the scenario file"},
    {{R"(plugins=[""])"}, "$.plugins[0]: expected a plug-in, got"},
    {{R"(plugins=["text.so"])"}, "$.plugins[0]: expected a plug-in, got"},
    {{R"(plugins=["sizes.cdf"])"}, "$.plugins[0]: expected a plug-in, got"},
};

TEST_F(WorkloadKeysTest, BadInputIsOneLine)
{
    EXPECT_GE(std::size(FAULTS), 60U);
    for (const FaultCase& one : FAULTS)
    {
        const std::string found = FindFault(one.sets);
        EXPECT_EQ(found.rfind(one.message, 0), 0U) << one.sets.front() << "\n  " << found;
    }
}

TEST_F(WorkloadKeysTest, ASettingOfTheFormForOneWorkloadNamesTheElementOfAList)
{
    ScenarioChanges changes;
    changes.sets = {"workload.load=0.5"};
    const std::string error = GetInputError([&] { Read(LIST_SCENARIO, changes); });
    EXPECT_EQ(error,
              "--set workload.load=0.5: expected an element of the scenario's list, such as "
              "workloads[0].load=0.5, got workload");
}

TEST_F(WorkloadKeysTest, AGoodListIsRead)
{
    const Scenario scenario = Read(LIST_SCENARIO);
    EXPECT_TRUE(HasWorkloadList(scenario));
    EXPECT_TRUE(HasTraffic(scenario));
    EXPECT_EQ(GetWorkloadNames(scenario),
              (std::vector<std::string>{"background", "incast", "gets", "messages"}));
    EXPECT_EQ(GetLastTime(scenario), MicroSeconds(100));
    EXPECT_EQ(scenario.workloads[2]->GetPath(), "$.workloads[2]");
    EXPECT_FALSE(HasWorkloadList(ReadChanged({})));
    EXPECT_TRUE(GetWorkloadNames(ReadChanged({})).empty());
}

TEST_F(WorkloadKeysTest, TheSingleFormHasNoKeysOfAList)
{
    for (const std::string key : {"name", "start", "end"})
    {
        const std::string error = GetInputError([&] { ReadChanged({"workload." + key + "=x"}); });
        EXPECT_NE(error.find("$.workload." + key + ": expected a known key"), std::string::npos)
            << error;
    }
}

} // namespace
