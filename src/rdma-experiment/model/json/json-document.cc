// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/json-document.h"

#include "ns3/input-error.h"
#include "ns3/input-text.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

namespace ns3::rdma
{

namespace
{

using Json = nlohmann::json;

constexpr auto REPLACE_BAD_UTF8 = Json::error_handler_t::replace;

/// Reads a text for the parser and counts its position.
class CountingIterator
{
  public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    CountingIterator(const char* place, size_t* count)
        : m_place(place),
          m_count(count)
    {
    }

    reference operator*() const
    {
        return *m_place;
    }

    CountingIterator& operator++()
    {
        ++m_place;
        ++*m_count;
        return *this;
    }

    bool operator==(const CountingIterator& other) const
    {
        return m_place == other.m_place;
    }

    bool operator!=(const CountingIterator& other) const
    {
        return m_place != other.m_place;
    }

  private:
    const char* m_place;
    size_t* m_count;
};

/// "FILE:LINE:COLUMN" of the byte that the parser stopped at, counted from 1.
std::string
LocateByte(const std::string& text, size_t byte, const std::string& file)
{
    const size_t end = std::min(byte > 0 ? byte - 1 : 0, text.size());
    const auto begin = text.begin();
    const auto line = 1 + std::count(begin, begin + static_cast<std::ptrdiff_t>(end), '\n');
    const size_t lastBreak = end == 0 ? std::string::npos : text.rfind('\n', end - 1);
    const size_t column = lastBreak == std::string::npos ? end + 1 : end - lastBreak;
    return file + ":" + std::to_string(line) + ":" + std::to_string(column);
}

/// The library's message, without its exception id and position.
std::string
ExtractReason(std::string_view message)
{
    const auto idEnd = message.find("] ");
    if (idEnd != std::string_view::npos)
    {
        message.remove_prefix(idEnd + 2);
    }
    constexpr std::string_view MARK{"syntax error while "};
    const auto mark = message.find(MARK);
    if (mark != std::string_view::npos)
    {
        message.remove_prefix(mark + MARK.size());
    }
    std::string reason(message);
    std::replace_if(
        reason.begin(),
        reason.end(),
        [](unsigned char c) { return c < ' ' || c > '~'; },
        '?');
    return reason;
}

/**
 * Builds a document from parser events in linear time: the parser's own filter scans a list again
 * after each element.
 */
class DocumentBuilder : public nlohmann::json_sax<Json>
{
  public:
    /// @param position how many bytes the parser has read; changes during parsing
    DocumentBuilder(const std::string& text, std::string file, const size_t& position)
        : m_text(text),
          m_file(std::move(file)),
          m_position(position)
    {
    }

    Json TakeDocument()
    {
        return std::move(m_document);
    }

    bool null() override
    {
        Place(nullptr);
        return true;
    }

    bool boolean(bool value) override
    {
        Place(value);
        return true;
    }

    bool number_integer(number_integer_t value) override
    {
        Place(value);
        return true;
    }

    bool number_unsigned(number_unsigned_t value) override
    {
        Place(value);
        return true;
    }

    bool number_float(number_float_t value, const string_t&) override
    {
        Place(value);
        return true;
    }

    bool string(string_t& value) override
    {
        Place(std::move(value));
        return true;
    }

    bool binary(binary_t&) override
    {
        return false; // Does not occur in text.
    }

    bool start_object(size_t) override
    {
        Open(Json::object());
        return true;
    }

    bool end_object() override
    {
        m_levels.pop_back();
        return true;
    }

    bool start_array(size_t) override
    {
        Open(Json::array());
        return true;
    }

    bool end_array() override
    {
        m_levels.pop_back();
        return true;
    }

    bool key(string_t& name) override
    {
        Level& level = m_levels.back();
        const auto [member, isNew] = level.container->emplace(name, nullptr);
        level.member = &*member;
        level.key = std::move(name);
        if (!isNew)
        {
            throw InputError(m_file + ": " + DescribePlace() +
                             ": expected each key once, got it twice");
        }
        return true;
    }

    bool parse_error(size_t position, const std::string&, const Json::exception& error) override
    {
        // The position of a number out of range counts from 0, others from 1.
        const bool isSyntax = dynamic_cast<const Json::parse_error*>(&error) != nullptr;
        throw InputError(LocateByte(m_text, position + (isSyntax ? 0 : 1), m_file) +
                         ": expected JSON, got " +
                         (isSyntax ? "an error while " : "a number that is too large: ") +
                         ExtractReason(error.what()));
    }

  private:
    /// An open object or list.
    struct Level
    {
        Json* container;
        Json* member{nullptr}; ///< Of an object: the value of the last key.
        std::string key;
    };

    Json* Place(Json value)
    {
        if (m_levels.empty())
        {
            m_document = std::move(value);
            return &m_document;
        }
        Level& level = m_levels.back();
        if (level.container->is_array())
        {
            level.container->push_back(std::move(value));
            return &level.container->back();
        }
        *level.member = std::move(value);
        return level.member;
    }

    void Open(Json container)
    {
        if (m_levels.size() == MAX_JSON_DEPTH)
        {
            throw InputError(LocateByte(m_text, m_position, m_file) + ": expected at most " +
                             std::to_string(MAX_JSON_DEPTH) +
                             " objects and lists within one another, got more");
        }
        m_levels.push_back({Place(std::move(container)), nullptr, {}});
    }

    /// @return the path of the last key.
    std::string DescribePlace() const
    {
        std::string path = "$";
        for (const Level& level : m_levels)
        {
            path = level.container->is_array() ? AppendJsonIndex(path, level.container->size() - 1)
                                               : AppendJsonKey(path, level.key);
        }
        return path;
    }

    const std::string& m_text;
    std::string m_file;
    const size_t& m_position;
    Json m_document;
    std::vector<Level> m_levels;
};

} // namespace

Json
ParseJson(const std::string& text, const std::string& file)
{
    const size_t null = text.find('\0');
    if (null != std::string::npos)
    {
        // The parser treats NUL as the end of the text.
        throw InputError(LocateByte(text, null + 1, file) + ": expected JSON, got a NUL byte");
    }
    size_t position = 0;
    DocumentBuilder builder(text, file, position);
    const char* const end = text.data() + text.size();
    Json::sax_parse(CountingIterator(text.data(), &position),
                    CountingIterator(end, &position),
                    &builder);
    return builder.TakeDocument();
}

Json
ReadJsonFile(const std::string& file)
{
    return ParseJson(ReadInputText(file, "scenario file"), file);
}

std::string
AppendJsonKey(const std::string& path, const std::string& key)
{
    const auto isPlain = [](unsigned char c) {
        return std::isalnum(c) || c == '_' || c == '-' || c == ':';
    };
    constexpr size_t MAX_PLAIN{100};
    if (!key.empty() && key.size() <= MAX_PLAIN && std::all_of(key.begin(), key.end(), isPlain))
    {
        return path + "." + key;
    }
    return path + "[" + DescribeJson(key) + "]";
}

std::string
AppendJsonIndex(const std::string& path, size_t index)
{
    return path + "[" + std::to_string(index) + "]";
}

std::string
DescribeJson(const Json& value)
{
    constexpr size_t MAX_LENGTH{60};
    if (value.is_object())
    {
        return value.empty() ? "an empty object" : "an object";
    }
    if (value.is_array())
    {
        return value.empty() ? "an empty list" : "a list";
    }
    if (value.is_string() && value.get_ref<const std::string&>().size() > MAX_LENGTH)
    {
        // Only the beginning: the string may be as long as the file.
        const Json begin = value.get_ref<const std::string&>().substr(0, MAX_LENGTH);
        const std::string quoted = begin.dump(-1, ' ', true, REPLACE_BAD_UTF8);
        return quoted.substr(0, MAX_LENGTH) + "...";
    }
    std::string text = value.dump(-1, ' ', true, REPLACE_BAD_UTF8);
    if (text.size() > MAX_LENGTH)
    {
        text = text.substr(0, MAX_LENGTH) + "...";
    }
    return text;
}

} // namespace ns3::rdma
