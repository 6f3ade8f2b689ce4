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

} // namespace ns3::rdma

#endif // RDMA_ONE_LINE_H
