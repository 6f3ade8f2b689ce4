// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_SCENARIO_FIXTURE_H
#define RDMA_SCENARIO_FIXTURE_H

#include "../temporary-folder.h"

#include "ns3/scenario-reader.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <string>

namespace ns3::rdma
{

/// A small scenario that is right in every respect.
constexpr const char* GOOD_SCENARIO{R"({
  "name": "small",
  "fabric": {"topology": "star", "servers": 4, "hostRate": "100Gbps", "linkDelay": "1us"},
  "nics": ["irn", "srnic"],
  "workload": {"type": "flows", "flows": [{"src": 0, "dst": 1, "bytes": 1000},
                                          {"src": 2, "dst": 3, "bytes": "1MB", "start": "1us"}]}
})"};

/// The whole of a file; empty if there is none.
inline std::string
ReadText(const std::filesystem::path& path)
{
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

/// A test with a folder of its own, which holds "s.json" if the test writes one.
class FolderTest : public testing::Test
{
  protected:
    std::string WriteFile(const std::string& name, const std::string& text) const
    {
        const auto path = m_folder / name;
        std::ofstream(path, std::ios::binary) << text;
        return path.string();
    }

    /// Reads the text as scenario file.
    Scenario Read(const std::string& text, const ScenarioChanges& changes = {}) const
    {
        return ReadScenario(WriteFile("s.json", text), changes);
    }

    /// Reads GOOD_SCENARIO with changes as --set makes them.
    Scenario ReadChanged(const std::vector<std::string>& sets) const
    {
        ScenarioChanges changes;
        changes.sets = sets;
        return Read(GOOD_SCENARIO, changes);
    }

    TemporaryFolder m_temporary;
    std::filesystem::path m_folder{m_temporary.GetPath()};
};

} // namespace ns3::rdma

#endif // RDMA_SCENARIO_FIXTURE_H
