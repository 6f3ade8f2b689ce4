// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/host-costs.h"

#include "ns3/type-attributes.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(HostCosts);

TypeId
HostCosts::GetTypeId()
{
    const auto cost = [](Tick HostCostTable::*field, const char* initial) {
        constexpr Tick LONGEST_COST{1'000'000'000}; // 1 ms.
        return Part(&HostCosts::m_table, field, initial, 0, LONGEST_COST);
    };
    static TypeId tid =
        TypeAttributes::Of<HostCosts, Object>("ns3::rdma::HostCosts", "RdmaHost")
            .Add("Post",
                 cost(&HostCostTable::post, "40ns"),
                 "Core time of the first send work request of a call (our estimate, as "
                 "HostCpu::PostCost)")
            .Add("LinkedPost",
                 cost(&HostCostTable::linkedPost, "28ns"),
                 "Core time of each further send work request of the call (our estimate, of the "
                 "order of the message descriptor's setup in Zambre et al., ICPP 2019)")
            .Add("Doorbell",
                 cost(&HostCostTable::doorbell, "60ns"),
                 "Core time of the store to the NIC and its barrier, once per call (our estimate, "
                 "as HostCpu::DoorbellCost)")
            .Add("ReceiveCall",
                 cost(&HostCostTable::receiveCall, "20ns"),
                 "Core time of a call that posts receive work requests, with its doorbell record "
                 "in host memory (our estimate)")
            .Add("Receive",
                 cost(&HostCostTable::receive, "15ns"),
                 "Core time of each receive work request of such a call (our estimate)")
            .Add("PollCall",
                 cost(&HostCostTable::pollCall, "20ns"),
                 "Core time of a call that takes completions, or finds none (our estimate: with "
                 "Completion HostCpu::PollCost)")
            .Add("Completion",
                 cost(&HostCostTable::completion, "20ns"),
                 "Core time of each completion taken (our estimate: with PollCall "
                 "HostCpu::PollCost)")
            .Add("Arm",
                 cost(&HostCostTable::arm, "60ns"),
                 "Core time of a request for a notification: a store to the NIC (as Doorbell)")
            .Add("GetEvent",
                 cost(&HostCostTable::getEvent, "200ns"),
                 "Core time of the system call that gets a pending notification (our estimate)")
            .Add("Sleep",
                 cost(&HostCostTable::sleep, "940ns"),
                 "Core time to block until a notification: system call, and switch to the idle "
                 "task (fitted with WakeUp: 43 % of a core, 64 kB, thesis Table 5.1)")
            .Add("WakeUp",
                 cost(&HostCostTable::wakeUp, "940ns"),
                 "Core time to resume with the notification (the other half of Sleep: our choice)")
            .Add("Ack",
                 cost(&HostCostTable::ack, "25ns"),
                 "Core time of the acknowledgment of a notification: a lock (as Lock)")
            .Add("Lock",
                 cost(&HostCostTable::lock, "25ns"),
                 "Core time of lock and unlock of the memory manager's mutex (25 ns: Dean, Latency "
                 "numbers, 2009)")
            .Add("Check",
                 cost(&HostCostTable::check, "40ns"),
                 "Core time of the check of immediate data and the flag of its block, without the "
                 "lock (fitted: 11 % at 100 queue pairs, thesis Table 5.6)")
            .Add("RegionLookup",
                 cost(&HostCostTable::regionLookup, "182ns"),
                 "Core time to find the memory region of a message to send, without the lock "
                 "(fitted: 92 Gb/s, 4 KiB, one at a time, thesis Figure 5.4)")
            .Add("SearchElement",
                 cost(&HostCostTable::searchElement, "310ps"),
                 "Core time of each element of the array of queue pairs that a search passes "
                 "(fitted: 17 % at 500 queue pairs, thesis Table 5.6)")
            .Add("Sample",
                 cost(&HostCostTable::sample, "11us"),
                 "Core time in which a thread measures its own goodput and use (fitted: 22 % at "
                 "500 queue pairs with a thread each, thesis section 7.1.4)")
            .Add("Interrupt",
                 cost(&HostCostTable::interrupt, "200ns"),
                 "Core time of the handler of an interrupt, until the thread is ready (fitted: 52 "
                 "% less use with solicited events, 4 KiB, thesis section 5.2.2)")
            .Add("IdleExit",
                 cost(&HostCostTable::idleExit, "1us"),
                 "Time from an interrupt to the first instruction of an idle core (our estimate, "
                 "of the order of a shallow idle state in Schoene et al., CLUSTER 2021)")
            .Add("ContextSwitch",
                 cost(&HostCostTable::contextSwitch, "1200ns"),
                 "Core time of the switch of a core from a thread whose time slice is over (our "
                 "estimate, of the order of pinned threads in Bendersky, 2018)")
            .Add("SwitchLines",
                 Part(&HostCosts::m_table, &HostCostTable::switchLines, 100, 0, 1000000),
                 "Cache lines that a thread reloads after other threads have run on its core (our "
                 "estimate)");
    return tid;
}

} // namespace ns3::rdma
