// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/nccl-test-request.h"

#include "ns3/input-error.h"
#include "ns3/name-suggestion.h"
#include "ns3/quantity.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace ns3::rdma
{

namespace
{

constexpr NcclTest TESTS[]{{"all_reduce", "all-reduce", true, false},
                           {"all_gather", "all-gather", false, false},
                           {"reduce_scatter", "reduce-scatter", true, false},
                           {"alltoall", "all-to-all", false, false},
                           {"broadcast", "broadcast", false, true},
                           {"reduce", "reduce", true, true},
                           {"sendrecv", "send-receive", true, false}};

/// src/common.cu, test_typenames and wordSize().
constexpr std::pair<const char*, uint32_t> TYPES[]{{"int8", 1},
                                                   {"uint8", 1},
                                                   {"int32", 4},
                                                   {"uint32", 4},
                                                   {"int64", 8},
                                                   {"uint64", 8},
                                                   {"half", 2},
                                                   {"float", 4},
                                                   {"double", 8},
                                                   {"bfloat16", 2},
                                                   {"f8e4m3", 1},
                                                   {"f8e5m2", 1}};

constexpr uint64_t MAX_SIZE{uint64_t{1} << 31}; ///< Longest message of InfiniBand.
constexpr uint32_t DEFAULT_FACTOR{2};
constexpr uint64_t DEFAULT_RANKS{8};

[[noreturn]] void
FailNccl(const std::string& option, const std::string& expected, const std::string& got)
{
    throw InputError("nccl: " + option + ": expected " + expected + ", got " + got);
}

/// @return bytes of a size as nccl-tests writes it, "8", "64K", "1G", or with our units.
uint64_t
ReadNcclSize(const std::string& option, const std::string& text, uint64_t most)
{
    uint64_t number = 0;
    const char* end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, number);
    std::optional<uint64_t> size;
    if (read.ec == std::errc() && read.ptr == end)
    {
        size = number;
    }
    else if (!text.empty())
    {
        const bool isShort = std::string("KMGT").find(text.back()) != std::string::npos;
        size = ParseBytes(isShort ? text + "iB" : text);
    }
    if (!size || *size < 1 || *size > most)
    {
        FailNccl(option,
                 "a size from 1 to 2G, such as 8, 64K or 1MiB",
                 text.empty() ? "none" : text);
    }
    return *size;
}

} // namespace

const NcclTest&
FindNcclTest(const std::string& name)
{
    static const std::string SUFFIX{"_perf"};
    std::string plain = name.substr(name.rfind('/') + 1);
    const std::size_t suffix = plain.rfind(SUFFIX);
    if (suffix != std::string::npos && suffix + SUFFIX.size() == plain.size())
    {
        plain.resize(suffix);
    }
    std::vector<std::string> names;
    for (const NcclTest& test : TESTS)
    {
        if (plain == test.name)
        {
            return test;
        }
        names.emplace_back(test.name);
    }
    throw InputError("nccl: expected a test (" + DescribeNearest(plain, names) + "), got " + name);
}

uint64_t
CountRanks(const NcclTestRequest& request)
{
    if (!request.processes && !request.threads && !request.gpus)
    {
        return DEFAULT_RANKS;
    }
    return uint64_t{request.processes.value_or(1)} * request.threads.value_or(1) *
           request.gpus.value_or(1);
}

NcclSizes
ListNcclSizes(const NcclTestRequest& request)
{
    if (!request.step.empty() && request.factor)
    {
        FailNccl("--stepbytes", "no --stepfactor beside it", "both");
    }
    const uint32_t factor = request.factor.value_or(DEFAULT_FACTOR);
    if (factor < 2)
    {
        FailNccl("--stepfactor", "at least 2", std::to_string(factor));
    }
    const uint64_t end = ReadNcclSize("--maxbytes", request.end, UINT64_MAX);
    const uint64_t step =
        request.step.empty() ? 0 : ReadNcclSize("--stepbytes", request.step, MAX_SIZE);
    NcclSizes sizes;
    sizes.isCut = end > MAX_SIZE;
    for (uint64_t size = ReadNcclSize("--minbytes", request.begin, MAX_SIZE);
         size <= std::min(end, MAX_SIZE);
         size = step > 0 ? size + step : size * factor)
    {
        sizes.bytes.push_back(size);
    }
    if (sizes.bytes.empty())
    {
        FailNccl("--maxbytes", "a size of at least --minbytes " + request.begin, request.end);
    }
    return sizes;
}

uint32_t
GetNcclTypeBytes(const std::string& datatype)
{
    std::vector<std::string> names;
    for (const auto& [name, bytes] : TYPES)
    {
        if (datatype == name)
        {
            return bytes;
        }
        names.emplace_back(name);
    }
    FailNccl("--datatype", JoinNames(names), datatype);
}

} // namespace ns3::rdma
