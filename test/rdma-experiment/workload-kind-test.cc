// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/workload-kind.h"

#include "ns3/scenario.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

/// @return what a workload writes after it was read.
std::string
ReadAndWrite(const std::string& text)
{
    const auto json = nlohmann::json::parse(text);
    Scenario scenario;
    scenario.groups = {{"clients", {1, 2}}, {"stores", {0}}};
    const auto workload = ReadWorkload(JsonValue(json, "f", "$.workload"), scenario);
    nlohmann::ordered_json written{{"type", workload->GetInfo().name}};
    workload->Write(written);
    return written.dump();
}

} // namespace

TEST(WorkloadKind, EachWritesWhatItHasRead)
{
    const std::string texts[]{
        R"({"type":"poisson","sizes":"x.cdf","load":1.0,"duration":"2ms"})",
        R"({"type":"poisson","sizes":"x.cdf","load":0.5,"duration":"2ms","sources":"clients",)"
        R"("destinations":"stores"})",
        R"({"type":"incast","senders":8,"receiver":3,"bytes":1000,"at":"5us","repeats":10,)"
        R"("period":"100us"})",
        R"({"type":"incast","senders":"clients","receiver":0,"bytes":1,"at":"0ps","repeats":1})",
        R"({"type":"hpcc-trace","file":"flow.txt"})",
        R"({"type":"flows","flows":[{"src":0,"dst":1,"bytes":7,"start":"1us"}]})",
        R"({"type":"graph","file":"ops.json","operation":"read"})",
        R"({"type":"graph","operations":[{"id":"a","src":0,"dst":1,"bytes":7,"delay":"1us"},)"
        R"({"id":"b","src":0,"dst":1,"bytes":7,"after":["a"],"delay":"0ps","queuePair":"q"}]})",
        R"({"type":"graph","operations":[{"id":"1","src":0,"dst":1,"bytes":7,"after":["2"],)"
        R"("delay":"0ps"},{"id":"2","src":1,"dst":0,"bytes":7,"operation":"send","delay":"0ps"}]})",
        R"({"type":"collective","operation":"all-to-all","algorithm":"nccl","size":"2MiB",)"
        R"("library":"none","group":"clients","communicators":1,"ranksPerServer":2,)"
        R"("local":{"rate":"800Gbps","latency":"1us"},"placement":"rail","iterations":3,)"
        R"("warmup":2,"processing":"1us","compute":"2us","window":8,"waitFor":"completion",)"
        R"("matrix":[[0,1],[2,0]]})",
        R"({"type":"sequence","phases":[{"name":"f","compute":{"time":"1us",)"
        R"("distribution":"lognormal","variation":0.5},"barrier":false},)"
        R"({"flows":[{"src":0,"dst":1,"bytes":7}],"barrier":true},)"
        R"({"collective":{"operation":"send-receive","algorithm":"neighbors","size":"7B",)"
        R"("channels":1,"slices":1},"barrier":true}],"group":"clients","iterations":3,"warmup":1,)"
        R"("stragglers":[{"rank":1,"factor":2.0,"added":"1us"}],"processing":"0ps"})",
    };
    for (const std::string& text : texts)
    {
        EXPECT_EQ(ReadAndWrite(text), text);
    }
}

TEST(WorkloadKind, DefaultsAreWrittenOut)
{
    EXPECT_EQ(ReadAndWrite(R"({"type": "incast", "senders": 8, "bytes": "64KiB"})"),
              R"({"type":"incast","senders":8,"receiver":0,"bytes":65536,"at":"0ps","repeats":1})");
}

TEST(WorkloadKind, ACollectiveWritesTheKeysOfItsAlgorithm)
{
    const std::string begin{R"({"type":"collective","operation":")"};
    const std::string ranks{R"("communicators":1,"ranksPerServer":1,"placement":"rank-order",)"
                            R"("iterations":1,"warmup":0,"processing":"0ps","compute":"0ps",)"};
    EXPECT_EQ(ReadAndWrite(begin + R"(all-to-all","size":1024})"),
              begin + R"(all-to-all","algorithm":"shifted","size":"1KiB","library":"none",)" +
                  ranks + R"("waitFor":"arrival","skew":0.0})");
    EXPECT_EQ(ReadAndWrite(begin + R"(broadcast","size":"1KiB","library":"nccl"})"),
              begin + R"(broadcast","algorithm":"chain","size":"1KiB","library":"nccl",)" +
                  R"("protocol":"simple",)" + ranks + R"("root":0})");
    EXPECT_EQ(
        ReadAndWrite(begin + R"(all-reduce","algorithm":"auto","size":"1KiB","library":"nccl"})"),
        begin + R"(all-reduce","algorithm":"auto","size":"1KiB","library":"nccl",)" +
            R"("protocol":"auto",)" + ranks + R"("channels":1})");
}

TEST(WorkloadKind, ConditionsOfACollectivesKeysNameTheAlgorithms)
{
    for (const auto& kind : MakeKinds(WorkloadKind::GetTypeId()))
    {
        for (const KeyInfo& key : kind->ListKeys())
        {
            if (kind->GetInfo().name == "collective" && key.name == "inner")
            {
                EXPECT_EQ(key.spec.unused,
                          "an operation and an algorithm on which it has an effect (all-reduce by "
                          "hierarchical)");
                return;
            }
        }
    }
    FAIL();
}

TEST(WorkloadKind, EveryKindIsKnownByItsName)
{
    std::vector<std::string> names;
    for (const auto& kind : MakeKinds(WorkloadKind::GetTypeId()))
    {
        names.push_back(kind->GetInfo().name);
        std::set<std::string> keys;
        for (const KeyInfo& key : kind->ListKeys())
        {
            EXPECT_TRUE(keys.insert(key.name).second) << key.name;
            EXPECT_STRNE(key.spec.meaning, "") << key.name;
        }
    }
    EXPECT_EQ(names,
              (std::vector<std::string>{"aartfaac",    "alma",        "collective",  "flows",
                                        "graph",       "hpcc-trace",  "incast",      "kv",
                                        "lofar",       "many-to-one", "messages",    "moe",
                                        "one-to-many", "one-to-one",  "permutation", "poisson",
                                        "rpc",         "sequence",    "streams",     "transfer"}));
}
