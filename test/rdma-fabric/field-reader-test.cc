// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/field-reader.h"

#include "../test-files.h"

#include <gtest/gtest.h>

using namespace ns3::rdma;

TEST(FieldReader, ReportsALastLineThatMayHaveLostItsEnd)
{
    // "1.05" cut behind "1.0" is a number still.
    const TemporaryFile cut("1 2\n3 1.0");
    FieldReader reader(cut.GetPath());
    EXPECT_TRUE(reader.Next());
    EXPECT_TRUE(reader.IsLineEnded());
    EXPECT_TRUE(reader.Next());
    EXPECT_FALSE(reader.IsLineEnded());
    EXPECT_EQ(reader.GetPlace(), cut.GetPath() + ":2");
    EXPECT_EQ(GetInputError([&reader] { reader.ExpectLineEnd(); }),
              cut.GetPath() + ":2: expected an end of line behind the last field, \"1.0\", got the "
                              "end of the file (truncated)");
    const TemporaryFile comment("1 2\n# no number");
    FieldReader other(comment.GetPath());
    EXPECT_TRUE(other.Next());
    EXPECT_FALSE(other.Next());
}

TEST(FieldReader, RefusesALineWithoutEnd)
{
    const TemporaryFile file("1\n");
    std::filesystem::resize_file(file.GetPath(), uint64_t{1} << 33); // Zeros that take no room.
    FieldReader reader(file.GetPath());
    EXPECT_TRUE(reader.Next());
    EXPECT_EQ(GetInputError([&reader] { reader.Next(); }),
              file.GetPath() + ":2: expected a line of at most 16777216 bytes, got a longer one");
}

TEST(FieldReader, SplitsLinesAndCountsThoseItSkips)
{
    const TemporaryFile file("# comment\n\n  1\t22  333 \r\n   # another\n4\n");
    FieldReader reader(file.GetPath());
    ASSERT_TRUE(reader.Next());
    EXPECT_EQ(reader.GetFields(), (std::vector<std::string_view>{"1", "22", "333"}));
    EXPECT_EQ(reader.GetLineNumber(), 3);
    ASSERT_TRUE(reader.Next());
    EXPECT_EQ(reader.GetFields(), std::vector<std::string_view>{"4"}); // No line end needed.
    EXPECT_EQ(reader.GetLineNumber(), 5);
    EXPECT_FALSE(reader.Next());
    EXPECT_TRUE(reader.GetFields().empty());
}

TEST(FieldReader, NamesAFileThatIsMissing)
{
    EXPECT_EQ(GetInputError([] { FieldReader reader("no/such.txt"); }),
              "no/such.txt: expected a file that can be read, got \"No such file or directory\"");
}

TEST(FieldReader, RefusesAFolder)
{
    EXPECT_EQ(GetInputError([] { FieldReader reader("/"); }),
              "/: expected a file, got a folder or device");
}

TEST(FieldReader, NamesLineAndFieldOfABadNumber)
{
    const TemporaryFile file("12\n12x\n\n-3\n99999999999999999999999\n7\n");
    FieldReader reader(file.GetPath());
    const auto read = [&reader] {
        reader.Next();
        return GetInputError([&reader] { reader.GetUnsigned(0, "a node", 0, 50); });
    };
    const std::string expected = ": expected a node from 0 to 50, got ";
    EXPECT_EQ(read(), "");
    EXPECT_EQ(read(), file.GetPath() + ":2" + expected + "\"12x\"");
    EXPECT_EQ(read(), file.GetPath() + ":4" + expected + "\"-3\"");
    EXPECT_EQ(read(), file.GetPath() + ":5" + expected + "\"99999999999999999999999\"");
    EXPECT_EQ(read(), "");
}

TEST(FieldReader, RefusesNumbersThatAreNotFinite)
{
    const TemporaryFile file("0.25 1e-3 nan inf 0.5x\n");
    FieldReader reader(file.GetPath());
    ASSERT_TRUE(reader.Next());
    EXPECT_EQ(reader.GetDouble(0, "p"), 0.25);
    EXPECT_EQ(reader.GetDouble(1, "p"), 0.001);
    for (const size_t index : {2, 3, 4})
    {
        EXPECT_THROW(reader.GetDouble(index, "p"), InputError);
    }
}

TEST(FieldReader, KeepsMessagesOnOneShortLine)
{
    EXPECT_EQ(FieldReader::Quote("a\nb\x80"), "\"a?b?\"");
    EXPECT_EQ(FieldReader::Quote(std::string(100, 'x')), "\"" + std::string(40, 'x') + "...\"");
}
