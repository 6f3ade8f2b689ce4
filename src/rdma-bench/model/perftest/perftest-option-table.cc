// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/perftest-option-table.h"

#include "ns3/input-error.h"
#include "ns3/name-suggestion.h"
#include "ns3/quantity.h"

#include <algorithm>
#include <charconv>
#include <type_traits>

namespace ns3::rdma
{

namespace
{

[[noreturn]] void
FailOption(const char* option, const std::string& expected, const std::string& got)
{
    throw InputError(std::string("perftest: ") + option + ": expected " + expected + ", got " +
                     got);
}

std::optional<uint64_t>
FindWholeNumber(const std::string& text)
{
    uint64_t number = 0;
    const char* end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, number);
    return result.ec == std::errc() && result.ptr == end ? std::optional(number) : std::nullopt;
}

template <auto MEMBER>
void
SetNumber(PerftestRequest& request, const std::string& value)
{
    using Number = typename std::decay_t<decltype(request.*MEMBER)>::value_type;
    request.*MEMBER = static_cast<Number>(FindWholeNumber(value).value_or(0));
}

template <auto MEMBER>
void
SetText(PerftestRequest& request, const std::string& value)
{
    request.*MEMBER = value;
}

template <auto MEMBER>
void
SetFlag(PerftestRequest& request, const std::string&)
{
    request.*MEMBER = true;
}

/// Plain bytes, K and M as perftest takes them (powers of 1024), or a size with a unit.
void
SetSize(PerftestRequest& request, const std::string& value)
{
    const bool isShort = !value.empty() && (value.back() == 'K' || value.back() == 'M');
    const auto plain = FindWholeNumber(value);
    request.size = plain ? plain : ParseBytes(isShort ? value + "iB" : value);
    if (!request.size)
    {
        FailOption("--size", "bytes such as 65536, 64K or 64KiB", value);
    }
}

void
SetAtomicType(PerftestRequest& request, const std::string& value)
{
    if (value != "CMP_AND_SWAP" && value != "FETCH_AND_ADD")
    {
        FailOption("--atomic_type", "CMP_AND_SWAP or FETCH_AND_ADD", value);
    }
    request.atomicType =
        value == "CMP_AND_SWAP" ? PerftestAtomic::COMPARE_AND_SWAP : PerftestAtomic::FETCH_AND_ADD;
}

void
SetRateUnits(PerftestRequest& request, const std::string& value)
{
    if (value != "M" && value != "g" && value != "p")
    {
        FailOption("--rate_units", "M (MiB/s), g (Gb/s) or p (messages per second)", value);
    }
    request.rateUnits = value.front();
}

void
SetRateLimiter(PerftestRequest& request, const std::string& value)
{
    if (value != "HW" && value != "SW")
    {
        FailOption("--rate_limit_type", "HW or SW (PP is for raw Ethernet)", value);
    }
    request.limiter = value == "HW" ? PerftestLimiter::NIC : PerftestLimiter::HOST;
}

void
SetOutput(PerftestRequest& request, const std::string& value)
{
    const std::vector<std::string> names{"bandwidth", "message_rate", "latency"};
    if (std::find(names.begin(), names.end(), value) == names.end())
    {
        FailOption("--output", JoinNames(names), value);
    }
    request.output = value == "bandwidth"      ? PerftestOutput::BANDWIDTH
                     : value == "message_rate" ? PerftestOutput::MESSAGE_RATE
                                               : PerftestOutput::LATENCY;
}

void
SetGpuMemory(PerftestRequest& request, const std::string&)
{
    request.isInGpu = true;
}

using Request = PerftestRequest;
constexpr auto NONE{ToolArgument::NONE};
constexpr auto NUMBER{ToolArgument::NUMBER};
constexpr auto TEXT{ToolArgument::TEXT};
constexpr auto EFFECT{ToolOptionUse::EFFECTIVE};
constexpr auto MACHINE{ToolOptionUse::REAL_MACHINE};
constexpr auto LACK{ToolOptionUse::NOT_MODELLED};

// Reasons that several options share.
constexpr const char* RAW{"raw_ethernet_* only"};
constexpr const char* HOST_MEMORY{"buffers are in host memory"};
constexpr const char* NO_BYTES{"memory has addresses, but no bytes"};
constexpr const char* NO_CRYPTO{"data is sent as it is"};
constexpr const char* NO_HINTS{"PCIe writes have no hints"};

const std::vector<PerftestOption> OPTIONS{
    // What is measured.
    {"size", 's', TEXT, EFFECT, "Size of a message, bytes (65536; latency: 2)", SetSize},
    {"all", 'a', NONE, EFFECT, "All sizes from 2 to 2^23", SetFlag<&Request::hasAllSizes>},
    {"iters",
     'n',
     NUMBER,
     EFFECT,
     "Number of messages (1000; write_bw: 5000)",
     SetNumber<&Request::iterations>},
    {"duration",
     'D',
     TEXT,
     EFFECT,
     "Duration instead of a number of messages: seconds, as 0.01, or 10ms",
     SetText<&Request::duration>},
    {"margin",
     'f',
     TEXT,
     EFFECT,
     "Time at both ends of --duration that is not measured (a quarter)",
     SetText<&Request::margin>},
    {"qp", 'q', NUMBER, EFFECT, "Number of queue pairs (1)", SetNumber<&Request::queuePairs>},
    {"mtu", 'm', NUMBER, EFFECT, "Path MTU, bytes, 256 to 4096 (4096)", SetNumber<&Request::mtu>},
    {"connection",
     'c',
     TEXT,
     EFFECT,
     "Transport service: RC, UC or UD (RC)",
     SetText<&Request::connection>},
    {"bidirectional",
     'b',
     NONE,
     EFFECT,
     "Traffic from both ends",
     SetFlag<&Request::isBidirectional>},
    {"reversed", 0, NONE, EFFECT, "The server sends to the client", SetFlag<&Request::isReversed>},
    {"write_with_imm",
     0,
     NONE,
     EFFECT,
     "WRITEs with immediate data",
     SetFlag<&Request::hasImmediateWrites>},
    {"send_with_imm",
     0,
     NONE,
     EFFECT,
     "SENDs with immediate data",
     SetFlag<&Request::hasImmediateSends>},
    {"atomic_type",
     'A',
     TEXT,
     EFFECT,
     "CMP_AND_SWAP or FETCH_AND_ADD (FETCH_AND_ADD)",
     SetAtomicType},
    {"ipv6", 0, NONE, EFFECT, "IPv6 instead of IPv4", SetFlag<&Request::hasIpv6>},
    {"latency_gap",
     0,
     NUMBER,
     EFFECT,
     "Latency: time before each posting of both ends, which counts, us (0)",
     SetNumber<&Request::latencyGapUs>},
    // How requests are posted and completed.
    {"tx-depth", 't', NUMBER, EFFECT, "Messages in flight (128)", SetNumber<&Request::txDepth>},
    {"rx-depth", 'r', NUMBER, EFFECT, "Receive requests (512)", SetNumber<&Request::rxDepth>},
    {"outs",
     'o',
     NUMBER,
     EFFECT,
     "READs and atomics in flight (16)",
     SetNumber<&Request::outstandingReads>},
    {"inline_size",
     'I',
     NUMBER,
     EFFECT,
     "Largest message posted inline, bytes (0; with --hardware on, latency: about 220)",
     SetNumber<&Request::inlineBytes>,
     "inline"},
    {"cq-mod",
     'Q',
     NUMBER,
     EFFECT,
     "Requests per completion (1; with --hardware on: 100)",
     SetNumber<&Request::completionInterval>},
    {"post_list",
     'l',
     NUMBER,
     EFFECT,
     "Requests per posting (1)",
     SetNumber<&Request::postList>,
     "post-list"},
    {"recv_post_list",
     0,
     NUMBER,
     EFFECT,
     "Receive requests per posting (1)",
     SetNumber<&Request::receiveList>},
    {"rate_limit",
     0,
     TEXT,
     EFFECT,
     "Limit of the rate, Gb/s or --rate_units",
     SetText<&Request::rateLimit>},
    {"rate_units", 0, TEXT, EFFECT, "M: MiB/s, g: Gb/s, p: messages per second (g)", SetRateUnits},
    {"rate_limit_type",
     0,
     TEXT,
     EFFECT,
     "HW: the NIC limits each queue pair; SW: the host posts bursts (HW)",
     SetRateLimiter},
    {"burst_size",
     0,
     NUMBER,
     EFFECT,
     "Messages of a burst with --rate_limit_type SW (--tx-depth)",
     SetNumber<&Request::burstSize>},
    {"qp-timeout",
     'u',
     NUMBER,
     EFFECT,
     "Timeout, 4.096 us x 2^u (the NIC's)",
     SetNumber<&Request::timeout>},
    {"retry_count", 0, NUMBER, EFFECT, "Retries, 0 to 7 (7)", SetNumber<&Request::retries>},
    {"sl",
     'S',
     NUMBER,
     EFFECT,
     "Service level, hence priority, 0 to 7 (0: the NIC's)",
     SetNumber<&Request::serviceLevel>},
    {"tos",
     'T',
     NUMBER,
     EFFECT,
     "As --tclass, for the connection manager",
     SetNumber<&Request::trafficClass>},
    {"tclass",
     0,
     NUMBER,
     EFFECT,
     "Traffic class, DSCP x 4, 0 to 255 (0: the NIC's)",
     SetNumber<&Request::trafficClass>},
    {"use_cuda", 0, TEXT, EFFECT, "Buffers in GPU memory, with --hardware on", SetGpuMemory},
    {"use_cuda_bus_id", 0, TEXT, EFFECT, "Likewise", SetGpuMemory},
    {"use_rocm", 0, TEXT, EFFECT, "Likewise", SetGpuMemory},
    {"use_musa", 0, TEXT, EFFECT, "Likewise", SetGpuMemory},
    {"use_musa_bus_id", 0, TEXT, EFFECT, "Likewise", SetGpuMemory},
    // What is printed.
    {"report_gbits", 0, NONE, EFFECT, "Gb/s instead of MiB/s", SetFlag<&Request::isInGigabits>},
    {"report-both",
     0,
     NONE,
     EFFECT,
     "With -b: both directions separately, too",
     SetFlag<&Request::hasBothDirections>},
    {"output",
     0,
     TEXT,
     EFFECT,
     "One number per size: bandwidth, message_rate or latency",
     SetOutput},
    {"noPeak", 'N', NONE, EFFECT, "No peak bandwidth", SetFlag<&Request::hasNoPeak>},
    {"report-histogrm",
     'H',
     NONE,
     EFFECT,
     "Latency: all values, sorted",
     SetFlag<&Request::hasSortedValues>,
     "report-histogram"},
    {"report-unsorted",
     'U',
     NONE,
     EFFECT,
     "Latency: all values, by number of the message",
     SetFlag<&Request::hasUnsortedValues>},
    {"limit_bw",
     'w',
     TEXT,
     EFFECT,
     "Exit status 1 below this average bandwidth",
     SetText<&Request::leastBandwidth>},
    {"limit_msgrate",
     'y',
     TEXT,
     EFFECT,
     "Exit status 1 below this message rate, Mpps",
     SetText<&Request::leastMessageRate>},
    {"out_json", 0, NONE, EFFECT, "perftest's report as JSON", SetFlag<&Request::hasOwnJson>},
    {"out_json_file",
     0,
     TEXT,
     EFFECT,
     "File of --out_json (perftest_out.json)",
     SetText<&Request::ownJsonFile>},

    // A real machine.
    {"port", 'p', TEXT, MACHINE, "TCP port of the exchange"},
    {"version", 'V', NONE, MACHINE, "Version of perftest; here rocelab --version"},
    {"ib-dev", 'd', TEXT, MACHINE, "Device; here --nic"},
    {"ib-port", 'i', TEXT, MACHINE, "Port of the device"},
    {"gid-index", 'x', TEXT, MACHINE, "GID"},
    {"CPU-freq", 'F', NONE, MACHINE, "No warning about the processor's frequency"},
    {"comm_rdma_cm", 'z', NONE, MACHINE, "Exchange by rdma_cm"},
    {"rdma_cm", 'R', NONE, MACHINE, "Connections by rdma_cm"},
    {"vector", 'X', TEXT, MACHINE, "Completion vector"},
    {"hop_limit", 'L', TEXT, MACHINE, "Hop limit"},
    {"report-counters", 'W', TEXT, MACHINE, "Counters of the driver; here --json"},
    {"cpu_util", 0, NONE, MACHINE, "Load of all cores; here --json with --hardware on"},
    {"force-link", 0, TEXT, MACHINE, "Link layer; here Ethernet"},
    {"pkey_index", 0, TEXT, MACHINE, "Partition key"},
    {"dlid", 0, TEXT, MACHINE, "LID"},
    {"dont_xchg_versions", 0, NONE, MACHINE, "No exchange of versions"},
    {"bind_source_ip", 0, TEXT, MACHINE, "Source address"},
    {"ipv6-addr", 0, NONE, MACHINE, "Exchange by IPv6"},
    {"wait_destroy", 0, TEXT, MACHINE, "Time before resources are released"},
    {"use_old_post_send", 0, NONE, MACHINE, "ibv_post_send"},
    {"no_lock", 0, NONE, MACHINE, "No locks in the driver"},
    {"disable_dynamic_polling", 0, NONE, MACHINE, "Completions per poll do not adapt"},
    {"cqe_poll", 0, TEXT, MACHINE, "Completions per poll"},
    {"pin_cores", 0, TEXT, MACHINE, "Cores; here --threads"},
    {"numa_node", 0, TEXT, MACHINE, "NUMA node"},
    {"disable_numa", 0, NONE, MACHINE, "No NUMA binding"},
    {"use_cuda_dmabuf", 0, NONE, MACHINE, "GPU memory by DMA-BUF"},
    {"use_cuda_pcie_mapping", 0, NONE, MACHINE, "DMA-BUF of the BAR"},
    {"use_musa_dmabuf", 0, NONE, MACHINE, "GPU memory by DMA-BUF"},
    {"use_musa_pcie_mapping", 0, NONE, MACHINE, "DMA-BUF of the BAR"},
    {"use_rocm_dmabuf", 0, NONE, MACHINE, "GPU memory by DMA-BUF"},
    {"use_neuron_dmabuf", 0, NONE, MACHINE, "DMA-BUF"},
    {"use_mlu_dmabuf", 0, NONE, MACHINE, "DMA-BUF"},
    {"cuda_mem_type", 0, TEXT, MACHINE, "Kind of CUDA memory"},
    {"opencl_platform_id", 0, TEXT, MACHINE, "OpenCL platform"},
    {"mmap-offset", 0, TEXT, MACHINE, "Offset in the file of --mmap"},
    {"client", 'P', NONE, MACHINE, RAW},
    {"server", 'Z', NONE, MACHINE, RAW},
    {"source_mac", 'B', TEXT, MACHINE, RAW},
    {"dest_mac", 'E', TEXT, MACHINE, RAW},
    {"dest_ip", 'J', TEXT, MACHINE, RAW},
    {"source_ip", 'j', TEXT, MACHINE, RAW},
    {"dest_port", 'K', TEXT, MACHINE, RAW},
    {"source_port", 'k', TEXT, MACHINE, RAW},
    {"ethertype", 'Y', TEXT, MACHINE, RAW},
    {"mac_fwd", 'v', NONE, MACHINE, RAW},
    {"use_rss", 'G', NONE, MACHINE, RAW},
    {"remote_mac", 0, TEXT, MACHINE, RAW},
    {"local_mac", 0, TEXT, MACHINE, RAW},
    {"remote_ip", 0, TEXT, MACHINE, RAW},
    {"local_ip", 0, TEXT, MACHINE, RAW},
    {"remote_port", 0, TEXT, MACHINE, RAW},
    {"local_port", 0, TEXT, MACHINE, RAW},
    {"tcp", 0, NONE, MACHINE, RAW},
    {"raw_ipv6", 0, NONE, MACHINE, RAW},
    {"raw_mcast", 0, NONE, MACHINE, RAW},
    {"promiscuous", 0, NONE, MACHINE, RAW},
    {"sniffer", 0, NONE, MACHINE, RAW},
    {"flows", 0, TEXT, MACHINE, RAW},
    {"flows_burst", 0, TEXT, MACHINE, RAW},
    {"reply_every", 0, TEXT, MACHINE, RAW},
    {"vlan_en", 0, NONE, MACHINE, RAW},
    {"vlan_pcp", 0, TEXT, MACHINE, RAW},
    {"typical_pkt_size", 0, TEXT, MACHINE, RAW},

    // Not modelled.
    {"flow_label", 0, TEXT, LACK, "each queue pair has a path of its own"},
    {"events", 'e', NONE, LACK, "hosts poll for completions"},
    {"mcg", 'g', NONE, LACK, "the message goes to one server"},
    {"MGID", 'M', TEXT, LACK, "the message goes to one server"},
    {"connectionless", 0, NONE, LACK, "both ends know each other"},
    {"report-cycles", 'C', NONE, LACK, "times are in microseconds"},
    {"dualport", 'O', NONE, LACK, "the NIC has one port"},
    {"report-per-port", 0, NONE, LACK, "the NIC has one port"},
    {"run_infinitely", 0, NONE, LACK, "the test runs once"},
    {"use-srq", 0, NONE, LACK, "each queue pair has a receive queue of its own"},
    {"perform_warm_up", 0, NONE, LACK, "the first messages are measured, too"},
    {"mr_per_qp", 0, NONE, LACK, "a host has one memory region"},
    {"odp", 0, NONE, LACK, "memory is registered"},
    {"use_hugepages", 0, NONE, LACK, "the size of pages is an attribute of the NIC"},
    {"use-null-mr", 0, NONE, LACK, HOST_MEMORY},
    {"mmap", 0, TEXT, LACK, HOST_MEMORY},
    {"use_neuron", 0, TEXT, LACK, HOST_MEMORY},
    {"use_hl", 0, TEXT, LACK, HOST_MEMORY},
    {"use_mlu", 0, TEXT, LACK, HOST_MEMORY},
    {"use_opencl", 0, TEXT, LACK, HOST_MEMORY},
    {"use_ib_dm_dmabuf", 0, TEXT, LACK, HOST_MEMORY},
    {"use_data_direct", 0, NONE, LACK, "GPU memory is behind the NIC's own PCIe link"},
    {"gpu_touch", 0, TEXT, LACK, "the GPU does not access its memory"},
    {"payload_file_path", 0, TEXT, LACK, NO_BYTES},
    {"data_validation", 0, NONE, LACK, NO_BYTES},
    {"data_validation_debug", 0, NONE, LACK, NO_BYTES},
    {"disable_pcie_relaxed", 0, NONE, LACK, "the order of PCIe writes is the hardware's own"},
    {"use_ooo", 0, NONE, LACK, "order is the preset's"},
    {"no_enhanced_reorder", 0, NONE, LACK, "order is the preset's"},
    {"unsolicited_write", 0, NONE, LACK, "WRITEs with immediate data take receive requests"},
    {"congest_type", 0, TEXT, LACK, "congestion control is the preset's"},
    {"log_dci_streams", 0, TEXT, LACK, "there is no DC transport"},
    {"log_active_dci_streams", 0, TEXT, LACK, "there is no DC transport"},
    {"aes_xts", 0, NONE, LACK, NO_CRYPTO},
    {"encrypt_on_tx", 0, NONE, LACK, NO_CRYPTO},
    {"sig_before", 0, NONE, LACK, NO_CRYPTO},
    {"sig_offload", 0, NONE, LACK, NO_CRYPTO},
    {"aes_block_size", 0, TEXT, LACK, NO_CRYPTO},
    {"kek_path", 0, TEXT, LACK, NO_CRYPTO},
    {"credentials_path", 0, TEXT, LACK, NO_CRYPTO},
    {"data_enc_keys_number", 0, TEXT, LACK, NO_CRYPTO},
    {"data_enc_key_app_path", 0, TEXT, LACK, NO_CRYPTO},
    {"tph_mem", 0, TEXT, LACK, NO_HINTS},
    {"cpu_id", 0, TEXT, LACK, NO_HINTS},
    {"ph", 0, TEXT, LACK, NO_HINTS},
};

} // namespace

const std::vector<PerftestOption>&
GetPerftestOptions()
{
    return OPTIONS;
}

} // namespace ns3::rdma
