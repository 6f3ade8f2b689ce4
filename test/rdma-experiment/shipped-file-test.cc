// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/shipped-file.h"

#include "../test-files.h"
#include "scenario-fixture.h"

#include "ns3/flow-size-cdf.h"
#include "ns3/scenario-digest.h"
#include "ns3/scenario-writer.h"

#include <nlohmann/json.hpp>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

class ShippedFile : public FolderTest
{
  protected:
    Scenario ReadSizes(const std::string& sizes) const
    {
        return ReadChanged({R"(workload={"type": "poisson", "load": 0.5, "duration": "1ms",
                                         "sizes": ")" +
                            sizes + "\"}"});
    }
};

} // namespace

TEST_F(ShippedFile, NamesAreThoseOfTheFilesInTraces)
{
    EXPECT_EQ(ListShippedFiles(FlowSizeCdf::EXTENSION),
              (std::vector<std::string>{"ali-storage",
                                        "cache-follower",
                                        "hadoop",
                                        "web-search",
                                        "web-server"}));
    EXPECT_TRUE(ListShippedFiles(".none").empty());
}

TEST_F(ShippedFile, ANameIsTheSameWorkloadAsItsFile)
{
    const Scenario named = ReadSizes("hadoop");
    const Scenario file = ReadSizes(GetShippedPath("hadoop", FlowSizeCdf::EXTENSION));
    EXPECT_EQ(MakeDigest(named).hash, MakeDigest(file).hash);
    EXPECT_NE(MakeDigest(named).hash, MakeDigest(ReadSizes("web-search")).hash);
    const auto written = nlohmann::json::parse(WriteScenario(named));
    EXPECT_EQ(written["workload"]["sizes"], "hadoop");
    EXPECT_EQ(WriteScenario(Read(written.dump())), WriteScenario(named));
}

TEST_F(ShippedFile, ANameIsRecordedAsANameAndAPathAsAPath)
{
    const ScenarioDigest named = MakeDigest(ReadSizes("hadoop"));
    EXPECT_TRUE(named.files.empty());
    ASSERT_EQ(named.shipped.size(), 1U);
    EXPECT_EQ(named.shipped.begin()->first, "hadoop");
    const std::string path = GetShippedPath("hadoop", FlowSizeCdf::EXTENSION);
    const ScenarioDigest file = MakeDigest(ReadSizes(path));
    EXPECT_TRUE(file.shipped.empty());
    EXPECT_EQ(file.files, (std::map<std::string, std::string>{{path, named.shipped.at("hadoop")}}));
}

TEST_F(ShippedFile, AFileBesideTheScenarioComesFirst)
{
    WriteFile("hadoop", "1 0\n1 1\n");
    const Scenario own = ReadSizes("hadoop");
    std::filesystem::remove(m_folder / "hadoop");
    // Of the file, all flows have one byte.
    EXPECT_NE(MakeDigest(ReadSizes("hadoop")).hash, "");
    WriteFile("hadoop", "1 0\n1 1\n");
    EXPECT_EQ(MakeDigest(own).hash, MakeDigest(ReadSizes("./hadoop")).hash);
}

TEST_F(ShippedFile, AnUnknownNameIsOneLineWithTheNearest)
{
    const auto getFault = [this](const std::string& sizes) {
        const std::string fault = GetInputError([&] { ReadSizes(sizes); });
        return fault.substr(fault.find("$."));
    };
    EXPECT_EQ(getFault("cache-folower"),
              "$.workload.sizes: expected a file beside the scenario file, an absolute path or a "
              "name of rocelab list sizes (nearest: cache-follower), got \"cache-folower\"");
    EXPECT_EQ(getFault("x/hadoop")
                  .rfind("$.workload.sizes: expected a file beside the scenario "
                         "file or an absolute path, got \"x/hadoop\"",
                         0),
              0U);
}
