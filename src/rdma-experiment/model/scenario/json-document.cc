// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/json-document.h"

#include "ns3/input-error.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <set>
#include <sstream>
#include <string_view>
#include <vector>

namespace ns3::rdma
{

namespace
{

using Json = nlohmann::json;

constexpr auto REPLACE_BAD_UTF8 = Json::error_handler_t::replace;

/// Where a parse stands, so that a repeated key can be named by its path.
class KeyWatcher
{
  public:
    explicit KeyWatcher(std::string file)
        : m_file(std::move(file))
    {
    }

    /// What the callback of Json::parse() does; keeps everything.
    bool Watch(Json::parse_event_t event, const Json& parsed)
    {
        using Event = Json::parse_event_t;
        switch (event)
        {
        case Event::object_start:
        case Event::array_start:
            m_levels.push_back({MakeChildPath(), {}, {}, 0, event == Event::array_start});
            break;
        case Event::key:
            OnKey(parsed.get<std::string>());
            break;
        case Event::object_end:
        case Event::array_end:
            m_levels.pop_back();
            CountElement();
            break;
        case Event::value:
            CountElement();
            break;
        }
        return true;
    }

  private:
    /// One object or list that is open.
    struct Level
    {
        std::string path;
        std::set<std::string> keys;
        std::string key;
        size_t index;
        bool isArray;
    };

    void OnKey(const std::string& key)
    {
        Level& level = m_levels.back();
        level.key = key;
        if (!level.keys.insert(key).second)
        {
            throw InputError(m_file + ": " + AppendJsonKey(level.path, key) +
                             ": expected each key once, got it twice");
        }
    }

    std::string MakeChildPath() const
    {
        if (m_levels.empty())
        {
            return "$";
        }
        const Level& level = m_levels.back();
        return level.isArray ? AppendJsonIndex(level.path, level.index)
                             : AppendJsonKey(level.path, level.key);
    }

    void CountElement()
    {
        if (!m_levels.empty())
        {
            ++m_levels.back().index;
        }
    }

    std::string m_file;
    std::vector<Level> m_levels;
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

/// The library's own words, without its exception id and position.
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

} // namespace

Json
ParseJson(const std::string& text, const std::string& file)
{
    KeyWatcher watcher(file);
    try
    {
        return Json::parse(text, [&watcher](int, Json::parse_event_t event, Json& parsed) {
            return watcher.Watch(event, parsed);
        });
    }
    catch (const Json::parse_error& error)
    {
        throw InputError(LocateByte(text, error.byte, file) +
                         ": expected JSON, got an error while " + ExtractReason(error.what()));
    }
    catch (const Json::exception& error)
    {
        throw InputError(file + ": expected JSON, got: " + ExtractReason(error.what()));
    }
}

Json
ReadJsonFile(const std::string& file)
{
    errno = 0;
    std::ifstream stream(file, std::ios::binary);
    std::ostringstream text;
    if (!stream || !(text << stream.rdbuf()))
    {
        // An empty file also ends here: inserting nothing counts as a failure.
        const std::string reason = errno != 0 ? std::strerror(errno) : "an empty file";
        throw InputError(file + ": expected a readable scenario file, got: " + reason);
    }
    return ParseJson(text.str(), file);
}

std::string
AppendJsonKey(const std::string& path, const std::string& key)
{
    const auto isPlain = [](unsigned char c) {
        return std::isalnum(c) || c == '_' || c == '-' || c == ':';
    };
    if (!key.empty() && std::all_of(key.begin(), key.end(), isPlain))
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
    std::string text = value.dump(-1, ' ', true, REPLACE_BAD_UTF8);
    if (text.size() > MAX_LENGTH)
    {
        text = text.substr(0, MAX_LENGTH) + "...";
    }
    return text;
}

} // namespace ns3::rdma
