// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/workload-reader.h"

#include "ns3/scenario-kinds.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

WorkloadSpec
Read(const char* text)
{
    const auto json = nlohmann::json::parse(text);
    return ReadWorkload(JsonValue(json, "f", "$.workload"));
}

} // namespace

TEST(WorkloadReader, ReadsPoissonTraffic)
{
    const WorkloadSpec workload =
        Read(R"({"type": "poisson", "sizes": "x.cdf", "load": 1, "duration": "2ms"})");
    EXPECT_EQ(workload.type, "poisson");
    EXPECT_EQ(workload.sizes, "x.cdf");
    EXPECT_EQ(workload.load, 1);
    EXPECT_EQ(workload.duration, MilliSeconds(2));
}

TEST(WorkloadReader, ReadsAnIncastOfOneRoundOrMany)
{
    const WorkloadSpec one = Read(R"({"type": "incast", "senders": 8, "bytes": "64KiB"})");
    EXPECT_EQ(one.senders, 8U);
    EXPECT_EQ(one.bytes, 65'536U);
    EXPECT_EQ(one.receiver, 0U);
    EXPECT_EQ(one.repeats, 1U);
    const WorkloadSpec many = Read(R"({"type": "incast", "senders": 8, "bytes": 1000, "receiver": 3,
                                       "at": "5us", "period": "100us", "repeats": 10})");
    EXPECT_EQ(many.receiver, 3U);
    EXPECT_EQ(many.at, MicroSeconds(5));
    EXPECT_EQ(many.period, MicroSeconds(100));
    EXPECT_EQ(many.repeats, 10U);
}

TEST(WorkloadReader, KnowsEveryKindThatItLists)
{
    EXPECT_EQ(GetKindNames(GetWorkloadKinds()),
              (std::vector<std::string>{"poisson", "incast", "hpcc-trace", "flows"}));
    EXPECT_EQ(FindKind(GetWorkloadKinds(), "poisson").keys,
              (std::vector<std::string>{"sizes", "load", "duration", "sources", "destinations"}));
    EXPECT_EQ(Read(R"({"type": "hpcc-trace", "file": "flow.txt"})").file, "flow.txt");
}
