// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_ONE_LINE_H
#define RDMA_ONE_LINE_H

#include <algorithm>
#include <string>

namespace ns3::rdma
{

/// @return a text without line breaks and other control characters, which names of files may have
inline std::string
MakeOneLine(std::string text)
{
    std::replace_if(
        text.begin(),
        text.end(),
        [](unsigned char c) { return c < ' ' || c == 127; },
        '?');
    return text;
}

/// @return a line for the screen, whose words of more than 300 letters are cut in their middle
inline std::string
ShortenWords(const std::string& line)
{
    constexpr std::size_t MAX_WORD{300}; // Names of files have 255.
    constexpr std::size_t KEPT{60};      // At both ends.
    std::string shortened;
    for (std::size_t begin = 0; begin < line.size();)
    {
        const std::size_t end = std::min(line.find(' ', begin), line.size());
        const std::string word = line.substr(begin, end - begin);
        shortened += word.size() <= MAX_WORD
                         ? word
                         : word.substr(0, KEPT) + "..." + word.substr(word.size() - KEPT);
        begin = end + 1;
        shortened += end < line.size() ? " " : "";
    }
    return shortened;
}

} // namespace ns3::rdma

#endif // RDMA_ONE_LINE_H
