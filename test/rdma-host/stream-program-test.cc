// SPDX-License-Identifier: GPL-2.0-only

// Sending and receiving programs on two hosts, end to end.

#include "../rdma-nic/nic-test-bench.h"

#include "ns3/simple-topologies.h"
#include "ns3/stream-receiver.h"
#include "ns3/stream-sender.h"

#include <memory>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr Tick US{1'000'000};
constexpr uint64_t BASE{1 << 20};

/// One queue pair from host 0 to host 1, or several that share a receive queue.
class StreamBench
{
  public:
    StreamBench()
    {
        settings.linked = 4;
        settings.regions = 3;
        settings.messageBytes = 4096;
        settings.sendQueue = 40;
        settings.receiveQueue = 40;
        NicTestBench::Set("RdmaNic::PathMtu", "4096");
    }

    ~StreamBench()
    {
        senders.clear();
        receivers.clear();
        for (const auto& host : hosts)
        {
            host->Dispose();
        }
    }

    void Build(uint32_t queuePairs = 1, bool isShared = false)
    {
        bench.Build(MakeBackToBack(DataRate("100Gbps"), NanoSeconds(500)));
        for (uint32_t node = 0; node < 2; ++node)
        {
            hosts[node] = CreateObject<HostCores>();
            hosts[node]->Start(bench.GetCore().engine,
                               CreateObject<HostCosts>(),
                               CreateObject<CacheHierarchy>());
        }
        const auto shared =
            isShared ? Create<ReceiveQueue>(settings.receiveQueue, 1) : Ptr<ReceiveQueue>();
        Ptr<CompletionQueue> receives;
        for (uint32_t i = 0; i < queuePairs; ++i)
        {
            if (i == 0 || !isShared)
            {
                receives = Create<CompletionQueue>(settings.receiveQueue);
                receivers.push_back(std::make_unique<StreamReceiver>(*hosts[1],
                                                                     settings,
                                                                     &bench.GetNic(1),
                                                                     receives,
                                                                     shared,
                                                                     isShared ? queuePairs : 1));
            }
            AddPair(i, receives, shared);
        }
        for (const auto& receiver : receivers)
        {
            receiver->Start();
        }
        for (const auto& sender : senders)
        {
            sender->Start(10 * US);
        }
    }

    void Run(Tick until)
    {
        settings.until = until;
        Simulator::Run();
    }

    NicTestBench bench{"connectx6", true};
    StreamSettings settings;
    Ptr<HostCores> hosts[2];
    std::vector<std::unique_ptr<StreamSender>> senders;
    std::vector<std::unique_ptr<StreamReceiver>> receivers;

  private:
    void AddPair(uint32_t index, Ptr<CompletionQueue> receives, Ptr<ReceiveQueue> shared)
    {
        const auto sends = Create<CompletionQueue>(settings.sendQueue);
        QueuePairInit init;
        init.service = settings.service;
        init.hasOwnCosts = true;
        init.capabilities.maxReceiveRequests = settings.receiveQueue;
        init.capabilities.maxSendRequests = settings.sendQueue;
        init.sendCompletions = sends;
        const uint32_t from = bench.GetNic(0).CreateQueuePair(init);
        init.receiveCompletions = receives;
        init.sharedReceiveQueue = shared;
        const uint32_t to = bench.GetNic(1).CreateQueuePair(init);
        bench.GetNic(0).Connect(from, {1, to, index});
        bench.GetNic(1).Connect(to, {0, from, index});
        const auto layout =
            RegionLayout::MakeDense(BASE, settings.regions, settings.linked, settings.messageBytes);
        senders.push_back(
            std::make_unique<StreamSender>(*hosts[0],
                                           settings,
                                           StreamRoute{&bench.GetNic(0), from, sends, BASE, 0, 0},
                                           layout));
        receivers.back()->Add(to, layout);
    }
};

uint64_t
SumMessages(const StreamBench& stream)
{
    uint64_t messages = 0;
    for (const auto& receiver : stream.receivers)
    {
        messages += receiver->GetMessages();
    }
    return messages;
}

uint64_t
SumPosted(const StreamBench& stream)
{
    uint64_t messages = 0;
    for (const auto& sender : stream.senders)
    {
        messages += sender->GetStats().posted;
    }
    return messages;
}
} // namespace

TEST(StreamPrograms, EveryMessageArrivesAndIsCheckedOnce)
{
    for (const Service service : {Service::UC, Service::RC})
    {
        StreamBench stream;
        stream.settings.service = service;
        stream.Build();
        stream.Run(200 * US);
        const SenderStats& sent = stream.senders[0]->GetStats();
        EXPECT_GT(sent.posted, 100U);
        EXPECT_EQ(sent.completed, sent.posted);
        EXPECT_EQ(sent.failed, 0U);
        EXPECT_TRUE(stream.senders[0]->GetThread().HasEnded());
        const ReceivedStream& received = stream.receivers[0]->GetStreams()[0];
        EXPECT_EQ(received.messages, sent.posted);
        EXPECT_EQ(received.bytes, sent.posted * 4096);
        EXPECT_EQ(received.tracker.GetMissing(), 0U);
        EXPECT_EQ(received.tracker.GetDuplicates(), 0U);
        const HostAccount& account = stream.receivers[0]->GetThread().GetAccount();
        // 25 ns for the lock, 40 for the check and a line: 8 KiB of queue and flags are in the
        // first level, 1.429 ns.
        EXPECT_EQ(account[HostTask::CHECK], static_cast<Tick>(sent.posted) * 66'429);
        EXPECT_EQ(account[HostTask::SEARCH], 0); // There is only one queue pair.
        EXPECT_EQ(account[HostTask::SWITCH], 0);
        stream.bench.ExpectEmpty();
    }
}

TEST(StreamPrograms, ALostPacketLosesItsMessageAndTheReceiverKnowsWhich)
{
    StreamBench stream;
    stream.settings.messageBytes = 10'000; // Three packets.
    stream.Build();
    // The second packet of the sixth message: block 1 of region 1.
    stream.bench.Lose(0, 0, [](const Frame&, uint64_t number) { return number == 17; });
    std::vector<RegionReport> reports;
    stream.Run(300 * US);
    const uint64_t posted = stream.senders[0]->GetStats().posted;
    EXPECT_EQ(stream.senders[0]->GetStats().completed, posted); // It does not know.
    const ReceivedStream& received = stream.receivers[0]->GetStreams()[0];
    EXPECT_EQ(received.messages, posted - 1);
    EXPECT_EQ(received.tracker.GetMissing(), 1U);
    EXPECT_EQ(received.tracker.GetIncomplete(), 1U);
}

TEST(StreamPrograms, ASenderLooksUpTheRegionOfEachMessage)
{
    StreamBench stream;
    stream.Build();
    stream.Run(200 * US);
    const auto posted = static_cast<Tick>(stream.senders[0]->GetStats().posted);
    ASSERT_GT(posted, 100);
    // Lists of four: for each message 25 ns for the lock and 182 for the look-up.
    EXPECT_EQ(stream.senders[0]->GetThread().GetAccount()[HostTask::LIST], posted * 207'000);
}

TEST(StreamPrograms, SolicitedEventsWakeTheReceiverOncePerList)
{
    // 64 KiB take 5.3 us on the wire, so that the receiver is asleep again when the next comes: it
    // needs 1.2 us for the interrupt, 1 us to wake up, 1 us to sleep, less than 1 us for the rest.
    for (const bool isSolicited : {false, true})
    {
        StreamBench stream;
        stream.settings.messageBytes = 65536;
        stream.settings.listInterval = 40 * US;
        stream.settings.isSolicited = isSolicited;
        stream.Build();
        stream.Run(409 * US); // Lists of four at 10, 50, ... 370 us and a little.
        EXPECT_EQ(stream.senders[0]->GetStats().posted, 40U);
        EXPECT_EQ(stream.receivers[0]->GetMessages(), 40U);
        const auto& costs = stream.hosts[1]->GetCosts().Get();
        const HostAccount& account = stream.receivers[0]->GetThread().GetAccount();
        const Tick events = isSolicited ? 10 : 40;
        EXPECT_EQ(account[HostTask::EVENT], events * (costs.wakeUp + costs.sleep));
        EXPECT_EQ(account[HostTask::ACK], events * costs.ack);
        EXPECT_EQ(account[HostTask::ARM], events * costs.arm);
    }
}

TEST(StreamPrograms, AnEmptyReceiveQueueDropsMessagesOfAnUnreliableConnection)
{
    StreamBench stream;
    stream.settings.isRefilled = false;
    stream.Build();
    stream.Run(200 * US);
    const uint64_t posted = stream.senders[0]->GetStats().posted;
    EXPECT_EQ(stream.receivers[0]->GetMessages(), 40U); // What the queue had.
    EXPECT_EQ(stream.receivers[0]->GetWaiting(), 0U);
    EXPECT_EQ(stream.receivers[0]->GetRefills(), 0U);
    EXPECT_EQ(stream.bench.GetDrops(DropReason::RECEIVER_NOT_READY), posted - 40);
    EXPECT_EQ(stream.senders[0]->GetStats().completed, posted);
}

TEST(StreamPrograms, ABusyPollerUsesAWholeCoreAndASleeperDoesNot)
{
    StreamBench busy;
    busy.settings.polling = PollingMode::BUSY;
    busy.settings.listInterval = 50 * US;
    busy.Build();
    Tick use = 0;
    Simulator::Schedule(MicroSeconds(100),
                        [&] { use = busy.hosts[1]->GetUse(busy.receivers[0]->GetThread()); });
    busy.Run(200 * US);
    // All but what it took to begin: an idle core, an interrupt of 0.5 us.
    EXPECT_GT(use, 98 * US);
    EXPECT_LE(use, 100 * US);
    EXPECT_EQ(busy.receivers[0]->GetMessages(), busy.senders[0]->GetStats().posted);
    StreamBench asleep;
    asleep.settings.listInterval = 50 * US;
    asleep.Build();
    asleep.Run(200 * US);
    EXPECT_LT(asleep.hosts[1]->GetUse(asleep.receivers[0]->GetThread()), 40 * US);
    EXPECT_EQ(asleep.receivers[0]->GetMessages(), asleep.senders[0]->GetStats().posted);
}

TEST(StreamPrograms, IntervalPollingTakesManyCompletionsAtOnce)
{
    StreamBench stream;
    stream.settings.polling = PollingMode::INTERVAL;
    stream.settings.pollInterval = 20 * US;
    stream.settings.listInterval = 5 * US;
    stream.Build();
    stream.Run(200 * US);
    EXPECT_EQ(stream.receivers[0]->GetMessages(), stream.senders[0]->GetStats().posted);
    // 200 us by 20 us and the time that a round takes; then once for what comes after the load.
    EXPECT_LT(stream.receivers[0]->GetThread().GetSleeps(), 13U);
    EXPECT_GT(stream.receivers[0]->GetThread().GetSleeps(), 7U);
    EXPECT_FALSE(stream.receivers[0]->GetThread().HasEnded());
}

TEST(StreamPrograms, AThreadThatPollsOncePerNotificationTakesAllThatThereIs)
{
    // Lists of 36 come together while the thread wakes up: one poll takes them.  A thread that
    // drains its queue also polls once in vain.
    for (const PollingMode mode : {PollingMode::EVENT, PollingMode::EVENT_ONCE})
    {
        StreamBench stream;
        stream.settings.polling = mode;
        stream.settings.messageBytes = 256;
        stream.settings.linked = 36;
        stream.settings.listInterval = 40 * US;
        stream.Build();
        stream.Run(95 * US); // Lists at 10, 50 and 90 us.
        ASSERT_EQ(stream.senders[0]->GetStats().posted, 108U);
        ASSERT_EQ(stream.receivers[0]->GetMessages(), 108U);
        const auto& costs = stream.hosts[1]->GetCosts().Get();
        const HostThread& receiver = stream.receivers[0]->GetThread();
        const Tick taken = 108 * (costs.completion + receiver.GetLineTime());
        const Tick calls = (receiver.GetAccount()[HostTask::POLL] - taken) / costs.pollCall;
        const Tick events = receiver.GetAccount()[HostTask::ACK] / costs.ack;
        if (mode == PollingMode::EVENT_ONCE)
        {
            EXPECT_EQ(calls, events);
        }
        else
        {
            EXPECT_GE(calls, 2 * events); // Each ends with one that finds nothing.
        }
    }
}

TEST(StreamPrograms, APacedSenderTakesItsCompletionsInEachMode)
{
    for (const PollingMode mode : {PollingMode::EVENT, PollingMode::EVENT_ONCE})
    {
        StreamBench stream;
        stream.settings.polling = mode;
        stream.settings.listInterval = 10 * US;
        stream.settings.sendQueue = 400; // Never full: that is not what wakes the sender.
        uint64_t posted = 0;
        uint64_t completed = 0;
        Simulator::Schedule(MicroSeconds(89), [&] {
            posted = stream.senders[0]->GetStats().posted;
            completed = stream.senders[0]->GetStats().completed;
        });
        stream.Build();
        stream.Run(100 * US);
        // A list of four each 10 us from 10 us on; what has ended is taken with the next at last.
        EXPECT_EQ(posted, 8U * 4);
        EXPECT_GE(completed, 7U * 4);
        EXPECT_EQ(SumMessages(stream), SumPosted(stream));
    }
}

TEST(StreamPrograms, AMessageThatComesWhileAThreadGoesToSleepSparesItTheWakeUp)
{
    // Messages are 5.3 us apart; going to sleep takes 6 us, so that only the first finds the thread
    // asleep, and all others are got by a system call.
    StreamBench stream;
    NicTestBench::Set("HostCosts::Sleep", "6us");
    stream.settings.messageBytes = 65536;
    stream.settings.linked = 20;
    stream.Build();
    stream.Run(100 * US);
    EXPECT_GT(stream.receivers[0]->GetMessages(), 15U);
    EXPECT_LE(stream.receivers[0]->GetThread().GetSleeps(), 2U); // And once at the end.
}

TEST(StreamPrograms, BytesHaveArrivedBeforeTheThreadTakesThem)
{
    StreamBench stream;
    stream.settings.isSolicited = true;
    stream.settings.linked = 10;
    stream.settings.messageBytes = 65536; // 5.3 us each: a list takes 53 us.
    stream.settings.listInterval = 100 * US;
    stream.Build();
    std::vector<uint64_t> arrived;
    std::vector<uint64_t> taken;
    for (const int64_t when : {40, 90})
    {
        Simulator::Schedule(MicroSeconds(when), [&] {
            arrived.push_back(stream.receivers[0]->GetArrivedBytes().at(0));
            taken.push_back(stream.receivers[0]->GetBytes());
        });
    }
    // One list, from 10 us on. At 40 us the NIC has had 27 us or so for it, at 5.35 us a
    // message: 4.
    stream.Run(95 * US);
    EXPECT_EQ(taken, (std::vector<uint64_t>{0, 655'360}));
    EXPECT_EQ(arrived, (std::vector<uint64_t>{4 * 65536, 655'360}));
}

TEST(StreamPrograms, AThreadThatServesManyQueuePairsSearchesTheirData)
{
    StreamBench stream;
    stream.settings.receiveQueue = 400;
    stream.settings.listInterval = 50 * US;
    stream.Build(10, true);
    stream.Run(300 * US);
    ASSERT_EQ(stream.receivers.size(), 1U);
    EXPECT_EQ(SumMessages(stream), SumPosted(stream));
    const uint64_t each = stream.senders[0]->GetStats().posted;
    ASSERT_EQ(SumPosted(stream), 10 * each);
    // The k-th queue pair's data are found after k elements of 0.31 ns: 55 for each ten messages.
    EXPECT_EQ(stream.receivers[0]->GetThread().GetAccount()[HostTask::SEARCH],
              static_cast<Tick>(each) * 55 * 310);
    for (const ReceivedStream& received : stream.receivers[0]->GetStreams())
    {
        EXPECT_EQ(received.messages, each);
    }
}

TEST(StreamPrograms, UnsignaledRequestsSpareTheSenderCompletions)
{
    Tick poll[2];
    for (const uint32_t every : {1, 4})
    {
        StreamBench stream;
        stream.settings.signaledEvery = every;
        stream.Build();
        stream.Run(200 * US);
        const SenderStats& sent = stream.senders[0]->GetStats();
        EXPECT_EQ(sent.completed, sent.posted); // Lists of four end with a signaled one.
        poll[every > 1] = stream.senders[0]->GetThread().GetAccount()[HostTask::POLL] /
                          static_cast<Tick>(sent.posted);
    }
    EXPECT_LT(poll[1], poll[0]);
}

TEST(StreamPrograms, ThreadsOfACoreTakeTurns)
{
    StreamBench stream;
    NicTestBench::Set("HostCores::Cores", "1");
    stream.settings.listInterval = 50 * US;
    stream.Build(3);
    stream.Run(300 * US);
    EXPECT_EQ(SumMessages(stream), SumPosted(stream));
    for (const auto& receiver : stream.receivers)
    {
        EXPECT_EQ(receiver->GetThread().GetCore(), 0U);
        EXPECT_GT(receiver->GetThread().GetSwitches(), 0U);
    }
}
