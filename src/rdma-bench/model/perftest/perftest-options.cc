// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/perftest-options.h"

#include "ns3/frame.h"
#include "ns3/input-error.h"
#include "ns3/name-suggestion.h"
#include "ns3/quantity.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
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
constexpr uint64_t PS_PER_US{1'000'000};
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

/// Messages are a whole number of lists. @param option that has the number of each
void
CheckIterations(const PerftestOptions& options, const std::string& option, uint64_t unit)
{
    if (options.duration == 0)
    {
        CheckMultiple("--iters", options.iterations, option, unit);
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
    if (!request.hasAllSizes)
    {
        const uint64_t usual = isAtomic                 ? SIZE_ATOMIC
                               : request.kind.isLatency ? SIZE_LATENCY
                                                        : std::min(SIZE_BANDWIDTH, max);
        // write_lat waits for the last byte to change in memory.
        const bool isPolled = request.kind.verb == PerftestVerb::WRITE && request.kind.isLatency &&
                              !request.hasImmediateWrites;
        return {Check("--size", request.size.value_or(usual), isPolled ? 1 : 0, max)};
    }
    std::vector<uint64_t> sizes;
    for (uint64_t size = ALL_SIZES_BEGIN; size <= std::min(ALL_SIZES_END, max); size *= 2)
    {
        sizes.push_back(size);
    }
    return sizes;
}

using OptionUse = std::pair<const char*, bool>; ///< Name, and whether it is there.

/// Options of the bandwidth tests, or of the latency tests, that perftest refuses in the others.
void
CheckOtherTests(const PerftestRequest& request)
{
    const OptionUse bandwidth[] = {{"--qp", request.queuePairs.value_or(1) != 1},
                                   {"--post_list", request.postList.value_or(1) != 1},
                                   {"--recv_post_list", request.receiveList.value_or(1) != 1},
                                   {"--burst", request.burst.has_value()},
                                   {"--gap", !request.gap.empty()},
                                   {"--rate_limit", !request.rateLimit.empty()},
                                   {"--noPeak", request.hasNoPeak},
                                   {"--output bandwidth or message_rate",
                                    request.output == PerftestOutput::BANDWIDTH ||
                                        request.output == PerftestOutput::MESSAGE_RATE},
                                   {"--bidirectional", request.isBidirectional}};
    const OptionUse latency[] = {{"--latency_gap", request.latencyGapUs.has_value()},
                                 {"--report-histogram", request.hasSortedValues},
                                 {"--report-unsorted", request.hasUnsortedValues},
                                 {"--output latency", request.output == PerftestOutput::LATENCY}};
    const auto check = [&request](const auto& options, const char* kind) {
        for (const auto& [option, isGiven] : options)
        {
            if (isGiven)
            {
                throw InputError("perftest: " + GetPerftestName(request.kind) + ": " + option +
                                 " is an option of the " + kind + " tests only");
            }
        }
    };
    if (request.kind.isLatency)
    {
        check(bandwidth, "bandwidth");
    }
    else
    {
        check(latency, "latency");
    }
}

/// Options that perftest accepts and does not use. @return a line each
std::vector<std::string>
FindNotes(const PerftestRequest& request)
{
    std::vector<std::string> notes;
    const bool isLatency = request.kind.isLatency;
    const OptionUse unused[] = {
        {"--tx-depth", isLatency && request.txDepth.value_or(1) != 1},
        {"--outs", isLatency && request.outstandingReads.value_or(1) != 1},
        {"--cq-mod", isLatency && request.completionInterval.value_or(1) != 1}};
    for (const auto& [option, isGiven] : unused)
    {
        if (isGiven)
        {
            notes.push_back(std::string(option) +
                            " has no effect: a latency test has one message in flight");
        }
    }
    if (request.hasAllSizes && request.size)
    {
        notes.emplace_back("--size has no effect beside --all");
    }
    if (request.hasBothDirections && !request.isBidirectional)
    {
        notes.emplace_back("--report-both has no effect without --bidirectional");
    }
    if (request.isInGpu && !request.isHardwareTimed)
    {
        notes.emplace_back("GPU memory is as host memory without --hardware on");
    }
    return notes;
}

/// The options that GetPerftestOptions() has for these programs alone, as perftest.
void
CheckVerbs(const PerftestRequest& request)
{
    const PerftestVerb verb = request.kind.verb;
    const std::pair<OptionUse, PerftestVerb> options[] = {
        {{"--write_with_imm", request.hasImmediateWrites}, PerftestVerb::WRITE},
        {{"--send_with_imm", request.hasImmediateSends}, PerftestVerb::SEND},
        {{"--atomic_type", request.atomicType != PerftestAtomic::FETCH_AND_ADD},
         PerftestVerb::ATOMIC}};
    for (const auto& [option, expected] : options)
    {
        if (option.second && verb != expected)
        {
            throw InputError("perftest: " + GetPerftestName(request.kind) + ": " + option.first +
                             " is an option of " + GetPerftestName({expected, false}) + " and " +
                             GetPerftestName({expected, true}) + " only");
        }
    }
}

/// @return a positive number, or 0 if there is none
double
ReadPositive(const char* option, const std::string& text)
{
    if (text.empty())
    {
        return 0;
    }
    char* end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    const bool isPlain = text.find_first_not_of("0123456789.") == std::string::npos;
    if (!isPlain || *end != '\0' || number <= 0)
    {
        Fail(option, "a number above zero", text);
    }
    return number;
}

/// @param text seconds, or a time with a unit
Tick
ReadSeconds(const char* option, const std::string& text)
{
    const bool isPlain = text.find_first_not_of("0123456789.") == std::string::npos;
    const auto time = ParseTime(isPlain ? text + "s" : text);
    if (!time || time->IsStrictlyNegative())
    {
        Fail(option, "seconds, or a time such as 10ms", text);
    }
    return ToTick(*time);
}

void
ResolveDuration(const PerftestRequest& request, PerftestOptions& options)
{
    if (request.duration.empty())
    {
        if (!request.margin.empty())
        {
            throw InputError("perftest: --margin: expected --duration as well, got none");
        }
        return;
    }
    options.duration = ReadSeconds("--duration", request.duration);
    if (options.duration == 0)
    {
        Fail("--duration", "a time above zero", request.duration);
    }
    if (request.hasAllSizes || request.burst)
    {
        throw InputError(std::string("perftest: --duration and ") +
                         (request.burst ? "--burst" : "--all") + " exclude each other");
    }
    options.margin =
        request.margin.empty() ? options.duration / 4 : ReadSeconds("--margin", request.margin);
    if (options.duration <= 2 * options.margin)
    {
        Fail("--margin", "less than half of --duration " + request.duration, request.margin);
    }
    options.iterations = std::numeric_limits<uint64_t>::max();
}

void
ResolveRateLimit(const PerftestRequest& request, PerftestOptions& options)
{
    constexpr double BITS_PER_BYTE{8};
    constexpr double MEBI{1 << 20};
    constexpr double GIGA{1e9};
    const double limit = ReadPositive("--rate_limit", request.rateLimit);
    if (limit == 0)
    {
        if (request.limiter || request.burstSize)
        {
            throw InputError(std::string("perftest: ") +
                             (request.limiter ? "--rate_limit_type" : "--burst_size") +
                             ": expected --rate_limit as well, got none");
        }
        return;
    }
    const bool isByHost = request.limiter == PerftestLimiter::HOST;
    const double bytes = request.rateUnits == 'M' ? limit * MEBI : limit * GIGA / BITS_PER_BYTE;
    if (isByHost && request.burst)
    {
        throw InputError("perftest: --rate_limit_type SW and --burst exclude each other");
    }
    if (isByHost)
    {
        const uint64_t burst =
            Check("--burst_size", request.burstSize.value_or(options.txDepth), 1, MAX_TX_DEPTH);
        const bool isMessages = request.rateUnits == 'p';
        options.bursts = {static_cast<uint32_t>(burst),
                          isMessages ? 0 : bytes,
                          isMessages ? limit : 0};
        return;
    }
    if (request.rateUnits == 'p')
    {
        Fail("--rate_units", "M or g, unless --rate_limit_type is SW", "p");
    }
    options.queuePairRate = DataRate(std::llround(bytes * BITS_PER_BYTE));
}

void
ResolveRetries(const PerftestRequest& request, PerftestOptions& options)
{
    constexpr uint64_t MAX_TIMEOUT{31};
    constexpr uint64_t MAX_RETRIES{7};
    if (request.timeout)
    {
        options.timeout =
            static_cast<uint8_t>(Check("--qp-timeout", *request.timeout, 0, MAX_TIMEOUT));
    }
    if (request.retries)
    {
        options.retries =
            static_cast<uint8_t>(Check("--retry_count", *request.retries, 0, MAX_RETRIES));
    }
}

/// perftest's default, 0, stands for the NIC's own class.
void
ResolveTrafficClass(const PerftestRequest& request, PerftestOptions& options)
{
    constexpr uint64_t MAX_TRAFFIC_CLASS{255};
    constexpr uint32_t ECN_BITS{2};
    const uint64_t level = Check("--sl", request.serviceLevel.value_or(0), 0, PRIORITIES - 1);
    const uint64_t octet =
        Check("--tclass", request.trafficClass.value_or(0), 0, MAX_TRAFFIC_CLASS);
    if (level > 0)
    {
        options.trafficClass.priority = static_cast<uint8_t>(level);
    }
    if (octet > 0)
    {
        options.trafficClass.dscp = static_cast<uint8_t>(octet >> ECN_BITS);
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
    const bool isInGpu = request.isInGpu && request.isHardwareTimed;
    const bool isUsual = request.kind.isLatency && request.isHardwareTimed && !isInGpu;
    const uint64_t usual = isUsual ? latency : 0;
    // The processor that posts a message does not read the GPU's memory.
    const uint64_t max = isInGpu ? 0 : isDatagram ? MAX_INLINE_DATAGRAM : MAX_INLINE;
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
             "a divisor of --post_list, which is " + std::to_string(options.postList),
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
    const uint64_t list = Check("--post_list", request.postList.value_or(1), 1, options.txDepth);
    CheckIterations(options, "--post_list", list);
    return static_cast<uint32_t>(list);
}

uint32_t
ResolveReceiveList(const PerftestRequest& request, const PerftestOptions& options)
{
    const uint64_t list =
        Check("--recv_post_list", request.receiveList.value_or(1), 1, options.rxDepth);
    CheckIterations(options, "--recv_post_list", list);
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
    CheckMultiple("--burst", options.burst, "--post_list", options.postList);
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

Tick
PerftestBursts::GetDistance(uint64_t bytes) const
{
    constexpr double PS_PER_SECOND{1e12};
    const double rate =
        messagesPerSecond > 0 ? messagesPerSecond : bytesPerSecond / static_cast<double>(bytes);
    return std::max<Tick>(std::llround(messages * PS_PER_SECOND / rate), 1);
}

PerftestKind
ParsePerftestKind(const std::string& name)
{
    constexpr std::string_view PREFIX{"ib_"}; // Of perftest's own programs, which may have a path.
    std::string plain = name.substr(name.rfind('/') + 1);
    if (plain.compare(0, PREFIX.size(), PREFIX) == 0)
    {
        plain.erase(0, PREFIX.size());
    }
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
    CheckOtherTests(request);
    CheckVerbs(request);
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
    ResolveDuration(request, options);
    const uint64_t depth =
        Check("--tx-depth", request.txDepth.value_or(TX_DEPTH_BANDWIDTH), 1, MAX_TX_DEPTH);
    options.txDepth = isLatency ? 1 : static_cast<uint32_t>(std::min(depth, options.iterations));
    options.isBidirectional = request.isBidirectional;
    options.isReversed = request.isReversed;
    options.hasImmediate = request.hasImmediateWrites || request.hasImmediateSends;
    options.atomicType = request.atomicType;
    options.latencyGap = uint64_t{request.latencyGapUs.value_or(0)} * PS_PER_US;
    options.isInGpu = request.isInGpu && request.isHardwareTimed;
    options.hasValues = request.hasSortedValues || request.hasUnsortedValues;
    options.leastBandwidth = ReadPositive("--limit_bw", request.leastBandwidth);
    options.leastMessageRate = ReadPositive("--limit_msgrate", request.leastMessageRate);
    options.notes = FindNotes(request);
    options.rxDepth = ResolveRxDepth(request, options);
    options.outstandingReads = ResolveOutstandingReads(request);
    options.inlineBytes = ResolveInline(request, options.service);
    options.postList = ResolvePostList(request, options);
    options.receiveList = ResolveReceiveList(request, options);
    ResolveBurst(request, options);
    ResolveRateLimit(request, options);
    ResolveTrafficClass(request, options);
    ResolveRetries(request, options);
    options.completionInterval = ResolveCompletionInterval(request, options);
    return options;
}

} // namespace ns3::rdma
