// SPDX-License-Identifier: GPL-2.0-only
#include "nic-core-fixture.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{
class WorkReporterTest : public NicCoreTest
{
  protected:
    WorkReporterTest()
    {
        Start();
    }

    /// @return the notice of a send request.
    static Notices MakeNotice(const QueuePair& queuePair, uint64_t wrId)
    {
        Notices notices;
        WorkReporter::Complete(queuePair,
                               {{wrId, WcStatus::SUCCESS, queuePair.GetNumber()}},
                               notices);
        return notices;
    }

    std::vector<uint64_t> GetEnded() const
    {
        std::vector<uint64_t> numbers;
        for (const WorkCompletion& ended : m_ended)
        {
            numbers.push_back(ended.wrId);
        }
        return numbers;
    }
};

/// Keeps notices until the test looks.
class KeepingPath : public CompletionPath
{
  public:
    void Take(const Notices& notices, Tick notBefore) override
    {
        taken.insert(taken.end(), notices.begin(), notices.end());
        earliest = notBefore;
    }

    void Forget(const QueuePair& queuePair) override
    {
        forgotten.push_back(queuePair.GetNumber());
    }

    std::vector<Notice> taken;
    std::vector<uint32_t> forgotten;
    Tick earliest{0};
};
} // namespace

TEST_F(WorkReporterTest, NoticesOfAConsumerComeAfterThoseFromBefore)
{
    QueuePair& queuePair = MakeQueuePair();
    Notices notices = MakeNotice(queuePair, 1);
    notices.push_back(MakeNotice(queuePair, 2)[0]);
    m_nic->reporter.SetCompletionHandler([&](const WorkCompletion& completion) {
        m_ended.push_back(completion);
        if (completion.wrId == 1)
        {
            m_nic->reporter.Deliver(MakeNotice(queuePair, 3));
        }
    });
    m_nic->reporter.Deliver(notices);
    EXPECT_EQ(GetEnded(), (std::vector<uint64_t>{1, 2, 3}));
}

TEST_F(WorkReporterTest, AnotherPathTakesNoticesInItsPlace)
{
    auto made = std::make_unique<KeepingPath>();
    KeepingPath& path = *made;
    m_nic->reporter.SetPath(std::move(made));
    QueuePair& queuePair = MakeQueuePair();
    m_nic->reporter.Deliver(MakeNotice(queuePair, 1), 500);
    EXPECT_TRUE(m_ended.empty());
    ASSERT_EQ(path.taken.size(), 1);
    EXPECT_EQ(path.earliest, 500);
    Notices further;
    m_nic->reporter.Notify(path.taken[0], further);
    EXPECT_EQ(GetEnded(), std::vector<uint64_t>{1});
    EXPECT_TRUE(further.empty());
    m_nic->reporter.Forget(queuePair);
    EXPECT_EQ(path.forgotten, std::vector<uint32_t>{queuePair.GetNumber()});
}

TEST_F(WorkReporterTest, AnErrorFlushesWhatIsPostedAndReportsItsReason)
{
    QueuePair& queuePair = MakeQueuePair();
    m_factory->GetRequester(queuePair).Post(7, MTU);
    std::vector<AsyncEventType> events;
    m_nic->reporter.SetAsyncEventHandler(
        [&](const AsyncEvent& event) { events.push_back(event.type); });
    Notices notices;
    m_nic->reporter.EnterError(queuePair, AsyncEventType::QP_FATAL, notices);
    EXPECT_EQ(queuePair.GetState(), QpState::ERR);
    m_nic->reporter.Deliver(notices);
    ASSERT_EQ(m_ended.size(), 1);
    EXPECT_EQ(m_ended[0].status, WcStatus::WR_FLUSH_ERR);
    EXPECT_EQ(events, std::vector<AsyncEventType>{AsyncEventType::QP_FATAL});
    Notices again;
    m_nic->reporter.EnterError(queuePair, AsyncEventType::QP_FATAL, again);
    EXPECT_TRUE(again.empty()); // It is in error already.
}

TEST_F(WorkReporterTest, AQueueThatOverflowsIsReportedOnce)
{
    QueuePair& queuePair = MakeQueuePair();
    QueuePairInit init;
    init.sendCompletions = Create<CompletionQueue>(1);
    queuePair.Open(init);
    uint32_t errors = 0;
    m_nic->reporter.SetAsyncEventHandler(
        [&](const AsyncEvent& event) { errors += event.type == AsyncEventType::CQ_ERR; });
    for (uint64_t wrId = 0; wrId < 4; ++wrId)
    {
        m_nic->reporter.Deliver(MakeNotice(queuePair, wrId));
    }
    EXPECT_EQ(errors, 1);
}

TEST_F(WorkReporterTest, ADrainedQueuePairIsReportedOnce)
{
    QueuePair& queuePair = MakeQueuePair();
    m_factory->GetRequester(queuePair).SetDraining(true);
    queuePair.EnterState(QpState::SQD);
    Notices notices;
    m_nic->reporter.FinishRequests(queuePair, {}, notices);
    m_nic->reporter.FinishRequests(queuePair, {}, notices);
    ASSERT_EQ(notices.size(), 1);
    EXPECT_EQ(notices[0].event, AsyncEventType::SQ_DRAINED);
}
