// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_ENTROPY_TRACES_H
#define RDMA_ENTROPY_TRACES_H

#include "uet-traces.h"

#include "ns3/entropy-selector.h"

#include <deque>
#include <gtest/gtest.h>

namespace ns3::rdma
{

/// A selector that gets its random numbers from a list.
template <typename Selector>
class Scripted : public Selector
{
  public:
    /// Each draw takes the next number.
    std::deque<uint32_t> draws;
    std::size_t drawn{0};

  private:
    uint32_t DrawBelow(uint32_t count) override
    {
        ++drawn;
        if (draws.empty())
        {
            ADD_FAILURE() << "no random number left";
            return 0;
        }
        const uint32_t draw = draws.front();
        draws.pop_front();
        EXPECT_LT(draw, count);
        return draw;
    }
};

/// @return the signal that a trace has as a number.
inline RouteSignal
GetTracedSignal(const std::string& code)
{
    constexpr RouteSignal SIGNALS[] = {RouteSignal::GOOD,
                                       RouteSignal::MARKED,
                                       RouteSignal::TRIMMED,
                                       RouteSignal::TIMEOUT};
    return SIGNALS[std::stoul(code)];
}

} // namespace ns3::rdma

#endif // RDMA_ENTROPY_TRACES_H
