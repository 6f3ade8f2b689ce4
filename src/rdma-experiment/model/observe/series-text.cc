// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/series-text.h"

#include "ns3/assert.h"
#include "ns3/wide-integer.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <stdexcept>

namespace ns3::rdma
{

namespace
{
constexpr uint64_t THOUSAND{1000};
constexpr std::ptrdiff_t MAX_FIELD{32}; ///< A number, its decimals and a separator.
constexpr std::size_t MAX_WORD{64};
} // namespace

SeriesText::SeriesText(const TableSchema& table, bool isOfList)
    : m_text(table.GetHeader(isOfList))
{
}

SeriesText&
SeriesText::AddWord(const std::string& word)
{
    Separate();
    NS_ASSERT_MSG(word.size() <= MAX_WORD, "a word is too long");
    m_end = std::copy(word.begin(), word.end(), m_end);
    return *this;
}

void
SeriesText::Separate()
{
    NS_ASSERT_MSG(m_line.data() + m_line.size() - m_end > MAX_FIELD, "a row has too many fields");
    if (m_end != m_line.data())
    {
        *m_end++ = ',';
    }
}

void
SeriesText::AppendDecimals(uint64_t rest)
{
    *m_end++ = '.';
    *m_end++ = static_cast<char>('0' + rest / 100);
    *m_end++ = static_cast<char>('0' + rest / 10 % 10);
    *m_end++ = static_cast<char>('0' + rest % 10);
}

SeriesText&
SeriesText::Add(uint64_t number)
{
    Separate();
    m_end = std::to_chars(m_end, m_end + MAX_FIELD, number).ptr;
    return *this;
}

SeriesText&
SeriesText::Skip()
{
    Separate();
    return *this;
}

SeriesText&
SeriesText::AddTime(Tick picoseconds)
{
    const auto time = static_cast<uint64_t>(picoseconds);
    Add(time / THOUSAND);
    if (time % THOUSAND != 0)
    {
        AppendDecimals(time % THOUSAND);
        while (m_end[-1] == '0')
        {
            --m_end;
        }
    }
    return *this;
}

SeriesText&
SeriesText::AddMilli(uint64_t thousandths)
{
    Add(thousandths / THOUSAND);
    AppendDecimals(thousandths % THOUSAND);
    return *this;
}

SeriesText&
SeriesText::AddRate(uint64_t bytes, Tick span)
{
    // One Mb/s is a bit in a microsecond.
    constexpr uint64_t BIT_PS_PER_MBIT{8'000'000};
    const auto time = static_cast<uint64_t>(span);
    const auto scaled = static_cast<Uint128>(bytes) * BIT_PS_PER_MBIT + time / 2;
    return AddMilli(static_cast<uint64_t>(scaled / time));
}

SeriesText&
SeriesText::AddRate(uint64_t bitsPerSecond)
{
    constexpr uint64_t MBIT{1'000'000};
    return AddMilli((bitsPerSecond + MBIT / 2) / MBIT);
}

void
SeriesText::EndLine()
{
    *m_end++ = '\n';
    m_text.append(m_line.data(), m_end);
    m_end = m_line.data();
}

void
SeriesText::Write(const std::filesystem::path& path) const
{
    std::ofstream file(path, std::ios::binary);
    file << m_text;
    file.close();
    if (!file)
    {
        throw std::runtime_error(path.string() + ": cannot be written");
    }
}

} // namespace ns3::rdma
