// SPDX-License-Identifier: GPL-2.0-only

// A capture of encrypted WRITEs and READs by a BALBOA NIC's sniffer, for
// test/python/test_aes_captures.py, which sets the folder: FOLDER/balboa-aes.pcap, and .txt with
// the key and the plaintext of each packet with payload.

#include "../rdma-nic/capture-folder.h"
#include "two-service-hosts.h"

#include "ns3/aes-service.h"
#include "ns3/traffic-sniffer.h"

#include <fstream>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr char KEY[]{"000102030405060708090a0b0c0d0e0f"};

/// Encrypts both ways between two ends.
void
StartEncrypted(TwoServiceHosts& ends)
{
    Ptr<AesService> aes[2];
    for (uint32_t end = 0; end < 2; ++end)
    {
        aes[end] = CreateObject<AesService>();
        ends.slots[end]->Install(aes[end]);
    }
    ends.Start();
    for (uint32_t end = 0; end < 2; ++end)
    {
        aes[end]->SetKey(ends.GetEnd(end).qp, *ReadAesKey(KEY));
        ends.Attach(end, AesService::RPC_CODE, true);
        ends.Attach(end, AesService::RPC_CODE, false);
    }
}

void
WriteHex(std::ostream& out, const std::vector<uint8_t>& bytes)
{
    const char* digits = "0123456789abcdef";
    for (const uint8_t byte : bytes)
    {
        out << digits[byte / 16] << digits[byte % 16];
    }
    out << '\n';
}
} // namespace

TEST(AesCapture, HoldsCiphertextOfWritesAndReads)
{
    const CaptureFolder captures;
    TwoServiceHosts ends(true);
    StartEncrypted(ends);
    const auto sniffer = CreateObject<TrafficSniffer>();
    sniffer->Start(ends.hosts.bench.GetNic(0), (captures.GetPath() / "balboa-aes.pcap").string());
    std::ofstream text(captures.GetPath() / "balboa-aes.txt");
    text << KEY << '\n';
    for (uint32_t i = 0; i < 4; ++i)
    {
        const uint32_t size = 16U << (2 * i); // 16 to 1024: a packet each.
        const uint32_t from = i % 2;
        ends.GetEnd(from).Fill(0, size, static_cast<uint8_t>(i));
        from == 0 ? ends.Write(0, size) : ends.Read(0, size);
        ends.hosts.bench.Run();
        WriteHex(text, ends.GetEnd(from).Read(0, size));
    }
    sniffer->Stop();
    EXPECT_TRUE(text.good());
}
