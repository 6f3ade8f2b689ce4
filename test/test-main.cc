// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/simulator.h"

#include <gtest/gtest.h>

namespace
{

/**
 * Runs and destroys a simulator once before the first test.  ns-3 keeps a list of all Time objects
 * until the first Run(), and a Time that outlives that list can abort the program at its exit.
 */
class SimulatorEnvironment : public testing::Environment
{
  public:
    void SetUp() override
    {
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
