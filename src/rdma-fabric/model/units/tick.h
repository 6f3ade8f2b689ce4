// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_TICK_H
#define RDMA_TICK_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/wide-integer.h"

#include <cstdint>
#include <limits>

namespace ns3::rdma
{

/// Simulated time of the packet path: picoseconds since the start of the run.
using Tick = int64_t;

/// Later than any event: the deadline of a stopped timer.
constexpr Tick TICK_NEVER = std::numeric_limits<Tick>::max();

/// Whether ns-3's time steps are known to be picoseconds: then conversions need neither a call nor
/// a division. Each FabricEngine sets it; ns-3's resolution does not change afterwards.
inline bool g_hasPicosecondSteps{false};

inline Tick
ToTick(const Time& time)
{
    // Time::Max() means never. It is not converted, since the conversion would overflow.
    if (time == Time::Max())
    {
        return TICK_NEVER;
    }
    return g_hasPicosecondSteps ? time.GetTimeStep() : time.GetPicoSeconds();
}

inline Time
ToTime(Tick tick)
{
    if (tick == TICK_NEVER)
    {
        return Time::Max();
    }
    return g_hasPicosecondSteps ? TimeStep(static_cast<uint64_t>(tick)) : PicoSeconds(tick);
}

/// Bits per byte times picoseconds per second: at a rate in bit/s, a byte takes this / rate ps.
constexpr uint64_t BIT_PS_PER_BYTE{8'000'000'000'000};

/**
 * @brief Time to serialize bytes at a fixed rate, by a multiplication.
 *
 * Exact when a byte takes a whole number of 2^-20 ps (all Ethernet rates that divide 8 Tb/s);
 * otherwise the error is below one picosecond per frame.
 */
class SerializationRate
{
  public:
    SerializationRate() = default;

    explicit SerializationRate(DataRate rate)
        : m_scaledPsPerByte(static_cast<uint64_t>(
              ((static_cast<Uint128>(BIT_PS_PER_BYTE) << SHIFT) + rate.GetBitRate() / 2) /
              rate.GetBitRate()))
    {
    }

    /// @return whether no rate was given, so that every duration is zero.
    bool IsInstant() const
    {
        return m_scaledPsPerByte == 0;
    }

    /// @param bytes on the wire
    Tick GetDuration(uint64_t bytes) const
    {
        return static_cast<Tick>((static_cast<Uint128>(bytes) * m_scaledPsPerByte) >> SHIFT);
    }

  private:
    static constexpr int SHIFT{20};
    uint64_t m_scaledPsPerByte{0};
};

} // namespace ns3::rdma

#endif // RDMA_TICK_H
