// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_TEXT_ROW_H
#define RDMA_TEXT_ROW_H

#include "ns3/number-text.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string_view>
#include <type_traits>
#include <vector>

namespace ns3::rdma
{

/// A time of a cell, in nanoseconds as WriteNs() has it.
struct NsCell
{
    int64_t ps; ///< Not negative.

    char* Write(char* to) const
    {
        return WriteNs(ps, to);
    }
};

/// The same as WritePaddedNs() has it.
struct PaddedNsCell
{
    int64_t ps; ///< Not negative.

    char* Write(char* to) const
    {
        return WritePaddedNs(ps, to);
    }
};

/// A number of a cell with three decimals.
struct MilliCell
{
    uint64_t thousandths;

    char* Write(char* to) const
    {
        return WriteMilli(thousandths, to);
    }
};

/**
 * @ingroup rdma-metrics
 * @brief A line of a table with commas between its cells. It uses no stream, which looks up its
 * locale for each number: an interrupted run may have millions of lines to write.
 */
class TextRow
{
  public:
    /// @param prefix first cell of each line; empty: none
    explicit TextRow(std::string_view prefix = "")
    {
        if (!prefix.empty())
        {
            Add(prefix);
        }
        m_begin = m_size;
    }

    /// Adds a word, an unsigned number, a number with six significant digits, or a cell as above.
    template <typename Value>
    TextRow& Add(const Value& value)
    {
        if constexpr (std::is_convertible_v<const Value&, std::string_view>)
        {
            const std::string_view word = value;
            char* const to = Reserve(word.size());
            return End(std::copy(word.begin(), word.end(), to));
        }
        else if constexpr (std::is_floating_point_v<Value>)
        {
            return End(WriteNumber(value, Reserve(MAX_NUMBER_TEXT)));
        }
        else if constexpr (std::is_integral_v<Value>)
        {
            static_assert(std::is_unsigned_v<Value>, "a cell has no sign");
            return End(WriteInteger(value, Reserve(MAX_NUMBER_TEXT)));
        }
        else
        {
            return End(value.Write(Reserve(MAX_NUMBER_TEXT)));
        }
    }

    /// Adds an empty cell if the value is unset.
    template <typename Value>
    TextRow& Add(const std::optional<Value>& value)
    {
        return value ? Add(*value) : End(Reserve(0));
    }

    /// Writes the line, and begins the next one. @param out at least one cell was added
    void WriteTo(std::ostream& out)
    {
        m_text[m_size - 1] = '\n'; // In place of the last comma.
        out.write(m_text.data(), static_cast<std::streamsize>(m_size));
        m_size = m_begin;
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
    std::size_t m_size{0};  ///< Of the cells, each with a comma behind it.
    std::size_t m_begin{0}; ///< The same of the prefix.
};

} // namespace ns3::rdma

#endif // RDMA_TEXT_ROW_H
