// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/work-completion.h"

#include <gtest/gtest.h>
#include <utility>

using namespace ns3::rdma;

TEST(WorkCompletion, NamesEachStatus)
{
    const std::pair<WcStatus, const char*> cases[] = {
        {WcStatus::SUCCESS, "SUCCESS"},
        {WcStatus::LOC_LEN_ERR, "LOC_LEN_ERR"},
        {WcStatus::LOC_QP_OP_ERR, "LOC_QP_OP_ERR"},
        {WcStatus::LOC_PROT_ERR, "LOC_PROT_ERR"},
        {WcStatus::WR_FLUSH_ERR, "WR_FLUSH_ERR"},
        {WcStatus::BAD_RESP_ERR, "BAD_RESP_ERR"},
        {WcStatus::LOC_ACCESS_ERR, "LOC_ACCESS_ERR"},
        {WcStatus::REM_INV_REQ_ERR, "REM_INV_REQ_ERR"},
        {WcStatus::REM_ACCESS_ERR, "REM_ACCESS_ERR"},
        {WcStatus::REM_OP_ERR, "REM_OP_ERR"},
        {WcStatus::RETRY_EXC_ERR, "RETRY_EXC_ERR"},
        {WcStatus::RNR_RETRY_EXC_ERR, "RNR_RETRY_EXC_ERR"},
    };
    EXPECT_EQ(std::size(cases), static_cast<std::size_t>(WcStatus::COUNT));
    for (const auto& [status, name] : cases)
    {
        EXPECT_STREQ(GetWcStatusName(status), name);
    }
}

TEST(WorkCompletion, CallsWhatIsNoStatusUnknown)
{
    EXPECT_STREQ(GetWcStatusName(WcStatus::COUNT), "UNKNOWN");
}
