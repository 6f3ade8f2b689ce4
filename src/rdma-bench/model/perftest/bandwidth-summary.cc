// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/bandwidth-summary.h"

#include "ns3/assert.h"
#include "ns3/wide-integer.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{

constexpr double PS_PER_SECOND{1e12};
constexpr double MEBI{1 << 20};
constexpr double MILLION{1e6};

/// Messages in a span of time; compared as a fraction, in 128 bits: products of messages and
/// picoseconds of long tests pass 63.
struct Span
{
    int64_t messages;
    Tick time;
};

bool
IsFaster(const Span& a, const Span& b)
{
    return Int128{a.messages} * b.time > Int128{b.messages} * a.time;
}

/**
 * One step of Dinkelbach's method for the largest fraction: the span (i, j) that maximizes
 * (j - i + 1) x guess.time - (completed[j] - posted[i]) x guess.messages. It is found in one pass,
 * as the best i for each j is the best of all so far.
 */
Span
Improve(const std::vector<Tick>& posted, const std::vector<Tick>& completed, const Span& guess)
{
    const auto count = static_cast<int64_t>(posted.size());
    int64_t first = 0;
    Span best = guess;
    Int128 bestGain = 0;
    const auto getStart = [&](int64_t i) {
        return Int128{posted[i]} * guess.messages - Int128{i} * guess.time;
    };
    for (int64_t last = 0; last < count; ++last)
    {
        first = getStart(last) > getStart(first) ? last : first;
        const Int128 gain = Int128{last + 1} * guess.time -
                            Int128{completed[last]} * guess.messages + getStart(first);
        if (gain > bestGain)
        {
            bestGain = gain;
            best = {last - first + 1, completed[last] - posted[first]};
        }
    }
    return best;
}

/// perftest compares all pairs, and gives up on it beyond 20,000 messages.
Span
FindPeak(const std::vector<Tick>& posted, const std::vector<Tick>& completed, const Span& whole)
{
    Span peak = whole;
    for (Span next = Improve(posted, completed, peak); IsFaster(next, peak);
         next = Improve(posted, completed, peak))
    {
        peak = next;
    }
    return peak;
}

double
GetRate(const Span& span)
{
    return static_cast<double>(span.messages) * PS_PER_SECOND / static_cast<double>(span.time);
}

} // namespace

BandwidthSummary&
BandwidthSummary::operator+=(const BandwidthSummary& other)
{
    peak += other.peak;
    average += other.average;
    messageRate += other.messageRate;
    return *this;
}

BandwidthSummary
SummarizeBandwidth(const std::vector<Tick>& posted,
                   const std::vector<Tick>& completed,
                   uint64_t bytes)
{
    NS_ASSERT_MSG(!posted.empty() && posted.size() == completed.size(),
                  "each message is posted and completed");
    const Span whole{static_cast<int64_t>(posted.size()), completed.back() - posted.front()};
    NS_ASSERT_MSG(whole.time > 0, "messages take time");
    const double messageBytes = static_cast<double>(bytes);
    BandwidthSummary summary;
    summary.peak = GetRate(FindPeak(posted, completed, whole)) * messageBytes / MEBI;
    summary.average = GetRate(whole) * messageBytes / MEBI;
    summary.messageRate = GetRate(whole) / MILLION;
    return summary;
}

BandwidthSummary
SummarizeSample(uint64_t messages, Tick time, uint64_t bytes)
{
    const double rate = GetRate({static_cast<int64_t>(messages), time});
    return {0, rate * static_cast<double>(bytes) / MEBI, rate / MILLION};
}

} // namespace ns3::rdma
