// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/field-reader.h"

#include "ns3/exact-quantity.h"
#include "ns3/input-error.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>

namespace ns3::rdma
{

namespace
{

constexpr std::string_view BLANKS{" \t\r\v\f"};
constexpr size_t MAX_QUOTED{40};
constexpr size_t MAX_LINE{1 << 24}; ///< Enough for the ids of 2^20 switches.
constexpr uint64_t PS_PER_SECOND{1'000'000'000'000};

} // namespace

FieldReader::FieldReader(const std::string& path)
    : m_path(path)
{
    // A folder can be opened like a file and reads as empty; a pipe cannot be read twice.
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    {
        throw InputError(path + ": expected a file, got a folder or device");
    }
    m_file.open(path);
    if (!m_file)
    {
        throw InputError(path + ": expected a file that can be read, got \"" +
                         std::strerror(errno) + "\"");
    }
}

bool
FieldReader::Next()
{
    while (ReadLineOrFail())
    {
        ++m_lineNumber;
        SplitLine();
        if (!m_fields.empty() && m_fields.front().front() != '#')
        {
            return true;
        }
    }
    m_fields.clear();
    return false;
}

bool
FieldReader::ReadLineOrFail()
{
    try
    {
        return ReadLine();
    }
    catch (const std::ios_base::failure&)
    {
        Fail("a file that can be read to its end", std::strerror(errno));
    }
}

bool
FieldReader::ReadLine()
{
    // Not std::getline(), which has no limit of length: a sparse file of zeros is a single line.
    constexpr int END{std::ifstream::traits_type::eof()};
    std::streambuf& buffer = *m_file.rdbuf();
    m_line.clear();
    m_isLineEnded = false;
    for (int c = buffer.sbumpc(); c != END; c = buffer.sbumpc())
    {
        if (c == '\n')
        {
            m_isLineEnded = true;
            return true;
        }
        if (m_line.size() == MAX_LINE)
        {
            FailAt(m_lineNumber + 1,
                   "a line of at most " + std::to_string(MAX_LINE) + " bytes",
                   "a longer one");
        }
        m_line.push_back(static_cast<char>(c));
    }
    return !m_line.empty();
}

bool
FieldReader::IsLineEnded() const
{
    return m_isLineEnded;
}

void
FieldReader::ExpectLineEnd() const
{
    if (!m_isLineEnded)
    {
        // A truncated number would be accepted as a number.
        Fail("an end of line behind the last field, " + Quote(m_fields.back()),
             "the end of the file (truncated)");
    }
}

void
FieldReader::SplitLine()
{
    m_fields.clear();
    const std::string_view line(m_line);
    size_t begin = line.find_first_not_of(BLANKS);
    while (begin != std::string_view::npos)
    {
        const size_t end = std::min(line.find_first_of(BLANKS, begin), line.size());
        m_fields.push_back(line.substr(begin, end - begin));
        begin = line.find_first_not_of(BLANKS, end);
    }
}

uint64_t
FieldReader::GetLineNumber() const
{
    return m_lineNumber;
}

std::string
FieldReader::GetPlace() const
{
    return MakePlace(m_lineNumber);
}

std::string
FieldReader::MakePlace(uint64_t line) const
{
    // Errors of an empty file are reported for line 1.
    return m_path + ":" + std::to_string(std::max<uint64_t>(line, 1));
}

const std::vector<std::string_view>&
FieldReader::GetFields() const
{
    return m_fields;
}

void
FieldReader::ExpectFieldCount(size_t count, std::string_view meaning) const
{
    if (m_fields.size() != count)
    {
        Fail(std::to_string(count) + " fields (" + std::string(meaning) + ")",
             std::to_string(m_fields.size()));
    }
}

uint64_t
FieldReader::GetUnsigned(size_t index, std::string_view meaning, uint64_t low, uint64_t high) const
{
    const std::string_view field = m_fields.at(index);
    const char* const end = field.data() + field.size();
    uint64_t value = 0;
    const auto result = std::from_chars(field.data(), end, value);
    if (result.ec != std::errc() || result.ptr != end || value < low || value > high)
    {
        Fail(std::string(meaning) + " from " + std::to_string(low) + " to " + std::to_string(high),
             Quote(field));
    }
    return value;
}

double
FieldReader::GetDouble(size_t index, std::string_view meaning) const
{
    const std::string_view field = m_fields.at(index);
    const char* const end = field.data() + field.size();
    double value = 0;
    const auto result = std::from_chars(field.data(), end, value);
    if (result.ec != std::errc() || result.ptr != end || !std::isfinite(value))
    {
        Fail(meaning, Quote(field));
    }
    return value;
}

int64_t
FieldReader::GetSecondsAsPs(size_t index, std::string_view meaning) const
{
    const std::string_view field = m_fields.at(index);
    const auto value = ParseExactDecimal(field, PS_PER_SECOND, SmallDecimals::ROUND);
    if (!value)
    {
        Fail(std::string(meaning) + " in seconds such as 2.000001079", Quote(field));
    }
    return *value;
}

void
FieldReader::Fail(std::string_view expected, std::string_view got) const
{
    FailAt(m_lineNumber, expected, got);
}

void
FieldReader::FailAt(uint64_t line, std::string_view expected, std::string_view got) const
{
    throw InputError(MakePlace(line) + ": expected " + std::string(expected) + ", got " +
                     std::string(got));
}

std::string
FieldReader::Quote(std::string_view text)
{
    std::string quoted = "\"" + std::string(text.substr(0, MAX_QUOTED));
    std::replace_if(
        quoted.begin(),
        quoted.end(),
        [](char c) { return c < ' ' || c > '~'; },
        '?');
    return quoted + (text.size() > MAX_QUOTED ? "...\"" : "\"");
}

} // namespace ns3::rdma
