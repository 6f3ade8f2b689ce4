// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <gtest/gtest.h>

namespace
{

/**
 * Runs and destroys a simulator once before the first test.  ns-3 keeps a list of all Time objects
 * until the first Run(), and a Time that outlives that list can abort the program at its exit.  The
 * unit of time is set before that: only then are the default values of attributes converted.
 */
class SimulatorEnvironment : public testing::Environment
{
  public:
    void SetUp() override
    {
        ns3::Time::SetResolution(ns3::Time::PS);
        ns3::Simulator::Run();
        ns3::Simulator::Destroy();
    }
};

} // namespace

int
main(int argc, char** argv)
{
    testing::InitGoogleTest(&argc, argv);
    testing::AddGlobalTestEnvironment(new SimulatorEnvironment);
    return RUN_ALL_TESTS();
}
