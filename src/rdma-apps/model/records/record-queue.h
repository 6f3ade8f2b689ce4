// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RECORD_QUEUE_H
#define RDMA_RECORD_QUEUE_H

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-metrics
 * @brief Sorts records, which arrive when their operations end, or from other ranks, for their
 * file.
 *
 * A record is kept until no earlier one can arrive.
 *
 * @tparam Record has GetTime(), and IsBefore(), which orders records by it first
 */
template <typename Record>
class RecordQueue
{
  public:
    void Add(Record record)
    {
        m_earliestPs = std::min(m_earliestPs, record.GetTime());
        m_records.push_back(std::move(record));
    }

    void Add(std::vector<Record> records)
    {
        for (Record& record : records)
        {
            Add(std::move(record));
        }
    }

    /// Calls write(record) for the records of earlier times, in order. None of such a time may be
    /// added later.
    template <typename Write>
    void WriteBefore(int64_t timePs, const Write& write)
    {
        if (m_earliestPs >= timePs)
        {
            return;
        }
        const auto end =
            std::partition(m_records.begin(), m_records.end(), [timePs](const Record& record) {
                return record.GetTime() < timePs;
            });
        std::sort(m_records.begin(), end, [](const Record& left, const Record& right) {
            return left.IsBefore(right);
        });
        std::for_each(m_records.begin(), end, write);
        m_records.erase(m_records.begin(), end);
        m_earliestPs = INT64_MAX;
        for (const Record& record : m_records)
        {
            m_earliestPs = std::min(m_earliestPs, record.GetTime());
        }
    }

    /// @return all that are left, in any order; clears this.
    std::vector<Record> Take()
    {
        m_earliestPs = INT64_MAX;
        return std::exchange(m_records, {});
    }

  private:
    std::vector<Record> m_records;
    int64_t m_earliestPs{INT64_MAX};
};

} // namespace ns3::rdma

#endif // RDMA_RECORD_QUEUE_H
