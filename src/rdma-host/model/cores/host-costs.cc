// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/host-costs.h"

#include "ns3/bounded-checker.h"
#include "ns3/nstime.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(HostCosts);

namespace
{
constexpr Tick LONGEST_COST{1'000'000'000}; ///< 1 ms.
} // namespace

TypeId
HostCosts::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::HostCosts")
            .SetParent<Object>()
            .SetGroupName("RdmaHost")
            .AddConstructor<HostCosts>()
            .AddAttribute("Post",
                          "Core time of the first send work request of a call (our estimate, as "
                          "HostCpu::PostCost)",
                          StringValue("40ns"),
                          MakeTimeAccessor(&HostCosts::m_post),
                          MakeTickChecker(0, LONGEST_COST))
            .AddAttribute(
                "LinkedPost",
                "Core time of each further send work request of the call (our estimate, of the "
                "order of the message descriptor's setup in Zambre et al., ICPP 2019)",
                StringValue("28ns"),
                MakeTimeAccessor(&HostCosts::m_linkedPost),
                MakeTickChecker(0, LONGEST_COST))
            .AddAttribute("Doorbell",
                          "Core time of the store to the NIC and its barrier, once per call (our "
                          "estimate, as HostCpu::DoorbellCost)",
                          StringValue("60ns"),
                          MakeTimeAccessor(&HostCosts::m_doorbell),
                          MakeTickChecker(0, LONGEST_COST))
            .AddAttribute("ReceiveCall",
                          "Core time of a call that posts receive work requests, with its "
                          "doorbell record in host memory (our estimate)",
                          StringValue("20ns"),
                          MakeTimeAccessor(&HostCosts::m_receiveCall),
                          MakeTickChecker(0, LONGEST_COST))
            .AddAttribute("Receive",
                          "Core time of each receive work request of such a call (our estimate)",
                          StringValue("15ns"),
                          MakeTimeAccessor(&HostCosts::m_receive),
                          MakeTickChecker(0, LONGEST_COST))
            .AddAttribute("PollCall",
                          "Core time of a call that takes completions, or finds none (our "
                          "estimate: with Completion HostCpu::PollCost)",
                          StringValue("20ns"),
                          MakeTimeAccessor(&HostCosts::m_pollCall),
                          MakeTickChecker(0, LONGEST_COST))
            .AddAttribute("Completion",
                          "Core time of each completion taken (our estimate: with PollCall "
                          "HostCpu::PollCost)",
                          StringValue("20ns"),
                          MakeTimeAccessor(&HostCosts::m_completion),
                          MakeTickChecker(0, LONGEST_COST))
            .AddAttribute("Arm",
                          "Core time of a request for a notification: a store to the NIC (as "
                          "Doorbell)",
                          StringValue("60ns"),
                          MakeTimeAccessor(&HostCosts::m_arm),
                          MakeTickChecker(0, LONGEST_COST))
            .AddAttribute("GetEvent",
                          "Core time of the system call that gets a pending notification (our "
                          "estimate)",
                          StringValue("200ns"),
                          MakeTimeAccessor(&HostCosts::m_getEvent),
                          MakeTickChecker(0, LONGEST_COST))
            .AddAttribute("Sleep",
                          "Core time to block until a notification: system call, and switch to "
                          "the idle task (fitted with WakeUp: 43 % of a core, 64 kB, thesis Table "
                          "5.1)",
                          StringValue("940ns"),
                          MakeTimeAccessor(&HostCosts::m_sleep),
                          MakeTickChecker(0, LONGEST_COST))
            .AddAttribute("WakeUp",
                          "Core time to resume with the notification (the other "
                          "half of Sleep: our choice)",
                          StringValue("940ns"),
                          MakeTimeAccessor(&HostCosts::m_wakeUp),
                          MakeTickChecker(0, LONGEST_COST))
            .AddAttribute("Ack",
                          "Core time of the acknowledgment of a notification: a lock (as Lock)",
                          StringValue("25ns"),
                          MakeTimeAccessor(&HostCosts::m_ack),
                          MakeTickChecker(0, LONGEST_COST))
            .AddAttribute("Lock",
                          "Core time of lock and unlock of the memory manager's mutex (25 ns: "
                          "Dean, Latency numbers, 2009)",
                          StringValue("25ns"),
                          MakeTimeAccessor(&HostCosts::m_lock),
                          MakeTickChecker(0, LONGEST_COST))
            .AddAttribute("Check",
                          "Core time of the check of immediate data and the flag of its block, "
                          "without the lock (fitted: 11 % at 100 queue pairs, thesis Table 5.6)",
                          StringValue("40ns"),
                          MakeTimeAccessor(&HostCosts::m_check),
                          MakeTickChecker(0, LONGEST_COST))
            .AddAttribute("RegionLookup",
                          "Core time to find the memory region of a list of requests, without the "
                          "lock (fitted: 92 Gb/s, 4 KiB, one at a time, thesis Figure 5.4)",
                          StringValue("182ns"),
                          MakeTimeAccessor(&HostCosts::m_regionLookup),
                          MakeTickChecker(0, LONGEST_COST))
            .AddAttribute("SearchElement",
                          "Core time of each element of the array of queue pairs that a search "
                          "passes (fitted: 17 % at 500 queue pairs, thesis Table 5.6)",
                          StringValue("310ps"),
                          MakeTimeAccessor(&HostCosts::m_searchElement),
                          MakeTickChecker(0, LONGEST_COST))
            .AddAttribute("Sample",
                          "Core time in which a thread measures its own goodput and use (fitted: "
                          "22 % at 500 queue pairs with a thread each, thesis section 7.1.4)",
                          StringValue("11us"),
                          MakeTimeAccessor(&HostCosts::m_sample),
                          MakeTickChecker(0, LONGEST_COST))
            .AddAttribute("Interrupt",
                          "Core time of the handler of an interrupt, until the thread is ready "
                          "(fitted: 52 % less use with solicited events, 4 KiB, thesis section "
                          "5.2.2)",
                          StringValue("200ns"),
                          MakeTimeAccessor(&HostCosts::m_interrupt),
                          MakeTickChecker(0, LONGEST_COST))
            .AddAttribute(
                "IdleExit",
                "Time from an interrupt to the first instruction of an idle core (our estimate, "
                "of the order of a shallow idle state in Schoene et al., CLUSTER 2021)",
                StringValue("1us"),
                MakeTimeAccessor(&HostCosts::m_idleExit),
                MakeTickChecker(0, LONGEST_COST))
            .AddAttribute(
                "ContextSwitch",
                "Core time of the switch of a core from a thread whose time slice is over (our "
                "estimate, of the order of pinned threads in Bendersky, 2018)",
                StringValue("1200ns"),
                MakeTimeAccessor(&HostCosts::m_contextSwitch),
                MakeTickChecker(0, LONGEST_COST))
            .AddAttribute("SwitchLines",
                          "Lines of its own that a thread goes through when it wakes up, and "
                          "that other threads of its core have displaced (our estimate)",
                          UintegerValue(100),
                          MakeUintegerAccessor(&HostCosts::m_switchLines),
                          MakeUintegerChecker<uint32_t>(0, 1000000));
    return tid;
}

HostCosts::HostCosts() = default;

void
HostCosts::NotifyConstructionCompleted()
{
    m_table.post = ToTick(m_post);
    m_table.linkedPost = ToTick(m_linkedPost);
    m_table.doorbell = ToTick(m_doorbell);
    m_table.receiveCall = ToTick(m_receiveCall);
    m_table.receive = ToTick(m_receive);
    m_table.pollCall = ToTick(m_pollCall);
    m_table.completion = ToTick(m_completion);
    m_table.arm = ToTick(m_arm);
    m_table.getEvent = ToTick(m_getEvent);
    m_table.sleep = ToTick(m_sleep);
    m_table.wakeUp = ToTick(m_wakeUp);
    m_table.ack = ToTick(m_ack);
    m_table.lock = ToTick(m_lock);
    m_table.check = ToTick(m_check);
    m_table.regionLookup = ToTick(m_regionLookup);
    m_table.searchElement = ToTick(m_searchElement);
    m_table.sample = ToTick(m_sample);
    m_table.interrupt = ToTick(m_interrupt);
    m_table.idleExit = ToTick(m_idleExit);
    m_table.contextSwitch = ToTick(m_contextSwitch);
    m_table.switchLines = m_switchLines;
    Object::NotifyConstructionCompleted();
}

} // namespace ns3::rdma
