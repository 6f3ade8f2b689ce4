// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_BOUNDED_CHECKER_H
#define RDMA_BOUNDED_CHECKER_H

#include "ns3/attribute.h"
#include "ns3/tick.h"

#include <cstdint>
#include <string>
#include <utility>

namespace ns3::rdma
{

/// Bounds of rates that times are computed from, bit/s. At 10 Mb/s a GiB takes 859 s, so that times
/// stay far below the 2^63 ps of a Tick; 1 Pb/s is above the rate of any link.
constexpr uint64_t LEAST_RATE{10'000'000};
constexpr uint64_t MOST_RATE{1'000'000'000'000'000};

/// ns-3's checker of a type, with bounds: Check() of a subclass.
class BoundedChecker : public AttributeChecker
{
  public:
    /// @param any ns-3's checker, without bounds
    /// @param bounds as text
    BoundedChecker(Ptr<const AttributeChecker> any, std::string bounds)
        : m_any(std::move(any)),
          m_bounds(std::move(bounds))
    {
    }

    std::string GetValueTypeName() const override
    {
        return m_any->GetValueTypeName();
    }

    bool HasUnderlyingTypeInformation() const override
    {
        return true;
    }

    std::string GetUnderlyingTypeInformation() const override
    {
        return m_bounds;
    }

    Ptr<AttributeValue> Create() const override
    {
        return m_any->Create();
    }

    bool Copy(const AttributeValue& source, AttributeValue& destination) const override
    {
        return m_any->Copy(source, destination);
    }

  private:
    Ptr<const AttributeChecker> m_any;
    std::string m_bounds;
};

/**
 * ns-3's checker of a DataRate accepts every rate, zero included.
 * @return a checker that accepts rates from least to most, bit/s. Each call makes a new one, since
 * ns-3 distinguishes attributes by their checkers.
 */
Ptr<const AttributeChecker> MakeRateChecker(uint64_t least = LEAST_RATE, uint64_t most = MOST_RATE);

/**
 * ns-3's checker of a Time rounds its bounds to nanoseconds, the time resolution at registration; a
 * program can set another resolution only later.  For the same reason a default below a nanosecond
 * must be a StringValue.
 * @return a checker that accepts times from least to most. Each call makes a new one.
 */
Ptr<const AttributeChecker> MakeTickChecker(Tick least, Tick most = TICK_NEVER);

} // namespace ns3::rdma

#endif // RDMA_BOUNDED_CHECKER_H
