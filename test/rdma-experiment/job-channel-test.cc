// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/job-channel.h"

#include <csignal>
#include <gtest/gtest.h>
#include <unistd.h>
#include <vector>

using namespace ns3::rdma;

namespace
{

/// What a channel writes, as one string.
std::string
Record(const std::function<void(JobChannel&)>& talk)
{
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    JobChannel channel(ends[1], [] { return false; });
    talk(channel);
    close(ends[1]);
    std::string bytes(100'000, '\0');
    const ssize_t size = read(ends[0], bytes.data(), bytes.size());
    close(ends[0]);
    bytes.resize(size > 0 ? static_cast<size_t>(size) : 0);
    return bytes;
}

} // namespace

TEST(JobChannel, DeliversMessagesThatArriveInPieces)
{
    const std::string bytes = Record([](JobChannel& channel) {
        channel.SendProgress({1, 2, 3, 4});
        channel.SendLine(JobLine::Kind::TROUBLE, "flow 5");
        channel.SendLine(JobLine::Kind::RESULT, "");
        channel.SendProgress({5, 6, 7, 8});
    });
    for (const size_t piece : {size_t{1}, size_t{3}, size_t{17}, bytes.size()})
    {
        std::vector<RunProgress> progress;
        std::vector<JobLine> lines;
        JobMessageParser parser([&](const RunProgress& p) { progress.push_back(p); },
                                [&](JobLine line) { lines.push_back(std::move(line)); });
        for (size_t at = 0; at < bytes.size(); at += piece)
        {
            parser.Feed(bytes.data() + at, std::min(piece, bytes.size() - at));
        }
        ASSERT_EQ(progress.size(), 2U);
        EXPECT_EQ(progress[0].flowsTotal, 2U);
        EXPECT_EQ(progress[1].packetHops, 8U);
        ASSERT_EQ(lines.size(), 2U);
        EXPECT_EQ(lines[0].kind, JobLine::Kind::TROUBLE);
        EXPECT_EQ(lines[0].text, "flow 5");
        EXPECT_EQ(lines[1].text, "");
    }
}

TEST(JobChannel, ContinuesWithoutReader)
{
    const auto old = std::signal(SIGPIPE, SIG_IGN);
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    close(ends[0]);
    JobChannel channel(ends[1], [] { return true; });
    channel.SendLine(JobLine::Kind::RESULT, "unheard");
    EXPECT_TRUE(channel.ShouldStop());
    close(ends[1]);
    std::signal(SIGPIPE, old);
}
