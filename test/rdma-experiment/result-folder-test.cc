// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/result-folder.h"

#include "../test-files.h"
#include "scenario-fixture.h"

using namespace ns3::rdma;

class ResultFolderTest : public FolderTest
{
  protected:
    size_t CountEntries() const
    {
        namespace fs = std::filesystem;
        return static_cast<size_t>(
            std::distance(fs::directory_iterator(m_folder), fs::directory_iterator()));
    }
};

TEST_F(ResultFolderTest, AppearsOnlyWhenCommitted)
{
    {
        ResultFolder folder(m_folder / "a" / "irn");
        folder.WriteFile("x.txt", "new");
        EXPECT_FALSE(std::filesystem::exists(m_folder / "a" / "irn"));
        folder.Commit();
    }
    EXPECT_EQ(ReadText(m_folder / "a" / "irn" / "x.txt"), "new");
}

TEST_F(ResultFolderTest, LeavesNothingBehindWhenAbandoned)
{
    {
        const ResultFolder folder(m_folder / "irn");
        folder.WriteFile("x.txt", "new");
    }
    EXPECT_EQ(CountEntries(), 0U);
}

TEST_F(ResultFolderTest, ReplacesOldResultsAsAWhole)
{
    std::filesystem::create_directory(m_folder / "irn");
    WriteFile("irn/flows.csv", "old");
    WriteFile("irn/hosts.csv", "old");
    WriteFile("irn/host-12.pcap", "old");
    ResultFolder folder(m_folder / "irn");
    folder.WriteFile("flows.csv", "new");
    EXPECT_EQ(ReadText(m_folder / "irn" / "flows.csv"), "old");
    folder.Commit();
    EXPECT_EQ(ReadText(m_folder / "irn" / "flows.csv"), "new");
    EXPECT_FALSE(std::filesystem::exists(m_folder / "irn" / "hosts.csv"));
    EXPECT_FALSE(std::filesystem::exists(m_folder / "irn" / "host-12.pcap"));
    EXPECT_EQ(CountEntries(), 1U);
}

TEST_F(ResultFolderTest, OldSeriesGoAndWhatIsBesideThemStays)
{
    std::filesystem::create_directories(m_folder / "irn" / "series");
    WriteFile("irn/series/queue.csv", "old");
    WriteFile("irn/series/rate.csv", "old");
    {
        ResultFolder folder(m_folder / "irn");
        std::filesystem::create_directory(folder.GetPath("series"));
        folder.WriteFile("series/queue.csv", "new");
        folder.Commit();
    }
    EXPECT_EQ(ReadText(m_folder / "irn/series/queue.csv"), "new");
    EXPECT_FALSE(std::filesystem::exists(m_folder / "irn/series/rate.csv"));
    WriteFile("irn/series/mine.csv", "mine");
    {
        ResultFolder folder(m_folder / "irn"); // Without series.
        folder.Commit();
    }
    EXPECT_FALSE(std::filesystem::exists(m_folder / "irn/series/queue.csv"));
    EXPECT_EQ(ReadText(m_folder / "irn/series/mine.csv"), "mine");
    {
        ResultFolder folder(m_folder / "irn");
        std::filesystem::create_directory(folder.GetPath("series"));
        folder.WriteFile("series/port.csv", "new");
        folder.Commit();
    }
    EXPECT_EQ(ReadText(m_folder / "irn/series/mine.csv"), "mine");
    EXPECT_EQ(ReadText(m_folder / "irn/series/port.csv"), "new");
    EXPECT_EQ(CountEntries(), 1U);
}

TEST_F(ResultFolderTest, KeepsWhatIsNotOfARun)
{
    std::filesystem::create_directories(m_folder / "irn" / "mine");
    for (const char* name : {"irn/notes.txt", "irn/mine/flows.csv", "irn/host-x.pcap"})
    {
        WriteFile(name, "mine");
    }
    ResultFolder folder(m_folder / "irn");
    folder.WriteFile("flows.csv", "new");
    folder.Commit();
    for (const char* name : {"irn/notes.txt", "irn/mine/flows.csv", "irn/host-x.pcap"})
    {
        EXPECT_EQ(ReadText(m_folder / name), "mine") << name;
    }
    EXPECT_EQ(CountEntries(), 1U);
}

TEST_F(ResultFolderTest, RemovesWhatWasMadeFromOlderResultsOnlyWhenNewOnesCome)
{
    std::filesystem::create_directories(m_folder / "plots");
    for (const char* name :
         {"compare.csv", "report.html", "plots/fct.png", "plots/mine.png", "mine.csv"})
    {
        WriteFile(name, "old");
    }
    {
        const ResultFolder abandoned(m_folder / "irn");
    }
    EXPECT_TRUE(std::filesystem::exists(m_folder / "compare.csv"));
    ResultFolder(m_folder / "irn").Commit();
    EXPECT_FALSE(std::filesystem::exists(m_folder / "compare.csv"));
    EXPECT_FALSE(std::filesystem::exists(m_folder / "report.html"));
    EXPECT_FALSE(std::filesystem::exists(m_folder / "plots/fct.png"));
    EXPECT_TRUE(std::filesystem::exists(m_folder / "plots/mine.png"));
    EXPECT_TRUE(std::filesystem::exists(m_folder / "mine.csv"));
}

TEST_F(ResultFolderTest, OfADeadProcessKeepsWhatIsNotOfARun)
{
    std::filesystem::create_directory(m_folder / ".irn.4194305.part");
    WriteFile(".irn.4194305.part/flows.csv", "old");
    WriteFile(".irn.4194305.part/notes.txt", "mine");
    ResultFolder::RemoveLeftovers(m_folder / "irn");
    EXPECT_FALSE(std::filesystem::exists(m_folder / ".irn.4194305.part/flows.csv"));
    EXPECT_TRUE(std::filesystem::exists(m_folder / ".irn.4194305.part/notes.txt"));
}

TEST_F(ResultFolderTest, RemovesWhatDeadProcessesLeftOfTheSameTargetOnly)
{
    // Linux numbers processes up to 2^22: the first number belongs to none.
    const std::string alive = ".irn." + std::to_string(getpid()) + ".part";
    for (const std::string& name :
         {std::string(".irn.4194305.part"), alive, std::string(".irn.x.4194305.part")})
    {
        std::filesystem::create_directory(m_folder / name);
    }
    ResultFolder::RemoveLeftovers(m_folder / "irn");
    EXPECT_FALSE(std::filesystem::exists(m_folder / ".irn.4194305.part"));
    EXPECT_TRUE(std::filesystem::exists(m_folder / alive));
    EXPECT_TRUE(std::filesystem::exists(m_folder / ".irn.x.4194305.part")); // Of "irn.x".
}

TEST_F(ResultFolderTest, ChecksAPlaceWithoutTouchingIt)
{
    ResultFolder::CheckWritable(m_folder / "a" / "b" / "irn");
    EXPECT_EQ(CountEntries(), 0U);
    const std::string file = WriteFile("f", "");
    EXPECT_EQ(GetInputError([&file] { ResultFolder::CheckWritable(file + "/x/irn"); }),
              file + "/x/irn: expected a folder that can be written, got: " + file +
                  " is not a folder");
}

TEST_F(ResultFolderTest, RefusesAFolderWithoutWritePermission)
{
    std::filesystem::permissions(m_folder, std::filesystem::perms::owner_read);
    const uid_t user = geteuid();
    if (user == 0)
    {
        // The superuser may write everywhere: this part is for other users.
        constexpr uid_t NOBODY{65534};
        ASSERT_EQ(seteuid(NOBODY), 0);
    }
    const std::string message =
        GetInputError([this] { ResultFolder::CheckWritable(m_folder / "irn"); });
    ASSERT_EQ(seteuid(user), 0);
    std::filesystem::permissions(m_folder, std::filesystem::perms::owner_all);
    EXPECT_NE(message.find("expected a folder that can be written, got: "), std::string::npos);
}

TEST_F(ResultFolderTest, OfALinkToAFolderTheFilesInItStayThere)
{
    namespace fs = std::filesystem;
    fs::create_directories(m_folder / "foreign" / "deep");
    fs::create_directory(m_folder / "s");
    WriteFile("foreign/letter.txt", "precious");
    WriteFile("foreign/compare.csv", "precious");
    WriteFile("foreign/flows.csv", "old");
    fs::create_directory_symlink("../foreign", m_folder / "s" / "irn");
    ResultFolder::CheckWritable(m_folder / "s" / "irn");
    ResultFolder folder(m_folder / "s" / "irn");
    folder.WriteFile("flows.csv", "new");
    folder.Commit();
    EXPECT_TRUE(fs::is_symlink(m_folder / "s" / "irn"));
    EXPECT_EQ(ReadText(m_folder / "foreign" / "letter.txt"), "precious");
    // Beside the results of one NIC this is no file of ours.
    EXPECT_EQ(ReadText(m_folder / "foreign" / "compare.csv"), "precious");
    EXPECT_TRUE(fs::is_directory(m_folder / "foreign" / "deep"));
    EXPECT_EQ(ReadText(m_folder / "s" / "irn" / "flows.csv"), "new");
    EXPECT_EQ(CountEntries(), 2U);
}

TEST_F(ResultFolderTest, ALinkToNoFolderYetIsFollowed)
{
    namespace fs = std::filesystem;
    fs::create_directory_symlink("scratch", m_folder / "irn");
    ResultFolder folder(m_folder / "irn");
    folder.WriteFile("flows.csv", "new");
    folder.Commit();
    EXPECT_TRUE(fs::is_symlink(m_folder / "irn"));
    EXPECT_EQ(ReadText(m_folder / "scratch" / "flows.csv"), "new");
}

TEST_F(ResultFolderTest, FilesBehindALinkNamedSeriesStayThere)
{
    namespace fs = std::filesystem;
    fs::create_directories(m_folder / "foreign");
    fs::create_directory(m_folder / "irn");
    WriteFile("foreign/letter.txt", "precious");
    WriteFile("foreign/queue.csv", "precious");
    fs::create_directory_symlink("../foreign", m_folder / "irn" / "series");
    ResultFolder folder(m_folder / "irn");
    fs::create_directory(folder.GetPath("series"));
    folder.WriteFile("series/queue.csv", "new");
    folder.Commit();
    EXPECT_EQ(ReadText(m_folder / "foreign" / "letter.txt"), "precious");
    EXPECT_EQ(ReadText(m_folder / "foreign" / "queue.csv"), "precious");
    EXPECT_EQ(ReadText(m_folder / "irn" / "series" / "queue.csv"), "new");
}
