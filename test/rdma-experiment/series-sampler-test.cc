// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/series-sampler.h"

#include "run-fixture.h"

#include <map>
#include <set>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

/// Servers 0 and 1 send 1 MB each to server 2 over switch 3, at line rate, never slowed down.
constexpr const char* TWO_TO_ONE{R"({
  "name": "two-to-one",
  "fabric": {"topology": "star", "servers": 3, "hostRate": "100Gbps", "linkDelay": "1us",
             "ecn": "off", "pfc": false},
  "nics": [{"preset": "connectx6", "congestionControl": "ns3::rdma::NoCongestionControl"}],
  "workload": {"type": "flows", "flows": [{"src": 0, "dst": 2, "bytes": "1MB"},
                                          {"src": 1, "dst": 2, "bytes": "1MB"}]}
})"};

using Table = std::vector<std::map<std::string, double>>;

/// A CSV file of numbers; empty fields are left out.
Table
ReadTable(const std::string& text)
{
    std::istringstream lines(text);
    std::string line;
    std::getline(lines, line);
    std::vector<std::string> names;
    std::istringstream header(line);
    for (std::string name; std::getline(header, name, ',');)
    {
        names.push_back(name);
    }
    Table table;
    while (std::getline(lines, line))
    {
        std::istringstream fields(line);
        std::string field;
        table.emplace_back();
        for (std::size_t i = 0; std::getline(fields, field, ','); ++i)
        {
            if (!field.empty())
            {
                table.back()[names.at(i)] = std::stod(field);
            }
        }
    }
    return table;
}

class SeriesSamplerTest : public FolderTest
{
  protected:
    /// Runs the first NIC; series are in m_folder. @return flows.csv
    std::string Run(const std::string& text, const std::string& series = "{}")
    {
        ScenarioChanges changes;
        if (!series.empty())
        {
            changes.sets = {"series=" + series};
        }
        const Scenario scenario = Read(text, changes);
        std::ostringstream flows;
        FlowLog log(flows);
        SimulationRun run(scenario, scenario.nics[0]);
        m_report = run.Run(log, [](const RunProgress&) { return true; });
        run.WriteSeries(m_folder / "series");
        return flows.str();
    }

    Table ReadSeries(const std::string& name) const
    {
        return ReadTable(ReadText(m_folder / "series" / (name + ".csv")));
    }

    /// @return the row of a time and, if not negative, of a node and the one it leads to.
    static std::map<std::string, double> Find(const Table& table,
                                              double timeNs,
                                              double node,
                                              double peer = -1)
    {
        for (const auto& row : table)
        {
            if (row.at("time_ns") == timeNs && row.at("node") == node &&
                (peer < 0 || row.at("peer") == peer))
            {
                return row;
            }
        }
        ADD_FAILURE() << "no row at " << timeNs << " of node " << node;
        return {};
    }

    RunReport m_report;
};

TEST_F(SeriesSamplerTest, QueuesGrowByWhatArrivesBeyondTheLineRate)
{
    Run(TWO_TO_ONE);
    const Table queue = ReadSeries("queue");
    // Two links of 100 Gb/s into one: the queue grows by 1,250 bytes at the wire per 100 ns from
    // the first arrivals on. Packets are 1024 bytes, 58 of headers and 24 beside the queue's count.
    const double perUs = 12'500.0 * (1024 + 58) / (1024 + 58 + 24);
    const double at20 = Find(queue, 20'000, 3, 2)["bytes"];
    const double at60 = Find(queue, 60'000, 3, 2)["bytes"];
    EXPECT_NEAR(at60 - at20, 40 * perUs, 2 * 1106);
    // It only grows until the senders are done, so that the most is what waits, give or take one.
    EXPECT_NEAR(Find(queue, 60'000, 3, 2)["max_bytes"], at60, 2 * 1106);
    EXPECT_EQ(Find(queue, 60'000, 3, 0)["bytes"], 0); // Acknowledgments alone.
    const Table buffer = ReadSeries("buffer");
    EXPECT_EQ(Find(buffer, 60'000, 3)["bytes"], at60);
}

TEST_F(SeriesSamplerTest, PortsSendAtTheLineRateAndNoMore)
{
    Run(TWO_TO_ONE);
    const Table port = ReadSeries("port");
    for (const double timeNs : {20'000.0, 60'000.0, 100'000.0})
    {
        // A frame counts when it begins: one more or less of 1,106 bytes in 10 us is 0.9 %.
        EXPECT_NEAR(Find(port, timeNs, 3, 2)["gbps"], 100, 0.9);
    }
    // Servers are done after 1 MB at 100 Gb/s with headers, some 87 us.
    EXPECT_NEAR(Find(port, 60'000, 0, 3)["gbps"], 100, 0.9);
    EXPECT_EQ(Find(port, 120'000, 0, 3)["gbps"], 0);
    EXPECT_EQ(Find(port, 60'000, 3, 2)["marks"], 0);
    EXPECT_EQ(Find(port, 60'000, 3, 2)["paused_ns"], 0);
}

TEST_F(SeriesSamplerTest, FlowsTraceTheirLimitsAndWhatTheySend)
{
    Run(TWO_TO_ONE);
    const Table rate = ReadSeries("rate");
    ASSERT_GE(rate.size(), 2U * 16);
    EXPECT_EQ(rate[0].at("flow"), 0);
    EXPECT_EQ(rate[1].at("flow"), 1);
    EXPECT_EQ(rate[1].at("src"), 1);
    EXPECT_EQ(rate[1].at("dst"), 2);
    double acked = -1;
    for (const auto& row : rate)
    {
        EXPECT_EQ(row.at("rate_gbps"), 100);
        if (row.at("flow") == 0)
        {
            EXPECT_GE(row.at("acked_bytes"), acked);
            acked = row.at("acked_bytes");
        }
        if (row.at("time_ns") <= 80'000)
        {
            // Payload alone: 1024 of 1106 bytes.
            EXPECT_NEAR(row.at("sending_gbps"), 100.0 * 1024 / 1106, 0.9);
        }
    }
    EXPECT_EQ(rate.back().count("window_bytes"), 0); // It is open.
}

TEST_F(SeriesSamplerTest, ResultsAreTheSameWithThemAndWithout)
{
    const std::string without = Run(TWO_TO_ONE, "");
    const uint64_t events = m_report.events;
    EXPECT_FALSE(std::filesystem::exists(m_folder / "series"));
    EXPECT_EQ(Run(TWO_TO_ONE, R"({"interval": "300ns"})"), without);
    EXPECT_EQ(m_report.events, events);
}

TEST_F(SeriesSamplerTest, OnlyWhatIsAskedForIsWritten)
{
    Run(TWO_TO_ONE, R"({"what": ["rate", "port"], "ports": [[3, 2]], "flows": [1]})");
    EXPECT_FALSE(std::filesystem::exists(m_folder / "series/queue.csv"));
    EXPECT_FALSE(std::filesystem::exists(m_folder / "series/buffer.csv"));
    for (const auto& row : ReadSeries("port"))
    {
        EXPECT_EQ(row.at("peer"), 2);
    }
    for (const auto& row : ReadSeries("rate"))
    {
        EXPECT_EQ(row.at("flow"), 1);
    }
}

TEST_F(SeriesSamplerTest, PausesAndMarksAreCounted)
{
    // Eight senders into one port of a lossless switch with little memory.
    Run(R"({
      "name": "paused",
      "fabric": {"topology": "star", "servers": 9, "linkDelay": "1us", "buffer": "1500kB",
                 "pfc": true},
      "nics": ["connectx6"],
      "workload": {"type": "incast", "senders": 8, "receiver": 0, "bytes": "500kB"}
    })");
    double marks = 0;
    double pauses = 0;
    double pausedNs = 0;
    double drops = 0;
    for (const auto& row : ReadSeries("port"))
    {
        marks += row.at("marks");
        pauses += row.at("pauses_sent");
        pausedNs += row.at("paused_ns");
        drops += row.at("drops");
    }
    EXPECT_EQ(marks, static_cast<double>(m_report.ecnMarks));
    EXPECT_EQ(pauses, static_cast<double>(m_report.pfcPauses));
    EXPECT_GT(m_report.pfcPauses, 0);
    EXPECT_GT(pausedNs, 0);
    EXPECT_EQ(drops, 0);
}

TEST_F(SeriesSamplerTest, TheLastSampleIsTheFirstAfterTheLastFlow)
{
    Run(TWO_TO_ONE, R"({"what": ["buffer"], "interval": "1us"})");
    const double last = ReadSeries("buffer").back().at("time_ns");
    const double end = static_cast<double>(m_report.simulatedPs) / 1000; // Of the last flow.
    EXPECT_GE(last, end);
    EXPECT_LE(last, end + 1000);
}

TEST_F(SeriesSamplerTest, OfATimeWithoutTrafficTheEndsStay)
{
    // The second flow starts 100 ms after the first, in the midst of an interval.
    Run(R"({
      "name": "gap",
      "fabric": {"topology": "star", "servers": 3, "linkDelay": "1us"},
      "nics": ["srnic"],
      "workload": {"type": "flows", "flows": [
          {"src": 0, "dst": 2, "bytes": "100kB"},
          {"src": 1, "dst": 2, "bytes": "100kB", "start": "100005us"}]}
    })");
    std::vector<double> times;
    for (const auto& row : ReadSeries("buffer"))
    {
        times.push_back(row.at("time_ns"));
    }
    // 100 kB take 9 us and a round trip of 4 us: samples at 10 and 20 us have traffic before them;
    // 30 us is the first without, 100,000 us the last.
    EXPECT_EQ(times, (std::vector<double>{1e4, 2e4, 3e4, 100'000e3, 100'010e3, 100'020e3}));
    // What the second flow sends is not spread over the gap.
    const Table port = ReadSeries("port");
    EXPECT_GT(Find(port, 100'010e3, 1, 3)["gbps"], 40);
}

TEST_F(SeriesSamplerTest, AnIdleTimeOfAnyLengthIsNotSampledThrough)
{
    // 10^11 intervals of 10 us before the only flow, and 4 x 10^7 looks for a stall.
    Run(R"({
      "name": "late",
      "fabric": {"topology": "star", "servers": 3, "linkDelay": "1us"},
      "nics": ["srnic"],
      "workload": {"type": "flows", "flows": [
          {"src": 1, "dst": 2, "bytes": "100kB", "start": "1000000s"}]}
    })");
    std::vector<double> times;
    for (const auto& row : ReadSeries("buffer"))
    {
        times.push_back(row.at("time_ns"));
    }
    // The first sample without traffic, the last, which is at the start, and two with traffic.
    EXPECT_EQ(times, (std::vector<double>{1e4, 1e15, 1e15 + 1e4, 1e15 + 2e4}));
}

TEST_F(SeriesSamplerTest, SprayCountsWhatReportsShow)
{
    const auto run = [this](const std::string& nic) {
        Run(R"({
          "name": "spray",
          "fabric": {"topology": "star", "servers": 5, "linkDelay": "1us"},
          "nics": [")" +
                nic + R"("],
          "workload": {"type": "incast", "senders": 4, "receiver": 0, "bytes": "512kB"}
        })",
            R"({"interval": "1us"})");
        return ReadSeries("spray");
    };
    const Table uet = run("uet");
    const Table rate = ReadSeries("rate");
    ASSERT_EQ(uet.size(), rate.size());
    double trims = 0;
    double held = 0;
    for (std::size_t i = 0; i < uet.size(); ++i)
    {
        EXPECT_EQ(uet[i].at("time_ns"), rate[i].at("time_ns"));
        EXPECT_EQ(uet[i].at("flow"), rate[i].at("flow"));
        // A packet is resent after a trim, a loss or a timeout.
        const double causes = uet[i].at("trimmed_packets") + uet[i].at("lost_packets") +
                              uet[i].at("timed_out_packets");
        EXPECT_LE(rate[i].at("retransmitted"), causes);
        EXPECT_LE(uet[i].at("held_packets"), uet[i].at("max_held_packets"));
        EXPECT_EQ(uet[i].count("credit_bytes"), 0);
        trims = std::max(trims, uet[i].at("trimmed_packets"));
        held = std::max(held, uet[i].at("max_held_packets"));
    }
    EXPECT_GT(trims, 0); // Four senders begin at line rate into one port.
    EXPECT_GT(held, 0);  // Packets behind a trimmed one arrive before it.
    EXPECT_GT(uet.back().at("good_reports") + uet.back().at("marked_reports"), 0);
    EXPECT_EQ(run("uet-rccc").back().count("credit_bytes"), 1);
}

TEST_F(SeriesSamplerTest, RunsWithoutReportsHaveNoSpray)
{
    Run(TWO_TO_ONE);
    EXPECT_FALSE(std::filesystem::exists(m_folder / "series" / "spray.csv"));
}

TEST_F(SeriesSamplerTest, PortsOfServersWithSeveralNicsHaveDifferentNames)
{
    Run(R"({
      "name": "nics",
      "fabric": {"topology": "star", "servers": 3, "linkDelay": "1us", "nicsPerServer": {"many": 2}},
      "groups": {"many": [0, 0]},
      "nics": ["srnic"],
      "workload": {"type": "flows", "flows": [{"src": 0, "dst": 2, "bytes": "100kB"},
                                              {"src": 0, "dst": 1, "bytes": "100kB"}]}
    })",
        R"({"what": ["port"], "ports": ["many", [3, 0]]})");
    std::set<std::pair<double, double>> ports;
    for (const auto& row : ReadSeries("port"))
    {
        ports.emplace(row.at("node"), row.at("port"));
    }
    // Two of the server, and two of the switch that lead there.
    ASSERT_EQ(ports.size(), 4);
    EXPECT_EQ(ports.count({0, 0}) + ports.count({0, 1}), 2);
}

} // namespace
