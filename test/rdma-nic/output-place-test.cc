// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/output-place.h"

#include "../test-files.h"

#include <sys/stat.h>

using namespace ns3::rdma;

namespace fs = std::filesystem;

class OutputPlaceTest : public FolderTest
{
};

TEST_F(OutputPlaceTest, TheEndOfLinksMayBeAbsent)
{
    fs::create_directory(m_folder / "a");
    fs::create_symlink("b", m_folder / "a" / "link");
    fs::create_symlink(m_folder / "a" / "link", m_folder / "first");
    EXPECT_EQ(FollowLinks(m_folder / "first"), m_folder / "a" / "b");
    EXPECT_EQ(FollowLinks(m_folder / "plain"), m_folder / "plain");
}

TEST_F(OutputPlaceTest, LinksInALoopEnd)
{
    fs::create_symlink("loop", m_folder / "loop");
    EXPECT_EQ(FollowLinks(m_folder / "loop"), m_folder / "loop");
    EXPECT_FALSE(IsReplaceable(m_folder / "loop"));
}

TEST_F(OutputPlaceTest, OnlyAFileOrNothingIsReplaced)
{
    WriteFile("file", "x");
    fs::create_symlink("file", m_folder / "link");
    ASSERT_EQ(mkfifo((m_folder / "pipe").c_str(), 0600), 0);
    EXPECT_TRUE(IsReplaceable(m_folder / "file"));
    EXPECT_TRUE(IsReplaceable(m_folder / "nothing"));
    for (const char* name : {"link", "pipe", "."})
    {
        EXPECT_FALSE(IsReplaceable(m_folder / name)) << name;
    }
}
