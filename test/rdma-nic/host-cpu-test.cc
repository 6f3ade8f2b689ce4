// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/host-cpu.h"

#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <set>
#include <string>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

/// Costs of 10, 20, 30, 40 and 50 ns, in the order of CpuTask.
Ptr<HostCpu>
MakeCpu(uint32_t cores)
{
    return CreateObjectWithAttributes<HostCpu>("Cores",
                                               UintegerValue(cores),
                                               "PostCost",
                                               TimeValue(NanoSeconds(10)),
                                               "DoorbellCost",
                                               TimeValue(NanoSeconds(20)),
                                               "PollCost",
                                               TimeValue(NanoSeconds(30)),
                                               "NotifyCost",
                                               TimeValue(NanoSeconds(40)),
                                               "RetransmissionCost",
                                               TimeValue(NanoSeconds(50)));
}

constexpr Tick NS{1000};

} // namespace

TEST(HostCpu, EachTaskTakesItsOwnCost)
{
    const auto cpu = MakeCpu(5);
    for (uint32_t task = 0; task < CPU_TASKS; ++task)
    {
        const Tick done = cpu->Run(0, 0, task, static_cast<CpuTask>(task));
        EXPECT_EQ(done, (task + 1) * 10 * NS) << GetCpuTaskName(static_cast<CpuTask>(task));
    }
}

TEST(HostCpu, DoesOneTaskAfterTheOtherOnACore)
{
    const auto cpu = MakeCpu(2);
    EXPECT_EQ(cpu->Run(0, 0, 0, CpuTask::POLL), 30 * NS);
    EXPECT_EQ(cpu->Run(5 * NS, 5 * NS, 0, CpuTask::POST), 40 * NS); // Waits from 5 to 30.
    EXPECT_EQ(cpu->Run(100 * NS, 100 * NS, 0, CpuTask::POST), 110 * NS);
}

TEST(HostCpu, CoresDoNotWaitForEachOther)
{
    const auto cpu = MakeCpu(2);
    cpu->Run(0, 0, 0, CpuTask::POLL);
    EXPECT_EQ(cpu->Run(0, 0, 1, CpuTask::POST), 10 * NS);
    EXPECT_EQ(cpu->Run(0, 0, 2, CpuTask::POST), 40 * NS); // 2 modulo 2: behind the poll.
}

TEST(HostCpu, TimesMultipliesCostAndCount)
{
    const auto cpu = MakeCpu(1);
    EXPECT_EQ(cpu->Run(0, 0, 0, CpuTask::POST, 8), 80 * NS);
    EXPECT_EQ(cpu->GetStats().count[0], 8U);
    EXPECT_EQ(cpu->GetStats().busy[0], 80 * NS);
    EXPECT_EQ(cpu->Run(80 * NS, 80 * NS, 0, CpuTask::POST, 0), 80 * NS); // Nothing to do.
}

TEST(HostCpu, ATaskThatStartsLaterDelaysNoOther)
{
    const auto cpu = MakeCpu(1);
    EXPECT_EQ(cpu->Run(0, 1000 * NS, 0, CpuTask::NOTIFY), 1040 * NS);
    // Its 40 ns are gone, the time until 1000 ns is not.
    EXPECT_EQ(cpu->Run(0, 0, 0, CpuTask::POST), 50 * NS);
}

TEST(HostCpu, SumsBusyTimeByTaskOverAllCores)
{
    const auto cpu = MakeCpu(4);
    for (uint32_t core = 0; core < 4; ++core)
    {
        cpu->Run(0, 0, core, CpuTask::POST);
        cpu->Run(0, 0, core, CpuTask::RETRANSMISSION);
    }
    EXPECT_EQ(cpu->GetStats().busy[static_cast<std::size_t>(CpuTask::POST)], 40 * NS);
    EXPECT_EQ(cpu->GetStats().busy[static_cast<std::size_t>(CpuTask::RETRANSMISSION)], 200 * NS);
    EXPECT_EQ(cpu->GetStats().busy[static_cast<std::size_t>(CpuTask::POLL)], 0);
    // 240 ns of work in 100 ns.
    EXPECT_DOUBLE_EQ(cpu->GetUtilisation(100 * NS), 2.4);
    EXPECT_DOUBLE_EQ(cpu->GetUtilisation(0), 0);
}

TEST(HostCpu, HasTheCoresOfSrnicsTestbed)
{
    EXPECT_EQ(CreateObject<HostCpu>()->GetCores(), 16U);
    EXPECT_EQ(MakeCpu(3)->GetCores(), 3U);
}

TEST(HostCpu, NeedsACore)
{
    const auto cpu = CreateObject<HostCpu>();
    EXPECT_FALSE(cpu->SetAttributeFailSafe("Cores", UintegerValue(0)));
    EXPECT_FALSE(cpu->SetAttributeFailSafe("PostCost", TimeValue(NanoSeconds(-1))));
}

TEST(HostCpu, TasksHaveNamesOfTheirOwn)
{
    std::set<std::string> names;
    for (uint32_t task = 0; task < CPU_TASKS; ++task)
    {
        names.insert(GetCpuTaskName(static_cast<CpuTask>(task)));
    }
    EXPECT_EQ(names.size(), CPU_TASKS);
    EXPECT_EQ(names.count("retransmission"), 1U);
}
