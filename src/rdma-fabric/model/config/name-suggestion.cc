// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/name-suggestion.h"

#include <algorithm>
#include <cctype>
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
