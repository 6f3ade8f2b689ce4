// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_TEXT_ROW_H
#define RDMA_TEXT_ROW_H

#include "ns3/number-text.h"

#include <algorithm>
#include <cstdint>
#include <ostream>
#include <string_view>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-metrics
 * @brief A line of a table with commas between its cells. It uses no stream, which looks up its
 * locale for each number: an interrupted run may have millions of lines to write.
 */
class TextRow
{
  public:
    TextRow& Add(std::string_view cell)
    {
        char* const to = Reserve(cell.size());
        std::copy(cell.begin(), cell.end(), to);
        return End(to + cell.size());
    }

    TextRow& Add(uint64_t number)
    {
        return End(WriteInteger(number, Reserve(MAX_NUMBER_TEXT)));
    }

    TextRow& AddEmpty()
    {
        return End(Reserve(0));
    }

    /// Adds a time in nanoseconds: see FormatNs(). @param ps not negative
    TextRow& AddNs(int64_t ps)
    {
        return End(WriteNs(ps, Reserve(MAX_NUMBER_TEXT)));
    }

    /// Adds a number with six significant digits.
    TextRow& AddNumber(double number)
    {
        return End(WriteNumber(number, Reserve(MAX_NUMBER_TEXT)));
    }

    /// Writes the line, and begins the next one.
    void WriteTo(std::ostream& out)
    {
        if (m_size == 0)
        {
            AddEmpty();
        }
        m_text[m_size - 1] = '\n'; // In place of the last comma.
        out.write(m_text.data(), static_cast<std::streamsize>(m_size));
        m_size = 0;
    }

  private:
    /// @return where the next cell begins, with room for it and its comma.
    char* Reserve(std::size_t bytes)
    {
        constexpr std::size_t USUAL{256};
        if (m_text.size() < m_size + bytes + 1)
        {
            m_text.resize(std::max(USUAL, 2 * (m_size + bytes + 1)));
        }
        return m_text.data() + m_size;
    }

    TextRow& End(char* end)
    {
        *end = ',';
        m_size = static_cast<std::size_t>(end - m_text.data()) + 1;
        return *this;
    }

    std::vector<char> m_text;
    std::size_t m_size{0}; ///< Of the cells, each with a comma behind it.
};

} // namespace ns3::rdma

#endif // RDMA_TEXT_ROW_H
