// SPDX-License-Identifier: GPL-2.0-only

// The suites that ns-3's test.py runs in contrib/, run here by ns-3's own runner.

#include "ns3/test.h"

#include <array>
#include <gtest/gtest.h>
#include <string>

namespace
{

class Ns3TestSuites : public testing::TestWithParam<std::string>
{
};

} // namespace

TEST_P(Ns3TestSuites, Passes)
{
    std::string program = "test-runner";
    std::string suite = "--suite=" + GetParam();
    std::array<char*, 3> arguments{program.data(), suite.data(), nullptr};
    EXPECT_EQ(ns3::TestRunner::Run(2, arguments.data()), 0);
}

INSTANTIATE_TEST_SUITE_P(Modules,
                         Ns3TestSuites,
                         testing::Values("rdma-fabric",
                                         "rdma-nic",
                                         "rdma-host",
                                         "fpga-rnic",
                                         "rdma-apps",
                                         "rdma-bench",
                                         "rdma-experiment"),
                         [](const auto& info) {
                             std::string name = info.param;
                             name.erase(name.find('-'), 1);
                             return name;
                         });
