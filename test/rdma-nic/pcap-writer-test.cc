// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/pcap-writer.h"

#include "../temporary-folder.h"
#include "../test-files.h"
#include "pcap-reader.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <optional>
#include <stdexcept>

using namespace ns3::rdma;

namespace
{
/// A path that nothing is at; whatever the test leaves there is removed.
class PcapWriterTest : public testing::Test
{
  protected:
    std::string GetPath(const std::string& name = "a.pcap") const
    {
        return m_folder.GetPath() / name;
    }

    /// @return the message of the error that the action throws.
    static std::string GetError(const std::function<void()>& action)
    {
        try
        {
            action();
        }
        catch (const std::runtime_error& error)
        {
            return error.what();
        }
        return "";
    }

    TemporaryFolder m_folder;
};
} // namespace

TEST_F(PcapWriterTest, WritesNanosecondRecordsOfEthernet)
{
    PcapWriter writer(GetPath());
    // 2 s, 3 ns and a half: cut, not rounded.
    writer.Write(2'000'000'003'500, {0xaa, 0xbb, 0xcc}, 2);
    writer.Close();
    const std::vector<uint8_t> expected{
        0x4d, 0x3c, 0xb2, 0xa1,                         // Magic of nanosecond files.
        0x02, 0x00, 0x04, 0x00,                         // Version 2.4.
        0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, // UTC, no accuracy stated.
        0x00, 0x00, 0x04, 0x00,                         // Snap length 262,144.
        0x01, 0x00, 0x00, 0x00,                         // Ethernet.
        0x02, 0x00, 0x00, 0x00, 0x03, 0x00, 0x00, 0x00, // 2 s, 3 ns.
        0x02, 0x00, 0x00, 0x00, 0x03, 0x00, 0x00, 0x00, // Two of three bytes.
        0xaa, 0xbb,
    };
    EXPECT_EQ(ReadBytes(GetPath()), expected);
}

TEST_F(PcapWriterTest, TheFileHasItsNameOnceItIsComplete)
{
    std::optional<PcapWriter> writer(GetPath());
    EXPECT_TRUE(std::filesystem::exists(GetPath("a.pcap.tmp")));
    EXPECT_FALSE(std::filesystem::exists(GetPath()));
    writer.reset(); // The destructor closes too.
    EXPECT_FALSE(std::filesystem::exists(GetPath("a.pcap.tmp")));
    EXPECT_EQ(std::filesystem::file_size(GetPath()), 24);
}

TEST_F(PcapWriterTest, AFolderThatIsNotThereIsOneLine)
{
    const std::string path = GetPath("nowhere/a.pcap");
    EXPECT_EQ(GetError([&] { PcapWriter writer(path); }),
              "cannot write capture " + path + ": No such file or directory");
}

TEST_F(PcapWriterTest, AFolderOfThatNameIsRefusedBeforeAnythingIsWritten)
{
    const std::string folder = GetPath("folder");
    std::filesystem::create_directory(folder);
    EXPECT_EQ(GetError([&] { PcapWriter writer(folder); }),
              "cannot write capture " + folder + ": Is a directory");
    EXPECT_FALSE(std::filesystem::exists(folder + ".tmp"));
    EXPECT_NE(GetError([&] { PcapWriter writer(folder + "/"); }), "");
    EXPECT_TRUE(std::filesystem::is_empty(folder));
}

TEST_F(PcapWriterTest, AFullDiskIsOneLine)
{
    if (!std::filesystem::exists("/dev/full"))
    {
        GTEST_SKIP() << "no /dev/full here";
    }
    std::filesystem::create_symlink("/dev/full", GetPath("a.pcap.tmp"));
    const std::string expected = "cannot write capture " + GetPath() + ": No space left on device";
    PcapWriter writer(GetPath());
    // More than any buffer: the error comes while writing.
    const std::vector<uint8_t> frame(100'000);
    EXPECT_EQ(GetError([&] { writer.Write(0, frame, frame.size()); }), expected);
    EXPECT_FALSE(std::filesystem::exists(GetPath()));
    EXPECT_FALSE(std::filesystem::is_symlink(GetPath("a.pcap.tmp")));
    EXPECT_NE(GetError([&] { writer.Write(0, frame, frame.size()); }), "");
}

TEST_F(PcapWriterTest, AFullDiskIsNoticedWhenClosing)
{
    if (!std::filesystem::exists("/dev/full"))
    {
        GTEST_SKIP() << "no /dev/full here";
    }
    std::filesystem::create_symlink("/dev/full", GetPath("a.pcap.tmp"));
    PcapWriter writer(GetPath());
    EXPECT_EQ(GetError([&] { writer.Close(); }),
              "cannot write capture " + GetPath() + ": No space left on device");
    EXPECT_FALSE(std::filesystem::exists(GetPath()));
}

TEST_F(PcapWriterTest, ALinkStaysAndADeviceIsWrittenTo)
{
    std::filesystem::create_symlink("target.pcap", GetPath("link"));
    std::filesystem::create_symlink("/dev/null", GetPath("null"));
    for (const char* name : {"link", "null"})
    {
        PcapWriter writer(GetPath(name));
        writer.Close();
        EXPECT_TRUE(std::filesystem::is_symlink(GetPath(name))) << name;
        EXPECT_FALSE(std::filesystem::exists(GetPath(name) + ".tmp"));
    }
    EXPECT_EQ(std::filesystem::file_size(GetPath("target.pcap")), 24);
    EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}
