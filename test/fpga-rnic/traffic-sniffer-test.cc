// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/traffic-sniffer.h"

#include "../expect-error.h"
#include "../rdma-nic/capture-folder.h"
#include "../rdma-nic/pcap-reader.h"
#include "two-service-hosts.h"

#include "ns3/boolean.h"
#include "ns3/opcode.h"
#include "ns3/verbs-error.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{
/// Eight WRITEs of two packets each, seen at their sender.
std::vector<PcapRecord>
Capture(const std::function<void(TrafficSniffer&)>& change)
{
    const CaptureFolder folder;
    const std::string path = (folder.GetPath() / "balboa-sniffer.pcap").string();
    TwoServiceHosts ends(true);
    ends.Start();
    const auto sniffer = CreateObject<TrafficSniffer>();
    change(*sniffer);
    sniffer->Start(ends.hosts.bench.GetNic(0), path);
    for (uint32_t i = 0; i < 8; ++i)
    {
        ends.Write(0, 2000);
    }
    ends.hosts.bench.Run();
    sniffer->Stop();
    return ReadPcap(path);
}
} // namespace

TEST(TrafficSniffer, TakesBothDirectionsAtEdgesOfItsClock)
{
    const auto records = Capture([](TrafficSniffer&) {});
    EXPECT_EQ(records.size(), 16U + 16); // An acknowledgment per packet.
    for (const PcapRecord& record : records)
    {
        EXPECT_EQ(record.nanoseconds % 4, 0U);
        EXPECT_EQ(record.bytes.size(), record.originalBytes);
    }
}

TEST(TrafficSniffer, FiltersByDirectionOpcodeAndQueuePair)
{
    EXPECT_EQ(
        Capture([](auto& sniffer) { sniffer.SetAttribute("Sent", BooleanValue(false)); }).size(),
        16U);
    EXPECT_EQ(Capture([](auto& sniffer) {
                  sniffer.SetAttribute("Received", BooleanValue(false));
              }).size(),
              16U);
    EXPECT_EQ(Capture([](auto& sniffer) { sniffer.SetOpcodes({opcode::WRITE_FIRST}); }).size(), 8U);
    EXPECT_EQ(Capture([](auto& sniffer) { sniffer.SetQueuePairs({0xabcdef}); }).size(), 0U);
}

TEST(TrafficSniffer, MayLeavePayloadOut)
{
    for (const PcapRecord& record :
         Capture([](auto& sniffer) { sniffer.SetAttribute("Payload", BooleanValue(false)); }))
    {
        EXPECT_LE(record.bytes.size(), 14U + 20 + 8 + 12 + 16);
    }
}

TEST(TrafficSniffer, DelaysNothing)
{
    const auto run = [](bool hasSniffer) {
        const CaptureFolder folder;
        TwoServiceHosts ends(true);
        ends.Start();
        const auto sniffer = CreateObject<TrafficSniffer>();
        if (hasSniffer)
        {
            sniffer->Start(ends.hosts.bench.GetNic(0),
                           (folder.GetPath() / "balboa-delay.pcap").string());
        }
        ends.Write(0, 100'000);
        ends.hosts.bench.Run();
        sniffer->Stop();
        return ends.Now();
    };
    EXPECT_EQ(run(true), run(false));
}

TEST(TrafficSniffer, HasOneCaptureAtATime)
{
    const CaptureFolder folder;
    TwoServiceHosts ends(false);
    ends.Start();
    const auto sniffer = CreateObject<TrafficSniffer>();
    const std::string path = (folder.GetPath() / "balboa-twice.pcap").string();
    sniffer->Start(ends.hosts.bench.GetNic(0), path);
    ExpectError<VerbsError>([&] { sniffer->Start(ends.hosts.bench.GetNic(0), path); },
                            "a traffic sniffer has one capture at a time");
    sniffer->Stop();
}
