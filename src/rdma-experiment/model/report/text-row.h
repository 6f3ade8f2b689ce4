// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_TEXT_ROW_H
#define RDMA_TEXT_ROW_H

#include "ns3/number-text.h"

#include <cstdint>
#include <ostream>
#include <string>

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
    TextRow& Add(const std::string& cell)
    {
        Separate();
        m_text += cell;
        return *this;
    }

    TextRow& Add(uint64_t number)
    {
        Separate();
        AppendInteger(number, m_text);
        return *this;
    }

    TextRow& AddEmpty()
    {
        Separate();
        return *this;
    }

    /// Adds a time in nanoseconds: see FormatNs(). @param ps not negative
    TextRow& AddNs(int64_t ps)
    {
        Separate();
        AppendNs(ps, m_text);
        return *this;
    }

    /// Adds a number with six significant digits.
    TextRow& AddNumber(double number)
    {
        Separate();
        AppendNumber(number, m_text);
        return *this;
    }

    /// Writes the line, and begins the next one.
    void WriteTo(std::ostream& out)
    {
        m_text += '\n';
        out.write(m_text.data(), static_cast<std::streamsize>(m_text.size()));
        m_text.clear();
        m_isEmpty = true;
    }

  private:
    void Separate()
    {
        if (!m_isEmpty)
        {
            m_text += ',';
        }
        m_isEmpty = false;
    }

    std::string m_text;
    bool m_isEmpty{true};
};

} // namespace ns3::rdma

#endif // RDMA_TEXT_ROW_H
