// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/counted-lines.h"

#include <utility>

namespace ns3::rdma
{

CountedLines::CountedLines(FieldReader& reader, uint64_t line, uint64_t count, std::string what)
    : m_reader(reader),
      m_line(line),
      m_count(count),
      m_what(std::move(what))
{
}

bool
CountedLines::Next()
{
    if (m_read == m_count)
    {
        Finish();
        return false;
    }
    if (!m_reader.Next())
    {
        m_reader.Fail(std::to_string(m_count) + ' ' + m_what + " as line " +
                          std::to_string(m_line) + " says",
                      "the end of the file (truncated) after " + std::to_string(m_read));
    }
    ++m_read;
    return true;
}

void
CountedLines::Finish()
{
    if (m_isFinished)
    {
        return;
    }
    m_isFinished = true;
    if (!m_reader.IsLineEnded())
    {
        m_notes.push_back(m_reader.GetPlace() +
                          ": the line has no end of line; its last number may be truncated");
    }
    if (m_reader.Next())
    {
        m_notes.push_back(
            m_reader.GetPlace() + ": this line and all lines behind it are ignored, since line " +
            std::to_string(m_line) + " announces " + std::to_string(m_count) + ' ' + m_what);
    }
}

uint64_t
CountedLines::GetCount() const
{
    return m_count;
}

const std::vector<std::string>&
CountedLines::GetNotes() const
{
    return m_notes;
}

} // namespace ns3::rdma
