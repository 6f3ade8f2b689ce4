// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/nccl-option-table.h"

#include "ns3/input-error.h"
#include "ns3/name-suggestion.h"
#include "ns3/nccl-keys.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <set>
#include <sstream>
#include <type_traits>

namespace ns3::rdma
{

namespace
{

[[noreturn]] void
FailValue(const std::string& name, const std::string& expected, const std::string& got)
{
    throw InputError("nccl: " + name + ": expected " + expected + ", got " + got);
}

uint32_t
ReadCount(const std::string& name, const std::string& text, uint32_t most)
{
    uint32_t number = 0;
    const char* end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, number);
    if (read.ec != std::errc() || read.ptr != end || number > most)
    {
        FailValue(name, "a whole number up to " + std::to_string(most), text);
    }
    return number;
}

/// Of a number that CheckWholeNumber() has accepted.
template <auto MEMBER>
void
SetCount(NcclTestRequest& request, const std::string& value)
{
    request.*MEMBER = ReadCount("number", value, UINT32_MAX);
}

template <auto MEMBER>
void
SetWord(NcclTestRequest& request, const std::string& value)
{
    request.*MEMBER = value;
}

void
SetDatatype(NcclTestRequest& request, const std::string& value)
{
    if (value == "all")
    {
        request.notes.emplace_back("-d all: times depend on bytes only; the table has float");
        return;
    }
    GetNcclTypeBytes(value);
    request.datatype = value;
}

void
SetReduction(NcclTestRequest& request, const std::string& value)
{
    const std::vector<std::string> names{"sum", "prod", "max", "min", "avg", "mulsum"};
    if (value == "all")
    {
        request.notes.emplace_back("-o all: all operations take the same time; the table has sum");
        return;
    }
    if (std::find(names.begin(), names.end(), value) == names.end())
    {
        FailValue("--op", JoinNames(names), value);
    }
    request.reduction = value;
}

void
SetRoot(NcclTestRequest& request, const std::string& value)
{
    if (value == "all" || value == "-1")
    {
        request.notes.emplace_back("-r all: the table has root 0");
        return;
    }
    request.root = ReadCount("--root", value, UINT32_MAX);
}

/// @param names in lower case
/// @return those of a list as NCCL reads it: "Ring,Tree", or "^Tree" for all others. In upper or
/// lower case.
std::set<std::string>
SelectNames(const std::string& list, const std::set<std::string>& names)
{
    const bool isExcluding = !list.empty() && list.front() == '^';
    std::set<std::string> listed;
    std::istringstream words(isExcluding ? list.substr(1) : list);
    for (std::string word; std::getline(words, word, ',');)
    {
        std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) {
            return static_cast<char>(std::tolower(c));
        });
        listed.insert(word);
    }
    std::set<std::string> selected;
    for (const std::string& name : names)
    {
        if ((listed.count(name) > 0) != isExcluding)
        {
            selected.insert(name);
        }
    }
    return selected;
}

void
SetAlgorithm(NcclTestRequest& request, const std::string& value)
{
    const auto selected = SelectNames(value, {"ring", "tree"});
    if (selected.empty())
    {
        request.notes.push_back("NCCL_ALGO=" + value +
                                " is not modelled: the choice is between Ring and Tree");
    }
    request.selection.algorithm = selected.size() == 1 ? *selected.begin() : "auto";
}

void
SetProtocol(NcclTestRequest& request, const std::string& value)
{
    const auto selected = SelectNames(value, {"ll", "ll128", "simple"});
    if (selected.size() != 1 && selected.size() != 3)
    {
        request.notes.push_back("NCCL_PROTO=" + value +
                                " is not modelled: the choice is among Simple, LL and LL128");
    }
    request.selection.protocol = selected.size() == 1 ? *selected.begin() : "auto";
}

/// @param most channels or ranks; at least 1
uint32_t
ReadPositive(const std::string& name, const std::string& value, uint32_t most)
{
    const uint32_t number = ReadCount(name, value, most);
    if (number == 0)
    {
        FailValue(name, "at least 1", value);
    }
    return number;
}

/// One bound alone is the number, too: the number that NCCL finds by itself is not modelled.
void
SetChannels(NcclTestRequest& request, const std::string& value)
{
    constexpr uint32_t MAX_CHANNELS{64};
    const uint32_t channels = ReadPositive("NCCL_MAX_NCHANNELS", value, MAX_CHANNELS);
    std::optional<uint32_t>& selected = request.selection.channels;
    selected = std::min(channels, selected.value_or(channels));
}

void
SetPeerChannels(NcclTestRequest& request, const std::string& value)
{
    constexpr uint32_t MAX_CHANNELS{64};
    request.channelsPerPeer = ReadPositive("NCCL_NCHANNELS_PER_NET_PEER", value, MAX_CHANNELS);
}

void
SetMaxPeers(NcclTestRequest& request, const std::string& value)
{
    constexpr uint32_t MAX_PEERS{1 << 20};
    request.maxPeers = ReadPositive("NCCL_P2P_MAX_PEERS", value, MAX_PEERS);
}

void
SetChunk(NcclTestRequest& request, const std::string& value)
{
    constexpr uint32_t MAX_CHUNK{512 << 10};
    request.chunk = ReadPositive("NCCL_P2P_NET_CHUNKSIZE", value, MAX_CHUNK);
}

void
SetTimeout(NcclTestRequest& request, const std::string& value)
{
    constexpr uint32_t MAX_TIMEOUT{31};
    request.timeout = ReadCount("NCCL_IB_TIMEOUT", value, MAX_TIMEOUT);
}

void
SetRetries(NcclTestRequest& request, const std::string& value)
{
    constexpr uint32_t MAX_RETRIES{7};
    request.retries = ReadCount("NCCL_IB_RETRY_CNT", value, MAX_RETRIES);
}

void
SetAdaptive(NcclTestRequest& request, const std::string& value)
{
    request.isAdaptive = ReadCount("NCCL_IB_ADAPTIVE_ROUTING", value, 1) == 1;
}

/// NCCL's default, 0, stands for the NIC's own class.
void
SetTrafficClass(NcclTestRequest& request, const std::string& value)
{
    constexpr uint32_t MAX_TRAFFIC_CLASS{255};
    constexpr uint32_t ECN_BITS{2};
    const uint32_t octet = ReadCount("NCCL_IB_TC", value, MAX_TRAFFIC_CLASS);
    request.dscp = octet > 0 ? std::optional(octet >> ECN_BITS) : std::nullopt;
}

void
SetServiceLevel(NcclTestRequest& request, const std::string& value)
{
    constexpr uint32_t MAX_LEVEL{7}; // 802.1Q; InfiniBand has 15.
    const uint32_t level = ReadCount("NCCL_IB_SL", value, MAX_LEVEL);
    request.priority = level > 0 ? std::optional(level) : std::nullopt;
}

using Wish = NcclTestRequest;
constexpr auto COUNT{ToolArgument::NUMBER};
constexpr auto WORD{ToolArgument::TEXT};
constexpr auto USED{ToolOptionUse::EFFECTIVE};
constexpr auto SETUP{ToolOptionUse::REAL_MACHINE};
constexpr auto ABSENT{ToolOptionUse::NOT_MODELLED};

const std::vector<NcclOption> NCCL_OPTIONS{
    {"minbytes", 'b', WORD, USED, "Smallest size (32M)", SetWord<&Wish::begin>},
    {"maxbytes", 'e', WORD, USED, "Largest size (32M)", SetWord<&Wish::end>},
    {"stepfactor", 'f', COUNT, USED, "Factor between two sizes (2)", SetCount<&Wish::factor>},
    {"stepbytes",
     'i',
     WORD,
     USED,
     "Difference of two sizes instead of a factor",
     SetWord<&Wish::step>},
    {"ngpus",
     'g',
     COUNT,
     USED,
     "Ranks of a thread, each on a server of its own (8, or 1 with -t or --np)",
     SetCount<&Wish::gpus>},
    {"nthreads", 't', COUNT, USED, "Threads of a process (1)", SetCount<&Wish::threads>},
    {"iters", 'n', COUNT, USED, "Measured iterations (1)", SetCount<&Wish::iterations>},
    {"warmup_iters",
     'w',
     COUNT,
     USED,
     "Iterations before the measured ones (0)",
     SetCount<&Wish::warmup>},
    {"datatype", 'd', WORD, USED, "Type of elements, for their number (float)", SetDatatype},
    {"op", 'o', WORD, USED, "Reduction, for its column (sum)", SetReduction},
    {"root", 'r', WORD, USED, "Root of broadcast and reduce (0)", SetRoot},

    {"parallel_init", 'p', WORD, SETUP, "Threads initialize NCCL in parallel"},
    {"check", 'c', WORD, SETUP, "Checks of results; here data has no bytes"},
    {"stream_null", 'y', WORD, SETUP, "CUDA's null stream"},
    {"timeout", 'T', WORD, SETUP, "Time limit of a test; here run.stallLimit of a scenario"},
    {"cudagraph", 'G', WORD, SETUP, "CUDA graphs"},
    {"report_cputime", 'C', WORD, SETUP, "Time of the processor"},
    {"report_timestamps", 'S', WORD, SETUP, "Time of day of each line"},
    {"output_file", 'J', WORD, SETUP, "File with JSON; here --json"},
    {"memory", 'M', WORD, SETUP, "Use of memory"},
    {"local_register", 'R', WORD, SETUP, "Registration of buffers"},
    {"unalign", 'u', WORD, SETUP, "Misaligned buffers"},

    {"agg_iters", 'm', WORD, ABSENT, "each operation is posted alone"},
    {"run_cycles", 'N', WORD, ABSENT, "the table is printed once"},
    {"blocking", 'z', WORD, ABSENT, "there is no barrier between iterations"},
    {"average", 'a', WORD, ABSENT, "the time of all iterations of all ranks is divided"},
    {"per_iter_timing", 'I', WORD, ABSENT, "--json has the spread of iterations"},
    {"per_iter_skip", 'K', WORD, ABSENT, "-w leaves iterations out"},
    {"device_implementation", 'D', WORD, ABSENT, "the host posts the operations"},
    {"device_cta_count", 'V', WORD, ABSENT, "the host posts the operations"},
};

constexpr const char* ONE_PAIR{"a connection of a channel has one queue pair"};
constexpr const char* NO_FABRIC_IN_SERVERS{"each rank is on a server of its own"};
constexpr const char* FIXED_PIECES{"messages have NCCL's default sizes"};

const std::vector<NcclOption> VARIABLES{
    {"NCCL_ALGO", 0, WORD, USED, "Ring, Tree, or both: NCCL's choice", SetAlgorithm},
    {"NCCL_PROTO", 0, WORD, USED, "Simple, LL, LL128, or all: NCCL's choice", SetProtocol},
    {"NCCL_MAX_NCHANNELS", 0, WORD, USED, "Channels of rings (1)", SetChannels},
    {"NCCL_MIN_NCHANNELS", 0, WORD, USED, "Likewise; the smaller one counts", SetChannels},
    {"NCCL_NCHANNELS_PER_NET_PEER", 0, WORD, USED, "Channels to a peer", SetPeerChannels},
    {"NCCL_P2P_MAX_PEERS", 0, WORD, USED, "Peers that share all channels", SetMaxPeers},
    {"NCCL_P2P_NET_CHUNKSIZE", 0, WORD, USED, "Largest message to a peer (131072)", SetChunk},
    {"NCCL_IB_TIMEOUT", 0, WORD, USED, "Timeout, 4.096 us x 2^n (20)", SetTimeout},
    {"NCCL_IB_RETRY_CNT", 0, WORD, USED, "Retries (7)", SetRetries},
    {"NCCL_IB_ADAPTIVE_ROUTING", 0, WORD, USED, "1: as --adaptive-routing", SetAdaptive},
    {"NCCL_IB_TC", 0, WORD, USED, "Traffic class, DSCP x 4 (0: the NIC's)", SetTrafficClass},
    {"NCCL_IB_SL", 0, WORD, USED, "Priority, 0 to 7 (0: the NIC's)", SetServiceLevel},

    {"NCCL_IB_QPS_PER_CONNECTION", 0, WORD, ABSENT, ONE_PAIR},
    {"NCCL_IB_SPLIT_DATA_ON_QPS", 0, WORD, ABSENT, ONE_PAIR},
    {"NCCL_IB_FIFO_TC", 0, WORD, ABSENT, "clear-to-send messages have the class of data"},
    {"NCCL_IB_AR_THRESHOLD", 0, WORD, ABSENT, "the threshold is 8 KiB"},
    {"NCCL_BUFFSIZE", 0, WORD, ABSENT, FIXED_PIECES},
    {"NCCL_CROSS_NIC", 0, WORD, ABSENT, "a rank has one NIC"},
    {"NCCL_NVLS_ENABLE", 0, WORD, ABSENT, NO_FABRIC_IN_SERVERS},
    {"NCCL_P2P_DISABLE", 0, WORD, ABSENT, NO_FABRIC_IN_SERVERS},
    {"NCCL_P2P_LEVEL", 0, WORD, ABSENT, NO_FABRIC_IN_SERVERS},
    {"NCCL_SHM_DISABLE", 0, WORD, ABSENT, NO_FABRIC_IN_SERVERS},
    {"NCCL_MNNVL_ENABLE", 0, WORD, ABSENT, NO_FABRIC_IN_SERVERS},
    {"NCCL_COLLNET_ENABLE", 0, WORD, ABSENT, "switches do not reduce"},
    {"NCCL_PXN_DISABLE", 0, WORD, ABSENT, NO_FABRIC_IN_SERVERS},
    {"NCCL_IB_DISABLE", 0, WORD, ABSENT, "ranks send by RDMA"},
    {"NCCL_NTHREADS", 0, WORD, ABSENT, "the time of GPU threads is not modelled"},

    {"NCCL_DEBUG", 0, WORD, SETUP, "Messages"},
    {"NCCL_DEBUG_SUBSYS", 0, WORD, SETUP, "Messages"},
    {"NCCL_DEBUG_FILE", 0, WORD, SETUP, "Messages"},
    {"NCCL_IB_HCA", 0, WORD, SETUP, "Devices"},
    {"NCCL_IB_GID_INDEX", 0, WORD, SETUP, "GID"},
    {"NCCL_IB_CUDA_SUPPORT", 0, WORD, SETUP, "GPUDirect RDMA"},
    {"NCCL_IB_PCI_RELAXED_ORDERING", 0, WORD, SETUP, "PCIe"},
    {"NCCL_SOCKET_IFNAME", 0, WORD, SETUP, "Interface"},
    {"NCCL_SOCKET_FAMILY", 0, WORD, SETUP, "Address family"},
    {"NCCL_NET", 0, WORD, SETUP, "Plug-in"},
    {"NCCL_NET_PLUGIN", 0, WORD, SETUP, "Plug-in"},
    {"NCCL_TUNER_PLUGIN", 0, WORD, SETUP, "Plug-in"},
    {"NCCL_NET_GDR_LEVEL", 0, WORD, SETUP, "GPUDirect RDMA"},
    {"NCCL_NET_GDR_READ", 0, WORD, SETUP, "GPUDirect RDMA"},
    {"NCCL_DMABUF_ENABLE", 0, WORD, SETUP, "GPUDirect RDMA"},
    {"NCCL_TOPO_FILE", 0, WORD, SETUP, "Topology of a server"},
    {"NCCL_TOPO_DUMP_FILE", 0, WORD, SETUP, "Topology of a server"},
    {"NCCL_IGNORE_CPU_AFFINITY", 0, WORD, SETUP, "Cores"},
    {"NCCL_LAUNCH_MODE", 0, WORD, SETUP, "CUDA"},
};

} // namespace

const std::vector<NcclOption>&
GetNcclOptions()
{
    return NCCL_OPTIONS;
}

const std::vector<NcclOption>&
GetNcclVariables()
{
    return VARIABLES;
}

void
ReadNcclVariable(const std::string& text,
                 NcclTestRequest& request,
                 std::vector<UnusedOption>& unused)
{
    static const std::string PREFIX{"NCCL_"};
    const std::size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    const auto found =
        std::find_if(VARIABLES.begin(), VARIABLES.end(), [&name](const NcclOption& variable) {
            return variable.name == name;
        });
    if (found == VARIABLES.end())
    {
        const bool isOfNccl = name.compare(0, PREFIX.size(), PREFIX) == 0;
        unused.push_back(
            isOfNccl
                ? UnusedOption{name, ToolOptionUse::NOT_MODELLED, "the model has no such variable"}
                : UnusedOption{"-x " + name});
    }
    else if (!found->apply)
    {
        unused.push_back({name, found->use, found->text});
    }
    else if (equals == std::string::npos)
    {
        FailValue("-x", name + "=VALUE", text);
    }
    else
    {
        found->apply(request, text.substr(equals + 1));
    }
}

void
ApplyNcclVariables(const NcclTest& test, NcclTestRequest& request)
{
    const std::string operation = test.operation;
    const NcclSelection& selection = request.selection;
    const auto note = [&](const char* name, const std::string& reason) {
        request.notes.push_back(std::string(name) + " has no effect on " + operation + ": " +
                                reason);
    };
    if (!NcclKeys::HasChoice(operation))
    {
        if (!selection.algorithm.empty())
        {
            note("NCCL_ALGO", "its messages go from rank to rank");
        }
        if (!selection.protocol.empty())
        {
            note("NCCL_PROTO", "it is sent by Simple");
        }
    }
    else
    {
        const bool hasTree = operation == "all-reduce";
        const bool isChain = operation == "broadcast" || operation == "reduce";
        if (selection.algorithm == "tree" && !hasTree)
        {
            note("NCCL_ALGO", "NCCL has no tree for it");
        }
        else if (selection.algorithm == "tree")
        {
            request.algorithm = "double-tree";
        }
        else if (selection.algorithm == "auto" || (selection.algorithm == "ring" && !isChain))
        {
            request.algorithm = selection.algorithm;
        }
        if (!selection.protocol.empty())
        {
            request.protocol = selection.protocol;
        }
    }
    const std::vector<std::string> ringed{"all-reduce", "all-gather", "reduce-scatter"};
    const bool isRing = std::find(ringed.begin(), ringed.end(), operation) != ringed.end() &&
                        request.algorithm != "double-tree";
    if (selection.channels && isRing)
    {
        request.channels = selection.channels;
    }
    else if (selection.channels)
    {
        note("NCCL_MAX_NCHANNELS",
             NcclKeys::HasChoice(operation) ? "it has one channel"
                                            : "NCCL_NCHANNELS_PER_NET_PEER has");
    }
    const bool hasPeerVariable = request.channelsPerPeer || request.maxPeers || request.chunk;
    if (hasPeerVariable && NcclKeys::HasChoice(operation))
    {
        note("A variable of messages to a peer", "it is no alltoall or sendrecv");
        request.channelsPerPeer.reset();
        request.maxPeers.reset();
        request.chunk.reset();
    }
}

} // namespace ns3::rdma
