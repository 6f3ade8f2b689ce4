// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/number-text.h"

#include <cstdio>

namespace ns3::rdma
{

std::string
FormatPaddedNs(int64_t ps)
{
    constexpr int64_t PS_PER_NS{1000};
    char text[40];
    std::snprintf(text,
                  sizeof text,
                  ps % PS_PER_NS == 0 ? "%lld" : "%lld.%03lld",
                  static_cast<long long>(ps / PS_PER_NS),
                  static_cast<long long>(ps % PS_PER_NS));
    return text;
}

std::string
FormatNs(int64_t ps)
{
    std::string text = FormatPaddedNs(ps);
    if (text.find('.') != std::string::npos)
    {
        text.erase(text.find_last_not_of('0') + 1);
    }
    return text;
}

std::string
FormatNumber(double value)
{
    char text[40];
    std::snprintf(text, sizeof text, "%.6g", value);
    return text;
}

} // namespace ns3::rdma
