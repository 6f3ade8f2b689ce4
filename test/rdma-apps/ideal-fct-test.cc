// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ideal-fct.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/fabric-simulator-impl.h"
#include "ns3/fabric.h"
#include "ns3/simple-topologies.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

const HeaderSizes HEADERS;
constexpr uint32_t MTU{1024};

/// Two servers a side at 100 Gb/s, joined by a link of another rate.
class IdealFct : public testing::Test
{
  protected:
    void Build(const std::string& bottleneck, bool cutsThrough = false)
    {
        UseFabricSimulator();
        Config::SetDefault("ns3::rdma::FabricSwitch::CutThrough", BooleanValue(cutsThrough));
        m_fabric = CreateObject<Fabric>();
        m_fabric->Build(
            MakeDumbbell({2, DataRate("100Gbps"), DataRate(bottleneck), MicroSeconds(1)}),
            {});
        m_there = m_fabric->FindPath(0, 2, 1);
        m_back = m_fabric->FindPath(2, 0, 1);
    }

    void TearDown() override
    {
        m_there.clear();
        m_back.clear();
        m_fabric->Dispose();
        Simulator::Destroy();
        Config::Reset();
    }

    Tick Compute(uint64_t bytes) const
    {
        return ComputeIdealFct(m_there, m_back, HEADERS, MTU, bytes);
    }

    /// The same recurrence for every packet, without a short cut.
    Tick ComputeSlowly(uint64_t bytes) const
    {
        std::vector<Tick> busyUntil(m_there.size() + m_back.size(), 0);
        Tick time = 0;
        const uint64_t packets = (bytes + MTU - 1) / MTU;
        for (uint64_t packet = 0; packet < packets; ++packet)
        {
            const bool isLast = packet + 1 == packets;
            const auto payload = static_cast<uint32_t>(isLast ? bytes - packet * MTU : MTU);
            time = 0;
            for (std::size_t stage = 0; stage < busyUntil.size(); ++stage)
            {
                const bool isData = stage < m_there.size();
                const FabricPort* port = isData ? m_there[stage] : m_back[stage - m_there.size()];
                const uint32_t frame =
                    isData ? HEADERS.GetWriteFrame(packet == 0, payload) : HEADERS.GetAckFrame();
                const Tick start = std::max(time, busyUntil[stage]);
                busyUntil[stage] = start + port->GetSerialization(frame);
                time = start + port->GetHeadTime(frame) + port->GetDelay();
            }
        }
        return busyUntil.back() + m_back.back()->GetDelay();
    }

    Ptr<Fabric> m_fabric;
    PortPath m_there;
    PortPath m_back;
};

TEST_F(IdealFct, OfOneByteIsTheSumOfAllDelaysAndSerializations)
{
    Build("100Gbps");
    // Data: 58 + 16 + 4 (padded) + 24 = 102 B, ACK: 62 + 24 = 86 B, 80 ps per byte, three links of
    // 1 us each way: 3 x (102 + 86) x 80 ps + 6 us.
    EXPECT_EQ(Compute(1), 3 * (102 + 86) * 80 + 6'000'000);
}

TEST_F(IdealFct, OfNoBytesIsThatOfOnePacketWithoutPayload)
{
    Build("100Gbps");
    // WRITE: 58 + 16 + 24 = 98 B; READ response: 58 + AETH 4 + 24 = 86 B, its request 98 B.
    EXPECT_EQ(Compute(0), 3 * (98 + 86) * 80 + 6'000'000);
    EXPECT_EQ(ComputeIdealReadFct(m_there, m_back, HEADERS, MTU, 0),
              3 * (98 + 86) * 80 + 6'000'000);
}

TEST_F(IdealFct, OfASendHasNoAddressOfTheMemory)
{
    Build("100Gbps");
    // As a WRITE of one byte without the RETH of 16 bytes: 58 + 4 + 24 = 86 B, ACK 86 B.
    EXPECT_EQ(ComputeIdealFct(m_there, m_back, HEADERS, MTU, 1, WrOpcode::SEND),
              3 * (86 + 86) * 80 + 6'000'000);
}

TEST_F(IdealFct, OfAReadIsItsRequestAndThenItsResponse)
{
    Build("100Gbps");
    // Request: 58 + RETH 16 + 24 = 98 B. Response: 58 + AETH 4 + 4 (padded) + 24 = 90 B.
    EXPECT_EQ(ComputeIdealReadFct(m_there, m_back, HEADERS, MTU, 1),
              3 * (98 + 90) * 80 + 6'000'000);
    // An acknowledgment of 62 + 24 = 86 B before it delays it at the first port only: the response
    // is longer and does not catch up with it.
    EXPECT_EQ(ComputeIdealReadFct(m_there, m_back, HEADERS, MTU, 1, true),
              (3 * (98 + 90) + 86) * 80 + 6'000'000);
    // Ten packets: each port sends 1024 + 58 + 24 = 1106 B, the first and the last one 4 B more;
    // the last one follows nine others at the first port, and passes two more ports.
    EXPECT_EQ(ComputeIdealReadFct(m_there, m_back, HEADERS, MTU, 10 * MTU),
              3 * 98 * 80 + (10 * 1106 + 2 * 4 + 2 * 1110) * 80 + 6'000'000);
}

TEST_F(IdealFct, TheShortCutChangesNothingWhateverIsTheBottleneck)
{
    for (const bool cutsThrough : {false, true})
    {
        for (const char* bottleneck : {"10Gbps", "40Gbps", "100Gbps", "400Gbps"})
        {
            Build(bottleneck, cutsThrough);
            for (const uint64_t bytes : {1024, 1025, 2048, 2049, 10'240, 100'001, 3'000'000})
            {
                EXPECT_EQ(Compute(bytes), ComputeSlowly(bytes)) << bottleneck << ", " << bytes;
            }
            TearDown();
        }
    }
    Build("100Gbps");
}

TEST_F(IdealFct, OfSwitchesThatCutThroughCountsAPacketOnceAndItsHeadTwice)
{
    Build("100Gbps", true);
    // Data of 102 B and an acknowledgment of 86 B at the last of three ports, at the others the
    // first 64 B and the framing of 24 B of the data; the acknowledgment of 62 B is shorter.
    EXPECT_EQ(Compute(1), (2 * 88 + 102 + 3 * 86) * 80 + 6'000'000);
    // Ten packets of 1106 B, the first with 16 B more, pass the first port; the last one's head the
    // second port and its whole the third.
    EXPECT_EQ(Compute(10 * MTU), (9 * 1106 + 16 + 2 * 88 + 1106 + 3 * 86) * 80 + 6'000'000);
    // The first port alone sends the whole packet.
    EXPECT_EQ(ComputeIdealFct({m_there[0]}, {}, HEADERS, MTU, 1), 102 * 80 + 1'000'000);
}

TEST_F(IdealFct, GrowsByTheBottlenecksTimePerPacket)
{
    Build("10Gbps");
    // A middle packet: 58 + 1024 + 24 = 1106 B at 800 ps per byte.
    EXPECT_EQ(Compute(2000 * MTU) - Compute(1000 * MTU), int64_t{1000} * 1106 * 800);
}

} // namespace
