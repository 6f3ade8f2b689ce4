// SPDX-License-Identifier: GPL-2.0-only

// For ns-3's test.py: a WRITE of each preset completes, in the time of its packets and also when
// one of them is lost. The module's own tests are in test/rdma-nic/.

#include "ns3/fabric-helper.h"
#include "ns3/loss-models.h"
#include "ns3/nic-presets.h"
#include "ns3/rdma-nic-helper.h"
#include "ns3/simple-topologies.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <optional>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

constexpr uint64_t BYTES{100'000};

/// What the sender of one WRITE over one cable saw.
struct Outcome
{
    WcStatus status;
    Time at;
    uint64_t retransmitted;
};

/// @param lost number of the data packet that is lost, unset: none
std::optional<Outcome>
Write(const std::string& preset, std::optional<uint32_t> lost)
{
    const Ptr<Fabric> fabric =
        FabricHelper(MakeBackToBack(DataRate("100Gbps"), MicroSeconds(1))).Create();
    if (lost)
    {
        const auto loss = CreateObject<ScriptedLoss>();
        loss->SetScript([lost](const Frame&, uint64_t index) { return index == *lost; });
        fabric->GetLinkPort(0, 0).SetLossModel(loss);
    }
    const auto nics = RdmaNicHelper(NicDesign::FromPreset(preset)).Install(*fabric);
    const QueuePairEnds ends = RdmaNicHelper::Connect(*nics[0], *nics[1]);
    std::optional<Outcome> outcome;
    nics[0]->SetCompletionHandler([&](const WorkCompletion& completion) {
        const Requester* requester = nics[0]->FindQueuePair(ends.first)->requester;
        outcome = {completion.status, Simulator::Now(), requester->GetStats().retransmitted};
    });
    nics[0]->PostWrite(ends.first, 1, BYTES);
    Simulator::Run();
    for (const auto& nic : nics)
    {
        nic->Dispose();
    }
    fabric->Dispose();
    Simulator::Destroy();
    return outcome;
}

class WriteCompletes : public TestCase
{
  public:
    explicit WriteCompletes(const std::string& preset)
        : TestCase("a WRITE of " + preset + " completes, with and without a loss"),
          m_preset(preset)
    {
    }

  private:
    void DoRun() override
    {
        const auto clean = Write(m_preset, std::nullopt);
        NS_TEST_ASSERT_MSG_EQ(clean.has_value(), true, "no completion");
        NS_TEST_EXPECT_MSG_EQ((clean->status == WcStatus::SUCCESS), true, "status");
        NS_TEST_EXPECT_MSG_EQ(clean->retransmitted, 0, "retransmitted packets");
        // The payload alone takes 8 us; the acknowledgment comes 2 us after the last bit of it.
        NS_TEST_EXPECT_MSG_GT(clean->at, MicroSeconds(10), "time of the completion");
        NS_TEST_EXPECT_MSG_LT(clean->at, MicroSeconds(14), "time of the completion");

        const auto lossy = Write(m_preset, 5);
        NS_TEST_ASSERT_MSG_EQ(lossy.has_value(), true, "no completion after a loss");
        NS_TEST_EXPECT_MSG_EQ((lossy->status == WcStatus::SUCCESS), true, "status after a loss");
        NS_TEST_EXPECT_MSG_GT(lossy->retransmitted, 0, "retransmitted packets after a loss");
        NS_TEST_EXPECT_MSG_GT(lossy->at, clean->at, "time of the completion after a loss");
    }

    std::string m_preset;
};

class RdmaNicTestSuite : public TestSuite
{
  public:
    RdmaNicTestSuite()
        : TestSuite("rdma-nic")
    {
        for (const std::string preset : {"connectx6", "irn", "srnic", "balboa"})
        {
            AddTestCase(new WriteCompletes(preset));
        }
    }
};

const RdmaNicTestSuite g_rdmaNicTestSuite;

} // namespace
