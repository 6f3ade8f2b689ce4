// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/hpcc-trace-file.h"

#include "../damaged-text.h"
#include "../test-files.h"

#include "ns3/fat-tree-topology.h"
#include "ns3/simple-topologies.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

/// Servers 0 .. 2 behind switch 3.
const TopologyGraph&
GetHosts()
{
    static const TopologyGraph graph = MakeStar(3, DataRate("100Gbps"), MicroSeconds(1));
    return graph;
}

/// A file with one fault, and the message without the path in front of it.
struct BadTrace
{
    const char* name;
    const char* text;
    const char* message;
};

const BadTrace BAD_TRACES[] = {
    {"Empty", "", ":1: expected a line with the number of flows, got an empty file"},
    {"NoCount", "0 1 3 100 10 2.0\n", ":1: expected 1 fields (number of flows), got 6"},
    {"ZeroFlows", "0\n", ":1: expected a number of flows from 1 to 9223372036854775807, got \"0\""},
    {"Truncated",
     "3\n0 1 3 100 10 2.0\n1 2 3 100 10 2.0\n",
     ":3: expected 3 flows as line 1 says, got the end of the file (truncated) after 2"},
    {"FourFields",
     "1\n0 1 3 100\n",
     ":2: expected 5 or 6 fields (source destination priority [port] bytes start), got 4"},
    {"PacketsStartAndEnd",
     "1\n0 1 3 10000000 2.0 9.5\n",
     ":2: expected source destination priority port bytes start, got a start and an end in fields "
     "5 "
     "and 6, as in the files of ns3-rdma, which count packets"},
    {"ToItself",
     "1\n1 1 3 100 10 2.0\n",
     ":2: expected two different servers, got a flow from server 1 to itself"},
    {"FromASwitch", "1\n3 1 3 100 10 2.0\n", ":2: expected a server as source, got switch 3"},
    {"ToASwitch", "1\n1 3 3 100 10 2.0\n", ":2: expected a server as destination, got switch 3"},
    {"UnknownNode",
     "1\n1 4 3 100 10 2.0\n",
     ":2: expected a server as destination (0 to 2), got 4"},
    {"NegativeNode",
     "1\n-1 2 3 100 10 2.0\n",
     ":2: expected a source node id from 0 to 4294967295, got \"-1\""},
    {"NegativeBytes",
     "1\n1 2 3 100 -7 2.0\n",
     ":2: expected a size in bytes from 0 to 9223372036854775807, got \"-7\""},
    {"BadPriority", "1\n1 2 8 100 7 2.0\n", ":2: expected a priority from 0 to 7, got \"8\""},
    {"BadPort", "1\n1 2 3 x 7 2.0\n", ":2: expected a destination port from 0 to 65535, got \"x\""},
    {"NegativeStart",
     "1\n1 2 3 100 7 -2.0\n",
     ":2: expected a start of 0 or later in seconds such as 2.000001079, got \"-2.0\""},
    {"NoStart",
     "1\n1 2 3 100 7 soon\n",
     ":2: expected a start of 0 or later in seconds such as 2.000001079, got \"soon\""},
    {"StartsFall",
     "3\n1 2 3 100 7 2.1\n1 2 3 100 7 2.1\n1 2 3 100 7 2.0999\n",
     ":4: expected flows in order of their start, got \"2.0999\" after a later one"},
};

/// A whole trace and what is known of it.
struct TraceCase
{
    uint32_t servers;
    std::string file;
    uint64_t flows;
    int64_t lastStartPs; ///< After 2 s.
};

class OwnTraces : public testing::TestWithParam<TraceCase>
{
};

class SrnicTraces : public testing::TestWithParam<TraceCase>
{
};

/// @return its payload in bytes, read to the end.
uint64_t
ExpectTrace(const TraceCase& trace, const std::string& path)
{
    FatTreeParameters parameters;
    parameters.servers = trace.servers;
    HpccTraceFile file(path, FatTreeTopology::Build(parameters));
    EXPECT_EQ(file.GetFlowCount(), trace.flows);
    uint64_t read = 0;
    uint64_t bytes = 0;
    int64_t lastStartPs = 0;
    while (const auto flow = file.Next())
    {
        ++read;
        bytes += flow->bytes;
        lastStartPs = flow->startPs;
    }
    EXPECT_EQ(read, trace.flows);
    EXPECT_EQ(lastStartPs, trace.lastStartPs);
    return bytes;
}

class BadTraceFile : public testing::TestWithParam<BadTrace>
{
};

} // namespace

TEST(HpccTraceFile, ReplaysFlowsFromTheSecondOfTheFirst)
{
    // The blank after the count is what the family's generator leaves there.
    const TemporaryFile file("3 \n"
                             "0 2 3 100 2215769 2.000001079\n"
                             "1 0 3 100 1570 2.000001079\n"
                             "2 1 3 100 99999999999 3.5\n");
    HpccTraceFile trace(file.GetPath(), GetHosts());
    EXPECT_EQ(trace.GetFlowCount(), 3);
    const auto first = trace.Next();
    ASSERT_TRUE(first.has_value());
    EXPECT_EQ(first->src, 0);
    EXPECT_EQ(first->dst, 2);
    EXPECT_EQ(first->bytes, 2'215'769);
    EXPECT_EQ(first->startPs, 1'079'000); // 1079 ns, exactly.
    EXPECT_EQ(trace.Next()->src, 1);
    const auto last = trace.Next();
    EXPECT_EQ(last->bytes, 99'999'999'999);
    EXPECT_EQ(last->startPs, 1'500'000'000'000);
    EXPECT_FALSE(trace.Next().has_value());
    EXPECT_FALSE(trace.Next().has_value());
}

TEST(HpccTraceFile, TakesAnOriginThatIsNotAfterTheFirstFlow)
{
    const TemporaryFile file("1\n0 2 3 100 10 2.5\n");
    HpccTraceFile trace(file.GetPath(), GetHosts(), 0);
    EXPECT_EQ(trace.Next()->startPs, 2'500'000'000'000);
    EXPECT_EQ(
        GetInputError([&] { HpccTraceFile late(file.GetPath(), GetHosts(), 2'500'000'000'001); }),
        file.GetPath() + ": expected an origin from 0 to the first start at 2500000000000 ps, "
                         "got 2500000000001 ps");
}

TEST(HpccTraceFile, ReadsFlowsOfConweaveWhichHaveNoPort)
{
    const TemporaryFile file("1\n0 2 3 70000 2.000001\n");
    HpccTraceFile trace(file.GetPath(), GetHosts());
    const auto flow = trace.Next();
    EXPECT_EQ(flow->bytes, 70'000);
    EXPECT_EQ(flow->startPs, 1'000'000);
}

TEST(HpccTraceFile, StartsBelowASecondAreAbsolute)
{
    const TemporaryFile file("2\n0 2 3 10000 1000000000000 0.001\n1 2 3 10001 5 0.1\n");
    HpccTraceFile trace(file.GetPath(), GetHosts());
    EXPECT_EQ(trace.Next()->startPs, 1'000'000'000);
    EXPECT_EQ(trace.Next()->startPs, 100'000'000'000);
}

TEST(HpccTraceFile, NotesALegend)
{
    const TemporaryFile file("2\n0 1 3 100 10 2\n2 1 1 100 10 2\n\nlegend: source destination\n");
    HpccTraceFile trace(file.GetPath(), GetHosts());
    EXPECT_EQ(trace.GetNotes(),
              std::vector<std::string>{file.GetPath() +
                                       ":5: this line and all lines behind it are ignored, since "
                                       "line 1 announces 2 flows"});
}

TEST(HpccTraceFile, FlowsHavePrioritiesIfTheseDiffer)
{
    const TemporaryFile file("2\n0 1 3 100 10 2\n2 1 1 100 10 2\n");
    HpccTraceFile trace(file.GetPath(), GetHosts());
    EXPECT_TRUE(trace.GetNotes().empty());
    EXPECT_EQ(trace.Next()->priority, 3);
    EXPECT_EQ(trace.Next()->priority, 1);
    EXPECT_FALSE(trace.Next());
    EXPECT_TRUE(trace.Rewind());
    EXPECT_EQ(trace.Next()->priority, 3);
    const TemporaryFile plain("2\n0 1 1 100 10 2\n2 1 1 100 10 2\n");
    HpccTraceFile same(plain.GetPath(), GetHosts());
    EXPECT_EQ(same.Next()->priority, std::nullopt);
    EXPECT_EQ(same.Next()->priority, std::nullopt);
}

TEST(HpccTraceFile, ReadsOrRefusesDamagedFilesWithOneLine)
{
    const std::string good = "3 \n0 2 3 100 2215769 2.000001079\n1 0 3 100 1570 2.000001079\n"
                             "2 1 1 100 99999999999 3.5\n\nlegend\n";
    ExpectReadOrRefused(good, 1000, [](const std::string& path) {
        HpccTraceFile trace(path, GetHosts());
        while (trace.Next())
        {
        }
    });
}

TEST_P(BadTraceFile, IsRefusedBeforeTheFirstFlow)
{
    const std::string text = GetParam().text;
    const TemporaryFile file(text.empty() || text.back() == '\n' ? text : text + '\n');
    EXPECT_EQ(GetInputError([&] { HpccTraceFile(file.GetPath(), GetHosts()); }),
              file.GetPath() + GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(HpccTraceFile,
                         BadTraceFile,
                         testing::ValuesIn(BAD_TRACES),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_P(OwnTraces, AreReplayedWhole)
{
    const uint64_t bytes = ExpectTrace(GetParam(), GetCheckout() / "traces/hpcc" / GetParam().file);
    // 64 servers offer 70 % of 100 Gb/s for 2 ms: 1,120,000,000 bytes, in 1572 flows with a mean of
    // 712,570 and, by their corners, a root mean square of 1,240,265 bytes.  Four standard
    // deviations of the sum of a Poisson number of flows: 4 x sqrt(1572) x 1,240,265 = 197,000,000.
    EXPECT_NEAR(static_cast<double>(bytes), 1.12e9, 0.197e9);
}

// Count and last start as utils/hpcc_files.py has written them.
INSTANTIATE_TEST_SUITE_P(
    HpccTraceFile,
    OwnTraces,
    testing::Values(TraceCase{64, "cache-follower-64.txt", 1540, 1'998'181'000}));

TEST_P(SrnicTraces, AreReplayedWhole)
{
    ExpectTrace(GetParam(), GetSharedFile(GetParam().file));
}

INSTANTIATE_TEST_SUITE_P(HpccTraceFile,
                         SrnicTraces,
                         testing::ValuesIn(KeepCasesWithSharedFile<TraceCase>(
                             {{64,
                               "reference/hpcc-format/flowCacheFollowerLoad07Time0002_fat64.txt",
                               1782,
                               1'994'297'000},
                              {256,
                               "reference/hpcc-format/flowCacheFollowerLoad07Time001_fat256.txt",
                               31259,
                               9'994'018'000}},
                             [](const TraceCase& trace) { return trace.file; })));
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(SrnicTraces);

TEST(HpccTraceFile, DoesNotReplayAFileThatChangesUnderIt)
{
    // Longer than what the reader takes ahead, so that the change is seen.
    std::string text = "2000\n";
    for (int i = 0; i < 2000; ++i)
    {
        text += "0 1 3 100 10 2.000000000\n";
    }
    const TemporaryFile file(text);
    HpccTraceFile trace(file.GetPath(), GetHosts());
    ASSERT_TRUE(trace.Next().has_value());
    file.Write("2000\n0 1 3 100 10 2.0\n"); // Truncates it in place.
    EXPECT_THROW(
        {
            while (trace.Next())
            {
            }
        },
        std::runtime_error);
}
