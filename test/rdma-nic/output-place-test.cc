// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/output-place.h"

#include "../temporary-folder.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>

using namespace ns3::rdma;

namespace fs = std::filesystem;

namespace
{
class OutputPlaceTest : public testing::Test
{
  protected:
    fs::path GetPath(const std::string& name) const
    {
        return fs::path(m_folder.GetPath()) / name;
    }

  private:
    TemporaryFolder m_folder;
};
} // namespace

TEST_F(OutputPlaceTest, TheEndOfLinksMayBeAbsent)
{
    fs::create_directory(GetPath("a"));
    fs::create_symlink("b", GetPath("a/link"));
    fs::create_symlink(GetPath("a/link"), GetPath("first"));
    EXPECT_EQ(FollowLinks(GetPath("first")), GetPath("a/b"));
    EXPECT_EQ(FollowLinks(GetPath("plain")), GetPath("plain"));
}

TEST_F(OutputPlaceTest, LinksInALoopEnd)
{
    fs::create_symlink("loop", GetPath("loop"));
    EXPECT_EQ(FollowLinks(GetPath("loop")), GetPath("loop"));
    EXPECT_FALSE(IsReplaceable(GetPath("loop")));
}

TEST_F(OutputPlaceTest, OnlyAFileOrNothingIsReplaced)
{
    std::ofstream(GetPath("file")) << "x";
    fs::create_symlink("file", GetPath("link"));
    ASSERT_EQ(mkfifo(GetPath("pipe").c_str(), 0600), 0);
    EXPECT_TRUE(IsReplaceable(GetPath("file")));
    EXPECT_TRUE(IsReplaceable(GetPath("nothing")));
    for (const char* name : {"link", "pipe", "."})
    {
        EXPECT_FALSE(IsReplaceable(GetPath(name))) << name;
    }
}
