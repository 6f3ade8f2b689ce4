// SPDX-License-Identifier: GPL-2.0-only

// For ns-3's test.py: the check value of the consistency kernel's CRC64, and a pipeline whose
// packets take the time of the formula. The module's own tests are in test/fpga-rnic/.

#include "ns3/clocked-pipeline.h"
#include "ns3/crc64.h"
#include "ns3/test.h"

#include <string_view>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

class Crc64CheckValue : public TestCase
{
  public:
    Crc64CheckValue()
        : TestCase("CRC64 of 123456789")
    {
    }

  private:
    void DoRun() override
    {
        constexpr std::string_view TEXT{"123456789"};
        const auto* const bytes = reinterpret_cast<const uint8_t*>(TEXT.data());
        NS_TEST_EXPECT_MSG_EQ(ComputeCrc64({bytes, TEXT.size()}), 0xe9c6d914c4b8d9ca, "CRC64");
    }
};

class WordsPassTwoStages : public TestCase
{
  public:
    WordsPassTwoStages()
        : TestCase("a packet of ten words passes two stages of 3 cycles")
    {
    }

  private:
    void DoRun() override
    {
        ClockedPipeline pipeline({{"first", 3}, {"second", 3}}, 64);
        // Written in cycle 0, taken in 1, out in 4, taken in 5, out in 8; a word per cycle.
        const ClockedDeparture departure = pipeline.Enter({640, 0, 9});
        NS_TEST_EXPECT_MSG_EQ(departure.first, 8, "cycle of the first word");
        NS_TEST_EXPECT_MSG_EQ(departure.last, 17, "cycle of the last word");
    }
};

class FpgaRnicTestSuite : public TestSuite
{
  public:
    FpgaRnicTestSuite()
        : TestSuite("fpga-rnic")
    {
        AddTestCase(new Crc64CheckValue);
        AddTestCase(new WordsPassTwoStages);
    }
};

const FpgaRnicTestSuite g_fpgaRnicTestSuite;

} // namespace
