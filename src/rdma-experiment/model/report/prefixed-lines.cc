// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/prefixed-lines.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

PrefixedLines::PrefixedLines(std::streambuf& out, std::string prefix)
    : m_out(out),
      m_prefix(std::move(prefix))
{
}

PrefixedLines::int_type
PrefixedLines::overflow(int_type character)
{
    if (traits_type::eq_int_type(character, traits_type::eof()))
    {
        return traits_type::not_eof(character);
    }
    const char one = traits_type::to_char_type(character);
    return xsputn(&one, 1) == 1 ? character : traits_type::eof();
}

std::streamsize
PrefixedLines::xsputn(const char* text, std::streamsize count)
{
    const auto prefixSize = static_cast<std::streamsize>(m_prefix.size());
    const char* const end = text + count;
    for (const char* line = text; line != end;)
    {
        if (m_isAtBegin && m_out.sputn(m_prefix.data(), prefixSize) != prefixSize)
        {
            return line - text;
        }
        const char* const found = std::find(line, end, '\n');
        m_isAtBegin = found != end;
        const char* const next = m_isAtBegin ? found + 1 : end;
        if (m_out.sputn(line, next - line) != next - line)
        {
            return line - text;
        }
        line = next;
    }
    return count;
}

} // namespace ns3::rdma
