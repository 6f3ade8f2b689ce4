// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_ENTROPY_SELECTOR_H
#define RDMA_ENTROPY_SELECTOR_H

#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/random-stream.h"

#include <cstdint>
#include <optional>

namespace ns3::rdma
{

/// What the answer to a packet, or its absence, says about the packet's route.
enum class RouteSignal : uint8_t
{
    GOOD,    ///< It arrived, without CE; or the last switch, where all routes meet, trimmed it.
    MARKED,  ///< It carried CE.
    TRIMMED, ///< A switch before the last one has removed its payload.
    LOST,    ///< The loss detector considers it lost.
    TIMEOUT, ///< The retransmission timer has expired for it.
};

/// What an EntropySelector knows when its queue pair starts.
struct EntropyFacts
{
    RandomStream random;    ///< Used by this queue pair alone.
    uint32_t bdpPackets{1}; ///< Full packets in a bandwidth-delay product, at least 1.
    Time baseRtt;           ///< As PathInfo::baseRtt.
    uint32_t planes{1};     ///< Disjoint fabrics; the plane of a value is its remainder by planes.
};

/**
 * @ingroup rdma-multipath
 * @brief Chooses the entropy value of each packet of a queue pair, which selects among equal
 * routes.
 *
 * A state machine without clock and packets; one instance per queue pair, made by Fork() from a
 * prototype that carries the attributes.
 */
class EntropySelector : public Object
{
  public:
    static TypeId GetTypeId();

    /// @return a new object of the same class.
    virtual Ptr<EntropySelector> Fork() const = 0;

    /// Called once, before all others.
    virtual void Start(const EntropyFacts& facts) = 0;

    /// @param inFlightBytes of the queue pair, before the packet
    /// @return the entropy value of the packet that leaves now.
    virtual uint32_t GetNext(uint64_t inFlightBytes, Time now) = 0;

    /// The planes whose ports are usable at both ends have changed. Default: ignored; the NIC sends
    /// the packets of another plane by the next usable one.
    /// @param up one bit per plane
    virtual void OnPorts(uint64_t /*up*/)
    {
    }

    /// @param entropy value of an earlier packet. Default: ignored.
    virtual void OnFeedback(uint32_t /*entropy*/, RouteSignal /*signal*/, Time /*now*/)
    {
    }

    /// @return when to call TakeProbe(), read after each report while packets are in flight; after
    /// TakeProbe() it must be later. Time::Max(): never. Default: never.
    virtual Time GetProbeTime() const
    {
        return Time::Max();
    }

    /// @return a value that a probe should test now; unset: none. Default: none.
    virtual std::optional<uint32_t> TakeProbe(Time /*now*/)
    {
        return std::nullopt;
    }

    /// The answer to a probe has arrived. Default: as OnFeedback(), GOOD or MARKED.
    /// @param isMarked the probe carried CE
    virtual void OnProbeReply(uint32_t entropy, bool isMarked, Time now)
    {
        OnFeedback(entropy, isMarked ? RouteSignal::MARKED : RouteSignal::GOOD, now);
    }
};

} // namespace ns3::rdma

#endif // RDMA_ENTROPY_SELECTOR_H
