// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/perftest-options.h"

#include "ns3/input-error.h"
#include "ns3/name-suggestion.h"

#include <algorithm>
#include <array>
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
constexpr uint64_t ALL_SIZES_BEGIN{2};
constexpr uint64_t ALL_SIZES_END{8 << 20};

// perftest takes the port's active MTU: here the largest.
constexpr uint32_t DEFAULT_MTU{4096};
constexpr std::array<uint32_t, 5> MTUS{256, 512, 1024, 2048, 4096};

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
        Fail("--mtu", "256, 512, 1024, 2048 or 4096", std::to_string(mtu));
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
    const std::pair<const char*, bool> options[] = {{"--qp", request.queuePairs.has_value()},
                                                    {"--tx-depth", request.txDepth.has_value()},
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

} // namespace

PerftestKind
ParsePerftestKind(const std::string& name)
{
    for (const auto& [known, kind] : KINDS)
    {
        if (known == name)
        {
            return kind;
        }
    }
    throw InputError("perftest: expected a test (" + DescribeNearest(name, GetPerftestNames()) +
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
    return options;
}

} // namespace ns3::rdma
