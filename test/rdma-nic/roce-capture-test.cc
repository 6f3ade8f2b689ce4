// SPDX-License-Identifier: GPL-2.0-only
#include "capture-folder.h"
#include "packet-description.h"
#include "pcap-reader.h"
#include "roce-test-frames.h"

#include "ns3/pcap-writer.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
/// Writes FOLDER/NAME.pcap with packets of each opcode, and NAME.txt with what they say.
void
WriteCapture(const std::filesystem::path& folder, const std::string& name, IpVersion version)
{
    const auto format = CreateObject<IbtaFormat>();
    const RoceCodec codec(*format, version);
    RandomFrames frames(11);
    PcapWriter pcap(folder / (name + ".pcap"));
    std::ofstream text(folder / (name + ".txt"));
    Tick now = 0;
    for (const uint8_t code : GetSpecifiedOpcodes())
    {
        for (uint16_t payload = 0; payload <= (HasPayload(code) ? 5 : 0); ++payload)
        {
            const auto full = frames.Make(codec, code, payload);
            // Random payload would be taken for this or that protocol by dissectors that guess.
            std::fill(full->cargo.bytes.begin(), full->cargo.bytes.end(), uint8_t{0xf5});
            const auto bytes = codec.EncodeBytes(full->frame, full->GetDetail());
            pcap.Write(now += 1'000, bytes, bytes.size());
            DescribePacket(text, full->frame, full->detail, format->GetHeaders(code));
        }
    }
    pcap.Close();
}
} // namespace

TEST(RoceCapture, HoldsEachOpcodeForOtherTools)
{
    // Read by test/python/test_captures.py, which sets the folder.
    const CaptureFolder captures;
    const std::filesystem::path& folder = captures.GetPath();
    WriteCapture(folder, "ipv4", IpVersion::V4);
    WriteCapture(folder, "ipv6", IpVersion::V6);
    const auto records = ReadPcap(std::filesystem::path(folder) / "ipv4.pcap");
    // RC: 12 SEND and WRITE, 4 READ responses; UC: 12; UD: 2: 30 opcodes, six packets each; one of
    // READ request, ACK, ATOMIC ACK, compare-and-swap, fetch-and-add and CNP.
    EXPECT_EQ(records.size(), 30 * 6 + 6);
}
