// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/workload-kind.h"

#include "ns3/scenario.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

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
        R"({"type":"incast","senders":8,"receiver":3,"bytes":1000,"at":"5us","period":"100us",)"
        R"("repeats":10})",
        R"({"type":"incast","senders":"clients","receiver":0,"bytes":1,"at":"0ps","repeats":1})",
        R"({"type":"hpcc-trace","file":"flow.txt"})",
        R"({"type":"flows","flows":[{"src":0,"dst":1,"bytes":7,"start":"1us"}]})",
        R"({"type":"graph","file":"ops.json"})",
        R"({"type":"graph","operations":[{"id":"a","src":0,"dst":1,"bytes":7,"delay":"1us"},)"
        R"({"id":"b","src":0,"dst":1,"bytes":7,"after":["a"],"delay":"0ps","queuePair":"q"}]})",
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

TEST(WorkloadKind, EveryKindIsKnownByItsName)
{
    std::vector<std::string> names;
    for (const auto& kind : MakeKinds(WorkloadKind::GetTypeId()))
    {
        names.push_back(kind->GetInfo().name);
        for (const std::string& key : kind->GetInfo().fileKeys)
        {
            const auto keys = kind->GetInfo().keys;
            EXPECT_NE(std::find(keys.begin(), keys.end(), key), keys.end()) << key;
        }
    }
    EXPECT_EQ(names,
              (std::vector<std::string>{"aartfaac",
                                        "alma",
                                        "collective",
                                        "flows",
                                        "graph",
                                        "hpcc-trace",
                                        "incast",
                                        "kv",
                                        "lofar",
                                        "many-to-one",
                                        "one-to-many",
                                        "one-to-one",
                                        "poisson",
                                        "rpc",
                                        "streams"}));
}
