// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/host-costs.h"

#include "ns3/type-attributes.h"

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
        TypeAttributes::Of<HostCosts, Object>("ns3::rdma::HostCosts", "RdmaHost")
            .Add("Post",
                 Member(&HostCosts::m_post, "40ns", 0, LONGEST_COST),
                 "Core time of the first send work request of a call (our estimate, as "
                 "HostCpu::PostCost)")
            .Add("LinkedPost",
                 Member(&HostCosts::m_linkedPost, "28ns", 0, LONGEST_COST),
                 "Core time of each further send work request of the call (our estimate, of the "
                 "order of the message descriptor's setup in Zambre et al., ICPP 2019)")
            .Add("Doorbell",
                 Member(&HostCosts::m_doorbell, "60ns", 0, LONGEST_COST),
                 "Core time of the store to the NIC and its barrier, once per call (our estimate, "
                 "as HostCpu::DoorbellCost)")
            .Add("ReceiveCall",
                 Member(&HostCosts::m_receiveCall, "20ns", 0, LONGEST_COST),
                 "Core time of a call that posts receive work requests, with its doorbell record "
                 "in host memory (our estimate)")
            .Add("Receive",
                 Member(&HostCosts::m_receive, "15ns", 0, LONGEST_COST),
                 "Core time of each receive work request of such a call (our estimate)")
            .Add("PollCall",
                 Member(&HostCosts::m_pollCall, "20ns", 0, LONGEST_COST),
                 "Core time of a call that takes completions, or finds none (our estimate: with "
                 "Completion HostCpu::PollCost)")
            .Add("Completion",
                 Member(&HostCosts::m_completion, "20ns", 0, LONGEST_COST),
                 "Core time of each completion taken (our estimate: with PollCall "
                 "HostCpu::PollCost)")
            .Add("Arm",
                 Member(&HostCosts::m_arm, "60ns", 0, LONGEST_COST),
                 "Core time of a request for a notification: a store to the NIC (as Doorbell)")
            .Add("GetEvent",
                 Member(&HostCosts::m_getEvent, "200ns", 0, LONGEST_COST),
                 "Core time of the system call that gets a pending notification (our estimate)")
            .Add("Sleep",
                 Member(&HostCosts::m_sleep, "940ns", 0, LONGEST_COST),
                 "Core time to block until a notification: system call, and switch to the idle "
                 "task (fitted with WakeUp: 43 % of a core, 64 kB, thesis Table 5.1)")
            .Add("WakeUp",
                 Member(&HostCosts::m_wakeUp, "940ns", 0, LONGEST_COST),
                 "Core time to resume with the notification (the other half of Sleep: our choice)")
            .Add("Ack",
                 Member(&HostCosts::m_ack, "25ns", 0, LONGEST_COST),
                 "Core time of the acknowledgment of a notification: a lock (as Lock)")
            .Add("Lock",
                 Member(&HostCosts::m_lock, "25ns", 0, LONGEST_COST),
                 "Core time of lock and unlock of the memory manager's mutex (25 ns: Dean, Latency "
                 "numbers, 2009)")
            .Add("Check",
                 Member(&HostCosts::m_check, "40ns", 0, LONGEST_COST),
                 "Core time of the check of immediate data and the flag of its block, without the "
                 "lock (fitted: 11 % at 100 queue pairs, thesis Table 5.6)")
            .Add("RegionLookup",
                 Member(&HostCosts::m_regionLookup, "182ns", 0, LONGEST_COST),
                 "Core time to find the memory region of a list of requests, without the lock "
                 "(fitted: 92 Gb/s, 4 KiB, one at a time, thesis Figure 5.4)")
            .Add("SearchElement",
                 Member(&HostCosts::m_searchElement, "310ps", 0, LONGEST_COST),
                 "Core time of each element of the array of queue pairs that a search passes "
                 "(fitted: 17 % at 500 queue pairs, thesis Table 5.6)")
            .Add("Sample",
                 Member(&HostCosts::m_sample, "11us", 0, LONGEST_COST),
                 "Core time in which a thread measures its own goodput and use (fitted: 22 % at "
                 "500 queue pairs with a thread each, thesis section 7.1.4)")
            .Add("Interrupt",
                 Member(&HostCosts::m_interrupt, "200ns", 0, LONGEST_COST),
                 "Core time of the handler of an interrupt, until the thread is ready (fitted: 52 "
                 "% less use with solicited events, 4 KiB, thesis section 5.2.2)")
            .Add("IdleExit",
                 Member(&HostCosts::m_idleExit, "1us", 0, LONGEST_COST),
                 "Time from an interrupt to the first instruction of an idle core (our estimate, "
                 "of the order of a shallow idle state in Schoene et al., CLUSTER 2021)")
            .Add("ContextSwitch",
                 Member(&HostCosts::m_contextSwitch, "1200ns", 0, LONGEST_COST),
                 "Core time of the switch of a core from a thread whose time slice is over (our "
                 "estimate, of the order of pinned threads in Bendersky, 2018)")
            .Add("SwitchLines",
                 Member(&HostCosts::m_switchLines, 100, 0, 1000000),
                 "Lines of its own that a thread goes through when it wakes up, and that other "
                 "threads of its core have displaced (our estimate)");
    return tid;
}

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
