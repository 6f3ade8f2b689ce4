// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/perftest-options.h"

#include "ns3/input-error.h"
#include "ns3/name-suggestion.h"
#include "ns3/quantity.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace ns3::rdma
{

namespace
{

// linux-rdma/perftest, src/perftest_parameters.h.
constexpr uint64_t SIZE_BANDWIDTH{65536};
constexpr uint64_t SIZE_LATENCY{2};
constexpr uint64_t SIZE_ATOMIC{8};
constexpr uint64_t ITERATIONS_WRITE_BANDWIDTH{5000};
constexpr uint64_t ITERATIONS_OTHERS{1000};
constexpr uint32_t TX_DEPTH_BANDWIDTH{128};
constexpr uint64_t MIN_ITERATIONS{5};
constexpr uint64_t MAX_ITERATIONS{100'000'000};
constexpr uint64_t MAX_TX_DEPTH{15000};
constexpr uint64_t MAX_QUEUE_PAIRS{16384};
constexpr uint64_t RX_DEPTH{512};
constexpr uint64_t MAX_RX_DEPTH{16384};
constexpr uint64_t OUTSTANDING_READS{16}; ///< What ConnectX NICs have, and perftest takes.
/// Entries of fpga-network-stack's multi-queue, which all queue pairs share.
constexpr uint64_t MAX_OUTSTANDING_READS{2048};
constexpr uint64_t COMPLETION_INTERVAL{100};
constexpr uint64_t MAX_COMPLETION_INTERVAL{1024};
constexpr uint64_t COMPLETION_INTERVAL_SIZE{8192}; ///< Larger messages have a completion each.
constexpr uint64_t INLINE_WRITE{220};
constexpr uint64_t INLINE_SEND{236};
constexpr uint64_t INLINE_DATAGRAM{188};
constexpr uint64_t MAX_INLINE{912};
constexpr uint64_t MAX_INLINE_DATAGRAM{884};
constexpr uint64_t ALL_SIZES_BEGIN{2};
constexpr uint64_t ALL_SIZES_END{8 << 20};

// perftest takes the port's active MTU: here the largest.
constexpr uint32_t DEFAULT_MTU{4096};
/// InfiniBand's, and 1408: StRoM's on Ethernet with 1500 (176 words of 8 B, section 7.1).
constexpr std::array<uint32_t, 6> MTUS{256, 512, 1024, 1408, 2048, 4096};

/// Receive requests that all queue pairs of a host hold unless the user sets more: they take
/// memory of the simulation.
constexpr uint64_t RECEIVES_AT_ONCE{1 << 19};

/// Threads per host: more than any server has.
constexpr uint64_t MAX_THREADS{1024};

/// InfiniBand's longest message (IBTA Vol. 1, Section 9.7.7.1.1).
constexpr uint64_t MAX_SIZE{1ULL << 31};

const std::vector<std::pair<std::string, PerftestKind>> KINDS{
    {"write_bw", {PerftestVerb::WRITE, false}},
    {"write_lat", {PerftestVerb::WRITE, true}},
    {"send_bw", {PerftestVerb::SEND, false}},
    {"send_lat", {PerftestVerb::SEND, true}},
    {"read_bw", {PerftestVerb::READ, false}},
    {"read_lat", {PerftestVerb::READ, true}},
    {"atomic_bw", {PerftestVerb::ATOMIC, false}},
    {"atomic_lat", {PerftestVerb::ATOMIC, true}},
};

[[noreturn]] void
Fail(const std::string& option, const std::string& expected, const std::string& got)
{
    throw InputError("perftest: " + option + ": expected " + expected + ", got " + got);
}

uint64_t
Check(const char* option, uint64_t value, uint64_t min, uint64_t max)
{
    if (value < min || value > max)
    {
        Fail(option,
             "a whole number from " + std::to_string(min) + " to " + std::to_string(max),
             std::to_string(value));
    }
    return value;
}

void
CheckMultiple(const char* option, uint64_t value, const std::string& unitOption, uint64_t unit)
{
    if (value % unit != 0)
    {
        Fail(option,
             "a multiple of " + unitOption + ", which is " + std::to_string(unit),
             std::to_string(value));
    }
}

Service
ResolveService(const PerftestRequest& request)
{
    const std::string test = GetPerftestName(request.kind);
    std::vector<std::string> names{"RC"};
    if (request.kind.verb == PerftestVerb::WRITE || request.kind.verb == PerftestVerb::SEND)
    {
        names.push_back("UC");
    }
    if (request.kind.verb == PerftestVerb::SEND)
    {
        names.push_back("UD");
    }
    if (std::find(names.begin(), names.end(), request.connection) == names.end())
    {
        Fail("--connection of " + test, JoinNames(names), request.connection);
    }
    return request.connection == "RC"   ? Service::RC
           : request.connection == "UC" ? Service::UC
                                        : Service::UD;
}

uint32_t
ResolveMtu(const PerftestRequest& request)
{
    const uint32_t mtu = request.mtu.value_or(DEFAULT_MTU);
    if (std::find(MTUS.begin(), MTUS.end(), mtu) == MTUS.end())
    {
        Fail("--mtu", "256, 512, 1024, 1408, 2048 or 4096", std::to_string(mtu));
    }
    return mtu;
}

/// @param max bytes of a message
std::vector<uint64_t>
ResolveSizes(const PerftestRequest& request, uint64_t max)
{
    const bool isAtomic = request.kind.verb == PerftestVerb::ATOMIC;
    if (isAtomic && (request.hasAllSizes || request.size.value_or(SIZE_ATOMIC) != SIZE_ATOMIC))
    {
        throw InputError("perftest: " + GetPerftestName(request.kind) +
                         ": an atomic operation has 8 bytes, neither --size nor --all");
    }
    if (request.hasAllSizes && request.size)
    {
        throw InputError("perftest: --size and --all exclude each other");
    }
    if (!request.hasAllSizes)
    {
        const uint64_t usual = isAtomic                 ? SIZE_ATOMIC
                               : request.kind.isLatency ? SIZE_LATENCY
                                                        : std::min(SIZE_BANDWIDTH, max);
        return {Check("--size", request.size.value_or(usual), 1, max)};
    }
    std::vector<uint64_t> sizes;
    for (uint64_t size = ALL_SIZES_BEGIN; size <= std::min(ALL_SIZES_END, max); size *= 2)
    {
        sizes.push_back(size);
    }
    return sizes;
}

/// These belong to the bandwidth tests: one message is under way in a latency test.
void
CheckLatency(const PerftestRequest& request)
{
    const std::pair<const char*, bool> options[] = {
        {"--qp", request.queuePairs.has_value()},
        {"--tx-depth", request.txDepth.has_value()},
        {"--outs", request.outstandingReads.has_value()},
        {"--cq-mod", request.completionInterval.has_value()},
        {"--post-list", request.postList.has_value()},
        {"--burst", request.burst.has_value()},
        {"--gap", !request.gap.empty()},
        {"--bidirectional", request.isBidirectional}};
    for (const auto& [option, isGiven] : options)
    {
        if (request.kind.isLatency && isGiven)
        {
            throw InputError("perftest: " + GetPerftestName(request.kind) + ": " + option +
                             " is an option of the bandwidth tests only");
        }
    }
}

void
CheckThreads(const PerftestRequest& request)
{
    if (request.threads)
    {
        Check("--threads", *request.threads, 1, MAX_THREADS);
        if (!request.isHardwareTimed)
        {
            throw InputError("perftest: --threads: expected --hardware on as well, got off");
        }
    }
}

/// perftest's default is all that the device has.
uint32_t
ResolveOutstandingReads(const PerftestRequest& request)
{
    const PerftestVerb verb = request.kind.verb;
    if (request.outstandingReads && verb != PerftestVerb::READ && verb != PerftestVerb::ATOMIC)
    {
        throw InputError("perftest: " + GetPerftestName(request.kind) +
                         ": --outs is an option of the tests of READs and atomics only");
    }
    return static_cast<uint32_t>(Check("--outs",
                                       request.outstandingReads.value_or(OUTSTANDING_READS),
                                       1,
                                       MAX_OUTSTANDING_READS));
}

/// perftest's default is inline in latency tests only. With hardware off it makes no difference.
uint32_t
ResolveInline(const PerftestRequest& request, Service service)
{
    const bool isDatagram = service == Service::UD;
    const bool isSend = request.kind.verb == PerftestVerb::SEND;
    if (!isSend && request.kind.verb != PerftestVerb::WRITE)
    {
        return 0; // READs and atomics carry nothing; perftest ignores it as well.
    }
    const uint64_t latency = isDatagram ? INLINE_DATAGRAM : isSend ? INLINE_SEND : INLINE_WRITE;
    const uint64_t usual = request.kind.isLatency && request.isHardwareTimed ? latency : 0;
    const uint64_t max = isDatagram ? MAX_INLINE_DATAGRAM : MAX_INLINE;
    return static_cast<uint32_t>(Check("--inline", request.inlineBytes.value_or(usual), 0, max));
}

/// perftest's default is each hundredth, but each of large messages; with hardware off it is each.
uint32_t
ResolveCompletionInterval(const PerftestRequest& request, const PerftestOptions& options)
{
    const bool isLarge = options.sizes.size() == 1 && options.service != Service::UD &&
                         options.sizes.front() > COMPLETION_INTERVAL_SIZE;
    const bool isEach =
        options.kind.isLatency || !request.isHardwareTimed || isLarge || options.burst > 0;
    const uint64_t usual = options.postList > 1 ? options.postList
                           : isEach             ? 1
                                                : COMPLETION_INTERVAL;
    const uint64_t interval =
        Check("--cq-mod", request.completionInterval.value_or(usual), 1, MAX_COMPLETION_INTERVAL);
    if (options.postList > 1 && options.postList % interval != 0)
    {
        Fail("--cq-mod",
             "a divisor of --post-list, which is " + std::to_string(options.postList),
             std::to_string(interval));
    }
    if (options.burst > 0 && options.burst % interval != 0)
    {
        Fail("--cq-mod",
             "a divisor of --burst, which is " + std::to_string(options.burst),
             std::to_string(interval));
    }
    return static_cast<uint32_t>(std::min<uint64_t>(interval, options.txDepth));
}

uint32_t
ResolvePostList(const PerftestRequest& request, const PerftestOptions& options)
{
    const uint64_t list = Check("--post-list", request.postList.value_or(1), 1, options.txDepth);
    CheckMultiple("--iters", options.iterations, "--post-list", list);
    return static_cast<uint32_t>(list);
}

/// A burst is a whole number of lists, as all messages are.
void
ResolveBurst(const PerftestRequest& request, PerftestOptions& options)
{
    if (!request.burst)
    {
        if (!request.gap.empty())
        {
            throw InputError("perftest: --gap: expected --burst N as well, got none");
        }
        return;
    }
    options.burst = static_cast<uint32_t>(Check("--burst", *request.burst, 1, options.txDepth));
    CheckMultiple("--burst", options.burst, "--post-list", options.postList);
    CheckMultiple("--iters", options.iterations, "--burst", options.burst);
    const auto gap = ParseTime(request.gap.empty() ? "0s" : request.gap);
    if (!gap || gap->IsStrictlyNegative())
    {
        Fail("--gap", "a time such as 4us, not below zero", request.gap);
    }
    options.gap = ToTick(*gap);
}

/// perftest's default, or less with many queue pairs; but twice the messages under way, so that the
/// receiver is always ready.
uint32_t
ResolveRxDepth(const PerftestRequest& request, const PerftestOptions& options)
{
    const uint64_t share = std::min(RX_DEPTH, RECEIVES_AT_ONCE / options.queuePairs);
    const uint64_t usual =
        std::min(std::max<uint64_t>(share, 2ULL * options.txDepth), MAX_RX_DEPTH);
    const uint64_t depth = Check("--rx-depth", request.rxDepth.value_or(usual), 1, MAX_RX_DEPTH);
    return static_cast<uint32_t>(std::min(depth, options.iterations));
}

} // namespace

PerftestKind
ParsePerftestKind(const std::string& name)
{
    constexpr std::string_view PREFIX{"ib_"}; // Of perftest's own programs.
    const std::string plain =
        name.compare(0, PREFIX.size(), PREFIX) == 0 ? name.substr(PREFIX.size()) : name;
    for (const auto& [known, kind] : KINDS)
    {
        if (known == plain)
        {
            return kind;
        }
    }
    throw InputError("perftest: expected a test (" + DescribeNearest(plain, GetPerftestNames()) +
                     "), got " + name);
}

std::string
GetPerftestName(const PerftestKind& kind)
{
    const auto isMeant = [&kind](const auto& entry) {
        return entry.second.verb == kind.verb && entry.second.isLatency == kind.isLatency;
    };
    return std::find_if(KINDS.begin(), KINDS.end(), isMeant)->first;
}

std::vector<std::string>
GetPerftestNames()
{
    std::vector<std::string> names;
    for (const auto& entry : KINDS)
    {
        names.push_back(entry.first);
    }
    return names;
}

const char*
GetServiceName(Service service)
{
    return service == Service::RC ? "RC" : service == Service::UC ? "UC" : "UD";
}

PerftestOptions
ResolvePerftest(const PerftestRequest& request)
{
    CheckLatency(request);
    CheckThreads(request);
    const bool isLatency = request.kind.isLatency;
    const bool isLong = request.kind.verb == PerftestVerb::WRITE && !isLatency;
    PerftestOptions options;
    options.kind = request.kind;
    options.service = ResolveService(request);
    options.mtu = ResolveMtu(request);
    options.sizes = ResolveSizes(request, options.service == Service::UD ? options.mtu : MAX_SIZE);
    options.queuePairs =
        static_cast<uint32_t>(Check("--qp", request.queuePairs.value_or(1), 1, MAX_QUEUE_PAIRS));
    const uint64_t iterations =
        request.iterations.value_or(isLong ? ITERATIONS_WRITE_BANDWIDTH : ITERATIONS_OTHERS);
    options.iterations = Check("--iters", iterations, MIN_ITERATIONS, MAX_ITERATIONS);
    const uint64_t depth = request.txDepth.value_or(isLatency ? 1 : TX_DEPTH_BANDWIDTH);
    Check("--tx-depth", depth, 1, MAX_TX_DEPTH);
    options.txDepth = static_cast<uint32_t>(std::min(depth, options.iterations));
    options.isBidirectional = request.isBidirectional;
    options.rxDepth = ResolveRxDepth(request, options);
    options.outstandingReads = ResolveOutstandingReads(request);
    options.inlineBytes = ResolveInline(request, options.service);
    options.postList = ResolvePostList(request, options);
    ResolveBurst(request, options);
    options.completionInterval = ResolveCompletionInterval(request, options);
    return options;
}

} // namespace ns3::rdma
