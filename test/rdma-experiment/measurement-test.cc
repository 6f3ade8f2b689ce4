// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/measurement.h"

#include "../expect-error.h"

#include "ns3/input-error.h"
#include "ns3/kernel-udp.h"

#include <gtest/gtest.h>
#include <sstream>

namespace ns3::rdma
{
namespace
{

using Json = MeasuredRows::Json;

/// Adds its numbers.
class SumMeasurement : public Measurement
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::test::SumMeasurement")
                                .SetParent<Measurement>()
                                .AddConstructor<SumMeasurement>();
        return tid;
    }

    KindInfo GetInfo() const override
    {
        return {"test-sum", "the sum of some numbers"};
    }

    void Visit(Keys& keys) override
    {
        keys.Numbers("numbers", m_numbers, "numbers to add").Between(0.0, 10.0);
        keys.Text("label", m_label, "word in front");
        keys.Flag("negative", m_isNegative, "the sum has a minus");
        VisitSeed(keys, m_seed);
    }

    void SetAttributes(const std::vector<std::string>& settings) override
    {
        SetAttributesOf({m_model, m_stack}, settings);
    }

    MeasuredRows Measure() override
    {
        double sum = 0;
        for (const double number : m_numbers)
        {
            sum += m_isNegative ? -number : number;
        }
        MeasuredRows rows;
        rows.Begin();
        rows.Set("label", m_label, "its label");
        rows.Set("sum_us", sum, "their sum");
        return rows;
    }

    Ptr<KernelUdp> m_model{CreateObject<KernelUdp>()};
    Ptr<KernelTcp> m_stack{CreateObject<KernelTcp>()};
    std::vector<double> m_numbers{1, 2};
    std::string m_label{"x"};
    bool m_isNegative{false};
    uint64_t m_seed{1};
};

NS_OBJECT_ENSURE_REGISTERED(SumMeasurement);

Ptr<Measurement>
Read(const std::vector<std::string>& words)
{
    const Ptr<Measurement> measurement = MakeMeasurement("test-sum");
    ReadMeasurement(*measurement, words);
    return measurement;
}

Json
Write(const Measurement& measurement)
{
    Json json = Json::object();
    measurement.Write(json);
    return json;
}

TEST(Measurement, WordsAreReadByTheTypesOfTheirKeys)
{
    // A list of numbers, a text that looks like a number, and a flag.
    const auto measurement = Read({"numbers=0.5,4", "label=10", "negative=true"});
    EXPECT_EQ(Write(*measurement).dump(),
              R"({"numbers":[0.5,4.0],"label":"10","negative":true,"seed":1})");
    EXPECT_EQ(measurement->Measure().Get("sum_us"), -4.5);
    EXPECT_EQ(Write(*Read({"numbers=3"}))["numbers"].dump(), "[3.0]");
}

TEST(Measurement, AllKeysHaveDefaultsThatAreWrittenAndRead)
{
    for (const Ptr<ScenarioKind>& kind : MakeKinds(Measurement::GetTypeId()))
    {
        const std::string name = kind->GetInfo().name;
        const Ptr<Measurement> measurement = MakeMeasurement(name);
        ReadMeasurement(*measurement, {});
        std::vector<std::string> words;
        const Json written = Write(*measurement);
        for (const auto& [key, value] : written.items())
        {
            const std::string text = value.dump();
            words.push_back(key + "=" +
                            (value.is_string()  ? value.get<std::string>()
                             : value.is_array() ? text.substr(1, text.size() - 2)
                                                : text));
        }
        const Ptr<Measurement> again = MakeMeasurement(name);
        ReadMeasurement(*again, words);
        EXPECT_EQ(Write(*again), written) << name;
        EXPECT_FALSE(kind->GetInfo().description.empty()) << name;
    }
}

TEST(Measurement, BadWordsAreOneLine)
{
    const std::pair<std::vector<std::string>, const char*> CASES[]{
        {{"nmbers=1"}, "measure: test-sum.nmbers: expected a known key (nearest: numbers"},
        {{"numbers"}, "measure: test-sum: expected KEY=VALUE, got numbers"},
        {{"=1"}, "measure: test-sum: expected KEY=VALUE, got =1"},
        {{"seed=1", "seed=2"}, "measure: test-sum: expected seed once, got it twice"},
        {{"numbers=1,11"}, "test-sum.numbers[1]: expected a number from 0 to 10, got 11"},
        {{"numbers=1,"}, "test-sum.numbers[1]: expected a number, got \"\""},
        {{"numbers=nan"}, "test-sum.numbers[0]: expected a number, got \"nan\""},
        {{"numbers= 1"}, "test-sum.numbers[0]: expected a number, got \" 1\""},
        {{"seed=0x10"}, "test-sum.seed: expected a whole number from 0 to 4294967295"},
        {{"negative=1"}, "test-sum.negative: expected true or false, got 1"},
    };

    for (const auto& [words, part] : CASES)
    {
        ExpectError<InputError>([&words = words] { Read(words); }, part);
    }
    ExpectError<InputError>([] { MakeMeasurement("kv-dmas"); },
                            "measure: expected a measurement (nearest: kv-dma");
}

TEST(Measurement, AttributesAreThoseOfItsObjects)
{
    const auto set = [](const std::string& setting) { Read({})->SetAttributes({setting}); };
    set("SocketBuffer=100");
    set("ns3::rdma::KernelTcp::Moderation=1us");
    ExpectError<InputError>([&] { set("SocketBuffer"); }, "--set: expected NAME=VALUE, got Socket");
    ExpectError<InputError>([&] { set("Nothing=1"); },
                            "measure: test-sum: --set: ns3::rdma::KernelUdp::Nothing: expected");
    ExpectError<InputError>([&] { set("ns3::rdma::HostCpu::Cores=2"); },
                            "ns3::rdma::HostCpu::Cores: expected an attribute of ns3::rdma::Kern");
    ExpectError<InputError>([] { MakeMeasurement("kv-dma")->SetAttributes({"A=1"}); },
                            "measure: kv-dma: --set: expected a measurement with attributes");
}

TEST(MeasuredRows, TheUnitIsTheLastPartOfAColumnsName)
{
    const std::pair<const char*, const char*> CASES[]{{"latency_p50_us", "us"},
                                                      {"goodput_gbps", "Gb/s"},
                                                      {"pcie_GBps", "GB/s"},
                                                      {"mops", "M/s"},
                                                      {"bytes", "bytes"},
                                                      {"hit_share", ""},
                                                      {"calls", ""}};

    for (const auto& [name, unit] : CASES)
    {
        EXPECT_EQ((MeasuredColumn{name, ""}.GetUnit()), unit) << name;
    }
}

TEST(MeasuredRows, ARowIsATableOfNamesAndSeveralAreATableOfRows)
{
    MeasuredRows rows;
    rows.Begin();
    rows.Set("size_bytes", 64, "size");
    rows.Set("mops", 59.7, "rate");
    std::ostringstream one;
    rows.WriteTable(one);
    EXPECT_EQ(one.str(),
              "size_bytes    64  size\n"
              "mops        59.7  rate\n");
    rows.Begin();
    rows.Set("size_bytes", 4096, "size");
    rows.AddNote("A note.");
    std::ostringstream two;
    rows.WriteTable(two);
    EXPECT_EQ(two.str(),
              "size_bytes  mops\n"
              "        64  59.7\n"
              "      4096     -\n"
              "A note.\n");
    EXPECT_EQ(rows.Describe().dump(),
              R"({"columns":[{"name":"size_bytes","unit":"bytes","meaning":"size"},)"
              R"({"name":"mops","unit":"M/s","meaning":"rate"}],)"
              R"("rows":[{"size_bytes":64,"mops":59.7},{"size_bytes":4096,"mops":null}],)"
              R"("notes":["A note."]})");
}

} // namespace
} // namespace ns3::rdma
