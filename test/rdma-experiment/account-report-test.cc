// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/account-report.h"

#include <gtest/gtest.h>
#include <sstream>

using namespace ns3::rdma;

namespace
{

const std::vector<std::string> PORTS{"server 0 port 0 to switch 2", "switch 2 port 1 to server 1"};

/// 10 us: 4 for a window, of these 3 of propagation; 5 of propagation there and back; 1 in a chip.
ExplainedFlow
MakeFlow()
{
    FlowRecord record;
    record.flow = 7;
    record.dst = 1;
    record.bytes = 5000;
    record.startPs = 1'000'000;
    record.fctPs = 10'000'000;
    record.idealPs = 8'000'000;
    record.retransmitted = 2;
    record.timeouts = 1;
    FlowAccount account(1'000'000, 11'000'000);
    account.Add(4'000'000, {FlowCause::WINDOW, FlowCause::PROPAGATION, 1, true});
    account.Add(5'000'000, FlowCause::WINDOW);
    account.Add(6'000'000, FlowCause::PROPAGATION, 0);
    account.Add(7'000'000, FlowCause::RECEIVE);
    account.Add(11'000'000, FlowCause::PROPAGATION, 0, true);
    return {record, account};
}

} // namespace

TEST(AccountReport, PartsAreByCauseAndSumToTheTime)
{
    const auto parts = MakeParts(MakeFlow().account);
    ASSERT_EQ(parts.size(), 5U);
    EXPECT_EQ(parts[0].place.within, FlowCause::PROPAGATION);
    EXPECT_EQ(parts[0].time, 3'000'000);
    EXPECT_EQ(parts[4].place.cause, FlowCause::RECEIVE);
    Tick sum = 0;
    for (const FlowPart& part : parts)
    {
        sum += part.time;
    }
    EXPECT_EQ(sum, 10'000'000);
}

TEST(AccountReport, TextHasGroupsCausesAndPlaces)
{
    std::ostringstream out;
    WriteText(MakeFlow(), PORTS, "srnic", {}, out);
    const auto line = [](const std::string& text, const std::string& numbers) {
        return text + std::string(72 - text.size(), ' ') + numbers + '\n';
    };
    EXPECT_EQ(
        out.str(),
        "flow 7 of srnic: server 0 to server 1, 5000 bytes, slowdown 1.25, 2 packets sent again, "
        "1 timeouts\n\n" +
            line("completion time (us), share", "            10.000000  100.00 %") +
            "waiting at the sender\n" + line("  window", "             4.000000   40.00 %") +
            line("    propagation, switch 2 port 1 to server 1 (answer)",
                 "             3.000000   30.00 %") +
            "on the way\n" + line("  propagation", "             5.000000   50.00 %") +
            line("    server 0 port 0 to switch 2", "             1.000000   10.00 %") +
            line("    server 0 port 0 to switch 2 (answer)", "             4.000000   40.00 %") +
            "hardware\n" + line("  receive pipeline", "             1.000000   10.00 %") +
            line("    of data, at the receiver", "             1.000000   10.00 %"));
}

TEST(AccountReport, JsonHasAPartPerPlace)
{
    std::ostringstream out;
    WriteJson(MakeFlow(), PORTS, "srnic", {}, out);
    EXPECT_NE(out.str().find(R"("fct_ps": 10000000)"), std::string::npos);
    EXPECT_NE(out.str().find(R"({
      "group": "waiting at the sender",
      "cause": "window",
      "within": "propagation",
      "port": "switch 2 port 1 to server 1",
      "way": "answer",
      "ps": 3000000
    })"),
              std::string::npos)
        << out.str();
}

TEST(AccountReport, TableHasALinePerFlowAndAColumnPerCause)
{
    ExplainedFlow later = MakeFlow();
    later.record.flow = 8;
    std::ostringstream out;
    WriteTable({later, MakeFlow()}, {}, out);
    EXPECT_EQ(
        out.str(),
        "flow,src,dst,bytes,start_ps,fct_ps,fluid_ps,window_ps,credit_ps,rate_ps,scheduler_ps,"
        "sender_pfc_ps,queue_pair_ps,not_ready_ps,serialization_ps,propagation_ps,"
        "queueing_ps,pfc_ps,timeout_ps,nak_ps,resent_ps,trimmed_ps,recovery_ps,post_ps,context_ps,"
        "requests_ps,payload_ps,transmit_ps,chip_ps,receive_context_ps,receive_ps,answer_ps,"
        "slow_path_ps,completion_ps\n"
        "7,0,1,5000,1000000,10000000,0,4000000,0,0,0,0,0,0,0,5000000,0,0,0,0,0,0,0,0,0,0,0,0,0,0,"
        "1000000,0,0,0\n"
        "8,0,1,5000,1000000,10000000,0,4000000,0,0,0,0,0,0,0,5000000,0,0,0,0,0,0,0,0,0,0,0,0,0,0,"
        "1000000,0,0,0\n");
}
