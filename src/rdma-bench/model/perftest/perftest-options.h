// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PERFTEST_OPTIONS_H
#define RDMA_PERFTEST_OPTIONS_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/opcode.h"
#include "ns3/tick.h"
#include "ns3/traffic-class.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// What a test posts.
enum class PerftestVerb : uint8_t
{
    WRITE,
    SEND,
    READ,
    ATOMIC, ///< Fetch-and-add, perftest's default.
};

/// Operation of the tests of atomics.
enum class PerftestAtomic : uint8_t
{
    FETCH_AND_ADD,
    COMPARE_AND_SWAP,
};

/// What limits the rate (--rate_limit_type).
enum class PerftestLimiter : uint8_t
{
    NIC,  ///< HW: each queue pair, at the wire.
    HOST, ///< SW: the host posts bursts at equal distances, over all queue pairs.
};

/// What a line of a table has (--output).
enum class PerftestOutput : uint8_t
{
    ALL,
    BANDWIDTH, ///< One number; likewise the next two.
    MESSAGE_RATE,
    LATENCY,
};

/// One of perftest's eight programs.
struct PerftestKind
{
    PerftestVerb verb{PerftestVerb::WRITE};
    bool isLatency{false};
};

/// @param name as "write_bw", "ib_write_bw" or "./ib_write_bw" @throws InputError naming the
/// nearest
PerftestKind ParsePerftestKind(const std::string& name);

/// @return the name that ParsePerftestKind() reads.
std::string GetPerftestName(const PerftestKind& kind);

/// @return the names of all tests.
std::vector<std::string> GetPerftestNames();

/// @return "RC", "UC" or "UD".
const char* GetServiceName(Service service);

/// What the user set; unset: perftest's default.
struct PerftestRequest
{
    std::string program{"perftest"}; ///< What messages of MakePerftestScenario() begin with.
    PerftestKind kind;
    std::optional<uint64_t> size;
    std::optional<uint32_t> queuePairs;
    std::optional<uint64_t> iterations;
    std::optional<uint32_t> txDepth;
    std::optional<uint32_t> rxDepth;
    std::optional<uint32_t> outstandingReads;
    std::optional<uint32_t> inlineBytes;
    std::optional<uint32_t> completionInterval;
    std::optional<uint32_t> postList;
    std::optional<uint32_t> burst;
    std::string gap; ///< A time; empty: not set.
    std::optional<uint32_t> mtu;
    std::string connection{"RC"};
    bool hasAllSizes{false};
    bool isBidirectional{false};
    bool isReversed{false};
    bool hasImmediateWrites{false};
    bool hasImmediateSends{false};
    PerftestAtomic atomicType{PerftestAtomic::FETCH_AND_ADD};
    std::string duration; ///< Seconds, or a time with a unit; empty: so many messages.
    std::string margin;   ///< Likewise; empty: a quarter of the duration.
    std::optional<uint32_t> latencyGapUs;
    std::optional<uint32_t> receiveList;
    std::string rateLimit; ///< A number; empty: none.
    char rateUnits{'g'};   ///< 'M': MiB/s, 'g': Gb/s, 'p': messages per second.
    std::optional<PerftestLimiter> limiter;
    std::optional<uint32_t> burstSize;    ///< Of PerftestLimiter::HOST.
    std::optional<uint32_t> timeout;      ///< 4.096 us x 2^timeout; unset: the NIC's.
    std::optional<uint32_t> retries;      ///< Unset: the NIC's.
    std::optional<uint32_t> serviceLevel; ///< Unset or 0: the NIC's priority.
    std::optional<uint32_t> trafficClass; ///< Unset or 0: the NIC's DSCP.
    bool isInGpu{false};                  ///< Buffers, if NICs and hosts take time.
    bool isInGigabits{false};             ///< What is printed: Gb/s instead of MiB/s.
    bool hasBothDirections{false};        ///< Both directions separately, too.
    PerftestOutput output{PerftestOutput::ALL};
    bool hasNoPeak{false};
    bool hasSortedValues{false};   ///< All values of a latency test.
    bool hasUnsortedValues{false}; ///< Likewise.
    std::string leastBandwidth;    ///< A number in the unit that is printed; empty: none.
    std::string leastMessageRate;  ///< Mpps; empty: none.
    bool hasOwnJson{false};        ///< perftest's report.
    std::string ownJsonFile{"perftest_out.json"};
    std::string nic{"connectx6"};      ///< Preset.
    std::string rate{"100Gbps"};       ///< Of the servers' links.
    std::string delay{"1us"};          ///< Of each link.
    std::optional<uint32_t> servers;   ///< Of a fat-tree; unset: back to back.
    std::string machine;               ///< Of both ends: name or file; empty: none.
    std::vector<std::string> settings; ///< "NAME=VALUE" of attributes, as in scenarios.
    bool hasIpv6{false};
    bool isHardwareTimed{false};       ///< NICs and hosts take time.
    std::optional<uint32_t> threads;   ///< Of each host; unset: one, as perftest.
    double lossRate{0};                ///< Of each packet on each link.
    uint64_t seed{1};                  ///< Of the random numbers, as $.run.seed.
    std::string peerNic;               ///< Preset of the server's end; empty: nic.
    std::vector<std::string> services; ///< Of both ends: JSON of a kernel with slots.
};

/// Bursts that all queue pairs take in turn.
struct PerftestBursts
{
    uint32_t messages{1};        ///< Of a burst, at least.
    double bytesPerSecond{0};    ///< 0: messagesPerSecond.
    double messagesPerSecond{0}; ///< 0: bytesPerSecond.

    /// @return from the start of a burst to that of the next. @param bytes per message
    Tick GetDistance(uint64_t bytes) const;
};

/// A test with all defaults filled in, checked.
struct PerftestOptions
{
    PerftestKind kind;
    Service service{Service::RC};
    std::vector<uint64_t> sizes; ///< Bytes per message; one, or all from 2 B on.
    uint32_t queuePairs{1};
    uint64_t iterations{0};        ///< Messages per size, queue pair and direction; with a
                                   ///< duration, the largest number.
    uint32_t txDepth{0};           ///< Messages under way at most per queue pair and direction.
    uint32_t rxDepth{0};           ///< Receive requests posted per queue pair, where there are any.
    uint32_t outstandingReads{16}; ///< READs and atomics under way at most per queue pair.
    uint32_t inlineBytes{0};       ///< Messages up to this size are posted inline.
    uint32_t completionInterval{1}; ///< Requests of a queue pair per completion.
    uint32_t postList{1};           ///< Requests per posting, hence per doorbell.
    uint32_t burst{0};              ///< Messages between two gaps; 0: no bursts.
    Tick gap{0};                    ///< From the end of a burst to the next.
    uint32_t mtu{0};
    bool isBidirectional{false};
    bool isReversed{false};   ///< The server sends to the client.
    bool hasImmediate{false}; ///< Of WRITEs or SENDs.
    PerftestAtomic atomicType{PerftestAtomic::FETCH_AND_ADD};
    Tick duration{0};        ///< Messages are posted until then; 0: `iterations` messages.
    Tick margin{0};          ///< At both ends of the duration, not measured.
    Tick latencyGap{0};      ///< Before each posting of a latency test.
    uint32_t receiveList{1}; ///< Receive requests per posting.
    std::optional<DataRate> queuePairRate; ///< The NIC's limit of each queue pair.
    std::optional<PerftestBursts> bursts;  ///< The host's limit of the rate.
    std::optional<uint8_t> timeout;        ///< 4.096 us x 2^timeout.
    std::optional<uint8_t> retries;
    TrafficClass trafficClass; ///< Of all queue pairs.
    bool isInGpu{false};
    bool hasValues{false};          ///< Results have all values of a latency test.
    double leastBandwidth{0};       ///< In the unit that is printed; 0: none.
    double leastMessageRate{0};     ///< Mpps; 0: none.
    std::vector<std::string> notes; ///< Options without an effect on this test; a line each.

    /// @return whether a message takes a receive request.
    bool ConsumesReceives() const
    {
        return kind.verb == PerftestVerb::SEND || hasImmediate;
    }
};

/**
 * Fills in what perftest would and checks that the options go together (its defaults,
 * bounds and combinations).
 *
 * Only the options of the test itself: those of network and NIC are MakePerftestScenario()'s.
 * @throws InputError with one line for the first fault
 */
PerftestOptions ResolvePerftest(const PerftestRequest& request);

} // namespace ns3::rdma

#endif // RDMA_PERFTEST_OPTIONS_H
