// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/record-queue.h"

#include "ns3/byte-buffer.h"
#include "ns3/flow-log.h"

#include <gtest/gtest.h>
#include <sstream>
#include <utility>

using namespace ns3::rdma;

namespace
{

FlowRecord
MakeRecord(uint64_t flow, int64_t startPs, int64_t endPs)
{
    FlowRecord record;
    record.flow = flow;
    record.startPs = startPs;
    record.fctPs = endPs - startPs;
    record.idealPs = 1;
    return record;
}

class RecordQueueTest : public testing::Test
{
  protected:
    /// @return the flow numbers written so far, in order.
    std::vector<uint64_t> GetWritten() const
    {
        std::istringstream rows(m_out.str());
        std::string row;
        std::getline(rows, row); // Head.
        std::vector<uint64_t> flows;
        while (std::getline(rows, row))
        {
            flows.push_back(std::stoull(row));
        }
        return flows;
    }

    void WriteBefore(int64_t timePs)
    {
        m_queue.WriteBefore(timePs, [this](const FlowRecord& record) { m_log.Write(record); });
    }

    std::ostringstream m_out;
    FlowLog m_log{m_out};
    RecordQueue<FlowRecord> m_queue;
};

} // namespace

TEST_F(RecordQueueTest, WritesByEndThenByNumber)
{
    m_queue.Add(MakeRecord(5, 0, 300));
    m_queue.Add(MakeRecord(4, 100, 300));
    m_queue.Add(MakeRecord(9, 50, 200));
    WriteBefore(INT64_MAX);
    EXPECT_EQ(GetWritten(), (std::vector<uint64_t>{9, 4, 5}));
}

TEST_F(RecordQueueTest, KeepsWhatMayStillBeOvertaken)
{
    m_queue.Add(MakeRecord(7, 0, 100));
    m_queue.Add(MakeRecord(8, 0, 200));
    WriteBefore(100); // Flow 3 may end at 100, too.
    EXPECT_TRUE(GetWritten().empty());
    m_queue.Add(MakeRecord(3, 0, 100));
    WriteBefore(200);
    EXPECT_EQ(GetWritten(), (std::vector<uint64_t>{3, 7}));
    WriteBefore(201);
    EXPECT_EQ(GetWritten(), (std::vector<uint64_t>{3, 7, 8}));
}

TEST_F(RecordQueueTest, MergesWhatAnotherProcessHasPacked)
{
    RecordQueue<FlowRecord> other;
    FlowRecord record = MakeRecord(2, 10, 150);
    record.src = 3;
    record.dst = 4;
    record.bytes = 5;
    record.idealPs = 6;
    record.packets = 7;
    record.retransmitted = 8;
    record.timeouts = 9;
    record.status = FlowStatus::FAILED;
    record.reason = "no luck";
    other.Add(std::move(record));
    other.Add(MakeRecord(6, 0, 50));
    ByteBuffer buffer;
    buffer.Put(other.Take());
    EXPECT_TRUE(other.Take().empty());

    m_queue.Add(MakeRecord(1, 0, 100));
    ByteReader reader(buffer);
    m_queue.Add(reader.Get<std::vector<FlowRecord>>());
    EXPECT_EQ(reader.GetLeft(), 0);
    WriteBefore(INT64_MAX);
    EXPECT_EQ(GetWritten(), (std::vector<uint64_t>{6, 1, 2}));
    EXPECT_NE(m_out.str().find("2,3,4,5,0.01,,0.006,,7,8,9,failed"), std::string::npos)
        << m_out.str();
    EXPECT_EQ(m_log.GetTroubles().at(0), "flow 2 from 3 to 4 (5 bytes) failed: no luck");
}
