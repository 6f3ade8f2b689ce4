// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/bounded-checker.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <string>

namespace ns3::rdma
{

namespace
{

/// @return the number in the largest unit that divides it, with the unit.
template <std::size_t N>
std::string
Format(uint64_t number, const char* const (&units)[N])
{
    std::size_t unit = 0;
    while (unit + 1 < N && number > 0 && number % 1000 == 0)
    {
        number /= 1000;
        ++unit;
    }
    return std::to_string(number) + units[unit];
}

class RateChecker : public BoundedChecker
{
  public:
    RateChecker(uint64_t least, uint64_t most)
        : BoundedChecker(MakeDataRateChecker(), "DataRate " + Show(least) + ":" + Show(most)),
          m_least(least),
          m_most(most)
    {
    }

    bool Check(const AttributeValue& value) const override
    {
        const auto* rate = dynamic_cast<const DataRateValue*>(&value);
        return rate && rate->Get().GetBitRate() >= m_least && rate->Get().GetBitRate() <= m_most;
    }

  private:
    static std::string Show(uint64_t rate)
    {
        return Format(rate, {"bps", "kbps", "Mbps", "Gbps"});
    }

    uint64_t m_least;
    uint64_t m_most;
};

class TickChecker : public BoundedChecker
{
  public:
    TickChecker(Tick least, Tick most)
        : BoundedChecker(MakeTimeChecker(), "Time " + Show(least) + ":" + Show(most)),
          m_least(least),
          m_most(most)
    {
    }

    bool Check(const AttributeValue& value) const override
    {
        const auto* time = dynamic_cast<const TimeValue*>(&value);
        return time && ToTick(time->Get()) >= m_least && ToTick(time->Get()) <= m_most;
    }

  private:
    static std::string Show(Tick time)
    {
        return Format(static_cast<uint64_t>(time), {"ps", "ns", "us", "ms", "s"});
    }

    Tick m_least;
    Tick m_most;
};

} // namespace

Ptr<const AttributeChecker>
MakeRateChecker(uint64_t least, uint64_t most)
{
    return ns3::Create<RateChecker>(least, most);
}

Ptr<const AttributeChecker>
MakeTickChecker(Tick least, Tick most)
{
    return ns3::Create<TickChecker>(least, most);
}

} // namespace ns3::rdma
