// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/name-suggestion.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <numeric>
#include <utility>

namespace ns3::rdma
{

namespace
{

char
ToLower(char c)
{
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

/// @return whether a text without "-" and "_" is a part of a name, or its letters are the first
/// letter and later ones of the name in this order, as "cx6" of "connectx6".
bool
IsAbbreviation(std::string_view text, std::string_view name)
{
    constexpr size_t MIN_PART{3}; // A shorter part is in too many names.
    std::string letters;
    for (const char c : text)
    {
        if (c != '-' && c != '_')
        {
            letters += ToLower(c);
        }
    }
    std::string lower;
    std::transform(name.begin(), name.end(), std::back_inserter(lower), ToLower);
    if (letters.size() >= MIN_PART && lower.find(letters) != std::string::npos)
    {
        return true;
    }
    if (letters.size() < 2 || lower.empty() || letters.front() != lower.front())
    {
        return false;
    }
    size_t place = 0;
    return std::all_of(letters.begin(), letters.end(), [&](char letter) {
        place = lower.find(letter, place);
        return place++ != std::string::npos;
    });
}

/// Removes all names that a text does not abbreviate, if it abbreviates one.
void
KeepAbbreviated(std::string_view text, std::vector<std::pair<size_t, std::string>>& ranked)
{
    const auto others = std::stable_partition(ranked.begin(), ranked.end(), [&](const auto& entry) {
        return IsAbbreviation(text, entry.second);
    });
    if (others != ranked.begin())
    {
        ranked.erase(others, ranked.end());
    }
}

} // namespace

size_t
GetEditDistance(std::string_view a, std::string_view b)
{
    // One row of the edit distance table: row[j] is the distance of a's first i characters to b's
    // first j characters.
    std::vector<size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), 0);
    for (size_t i = 1; i <= a.size(); ++i)
    {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b.size(); ++j)
        {
            const size_t replaced = diagonal + (ToLower(a[i - 1]) == ToLower(b[j - 1]) ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row.back();
}

std::vector<std::string>
FindNearestNames(std::string_view wrong, const std::vector<std::string>& names)
{
    constexpr size_t MAX_NAMES{3};
    constexpr size_t MAX_LENGTH{100}; // A longer text is no typing error.
    wrong = wrong.substr(0, MAX_LENGTH);
    std::vector<std::pair<size_t, std::string>> ranked;
    for (const std::string& name : names)
    {
        ranked.emplace_back(GetEditDistance(wrong, name), name);
    }
    std::sort(ranked.begin(), ranked.end());
    if (!ranked.empty() && ranked.front().first > 1)
    {
        KeepAbbreviated(wrong, ranked);
    }
    std::vector<std::string> nearest;
    for (const auto& [distance, name] : ranked)
    {
        if (nearest.size() == MAX_NAMES || distance > ranked.front().first + 1)
        {
            break;
        }
        nearest.push_back(name);
    }
    return nearest;
}

std::string
DescribeNearest(std::string_view wrong, const std::vector<std::string>& names)
{
    return names.empty() ? "there are none"
                         : "nearest: " + JoinNames(FindNearestNames(wrong, names));
}

std::string
JoinNames(const std::vector<std::string>& names)
{
    std::string text;
    for (size_t i = 0; i < names.size(); ++i)
    {
        text += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
    }
    return text;
}

} // namespace ns3::rdma
