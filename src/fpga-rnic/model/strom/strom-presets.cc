// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/nic-presets.h"
#include "ns3/renamed-names.h"

namespace ns3::rdma
{

namespace
{

using Attributes = std::vector<std::pair<std::string, std::string>>;

void
Append(Attributes& attributes, const Attributes& more)
{
    attributes.insert(attributes.end(), more.begin(), more.end());
}

/// What both versions share: go-back-N with a timer per queue pair, of fpga-network-stack's two
/// steps and 12 retries.  The paper does not print its limit of outstanding packets: BALBOA's is
/// used.
const Attributes STROM{
    {"ns3::rdma::RdmaNic::CongestionControl", "ns3::rdma::AckClockedCredits"},
    {"ns3::rdma::RdmaNic::LossDetector", "ns3::rdma::GoBackN"},
    {"ns3::rdma::RdmaNic::RetransmissionTimeout", "ns3::rdma::TimerArrayTimeout"},
    {"ns3::rdma::RdmaNic::RetryCount", "12"}};

/// 1 ms and 64 ms are compiled in as cycles of 6.4 ns: at 322 MHz they are shorter.
Attributes
MakeStrom10g()
{
    Attributes attributes = STROM;
    Append(attributes,
           {{"ns3::rdma::TimerArrayTimeout::Frequency", "156250000"},
            {"ns3::rdma::FixedTimeout::Timeout", "1ms"},
            {"ns3::rdma::FixedTimeout::LateTimeout", "64ms"}});
    return attributes;
}

Attributes
MakeStrom100g()
{
    Attributes attributes = STROM;
    Append(attributes,
           {{"ns3::rdma::TimerArrayTimeout::Frequency", "322000000"},
            {"ns3::rdma::FixedTimeout::Timeout", "485us"},
            {"ns3::rdma::FixedTimeout::LateTimeout", "31ms"}});
    return attributes;
}

/**
 * What both versions' hardware shares: acknowledgments are made by the stage of the last header
 * (section 4.1, "requests to generate response packets"); a PCIe read takes 1.5 us (section 6.2);
 * commands are one
 * store of 32 bytes each (section 7.1; davos: {op, queue pair, two addresses, size}), which wait on
 * the card; all translations are on the card, of pages of 2 MiB (section 4.3).
 *
 * Fitted: 100 ns of a core per store.  With 40 ns to make a command that is 7.1 M messages per
 * second, between the 5.6 M/s that fill 100 Gb/s with 2 KiB, and the 7.7 M/s that fill 10 Gb/s with
 * 64 B: below 2 KB, and for small messages at 10 G, the message rate is the limit (sections 6.1 and
 * 7.1).  It is part of the latencies of Figures 5a and 12a, too.
 */
const Attributes STROM_HARDWARE{
    {"ns3::rdma::RdmaNic::Hardware", "true"},
    {"ns3::rdma::NicHardware::PipelineClass", "ns3::rdma::StreamPacketPipeline"},
    {"ns3::rdma::NicHardware::AnswerBlock", "reth"},
    {"ns3::rdma::NicHardware::AnswerEntry", "reth"},
    {"ns3::rdma::NicHardware::MaxReads", "2048"},
    {"ns3::rdma::PcieLink::ReadLatency", "1500ns"},
    {"ns3::rdma::PcieLink::WriteLatency", "400ns"},
    {"ns3::rdma::PcieLink::StoreLatency", "300ns"},
    {"ns3::rdma::TranslationCache::CacheEntries", "0"},
    {"ns3::rdma::TranslationCache::PageSize", "2097152"},
    {"ns3::rdma::HostCpu::DoorbellCost", "100ns"},
    {"ns3::rdma::WqeFetcher::KeepsWqes", "true"},
    {"ns3::rdma::WqeFetcher::WqeBytes", "32"},
    {"ns3::rdma::WqeFetcher::PushedBytes", "32"},
    {"ns3::rdma::WqeFetcher::QueuesPushed", "true"},
    {"ns3::rdma::WqeFetcher::TakesInline", "false"}};

/// Section 6.1: 8 bytes at 156.25 MHz, PCIe Gen3 x8. The blocks' cycles and their sources are in
/// docs/models/strom-nic.md.
Attributes
MakeStrom10gHardware()
{
    Attributes attributes = STROM_HARDWARE;
    Append(attributes,
           {{"ns3::rdma::NicHardware::Cycle", "6400ps"},
            {"ns3::rdma::NicHardware::BusBytes", "8"},
            {"ns3::rdma::NicHardware::TransmitBlocks",
             "dma=8, reth=12, bth=4, udp=4, ip=7, icrc=7+packet, ethernet-header=24, mac=20"},
            {"ns3::rdma::NicHardware::ReceiveBlocks",
             "mac=25, ip-handler=28, icrc=7+packet, ip=7, udp=6, bth=18/5, reth=20, dma=8"},
            {"ns3::rdma::PcieLink::Lanes", "8"}});
    return attributes;
}

/// Section 7: 64 bytes at 322 MHz, PCIe Gen3 x16.  The DMA engine's bus to the PCIe block has 512
/// bits at 250 MHz (section 4.2; davos, scripts/dma_ultraplus.tcl).  That TLPs do not share a beat
/// is inferred: AMD's engine with this bus writes 12.2 GB/s (docs/models/strom-nic.md).
Attributes
MakeStrom100gHardware()
{
    Attributes attributes = STROM_HARDWARE;
    Append(attributes,
           {{"ns3::rdma::NicHardware::Cycle", "3106ps"},
            {"ns3::rdma::NicHardware::BusBytes", "64"},
            {"ns3::rdma::NicHardware::TransmitBlocks",
             "dma=8, reth=12, bth=4, udp=4, ip=7, icrc=7+packet, ethernet-header=24, padding=17, "
             "mac=13"},
            {"ns3::rdma::NicHardware::ReceiveBlocks",
             "mac=23, ip-handler=28, icrc=7+packet, ip=7, udp=6, bth=18/5, reth=20, dma=8"},
            {"ns3::rdma::PcieLink::BeatBytes", "64"}});
    return attributes;
}

bool
RegisterStrom()
{
    const std::string description =
        "go-back-N, outstanding limit, lossy fabric, kernels on the NIC";
    RegisterNicPreset(
        {"strom10g", description, false, MakeStrom10g(), MakeStrom10gHardware(), true});
    RegisterNicPreset(
        {"strom100g", description, false, MakeStrom100g(), MakeStrom100gHardware(), true});
    return true;
}

[[maybe_unused]] const bool HAS_STROM = RegisterStrom();
[[maybe_unused]] const bool IS_RENAMED =
    RegisterRenamed({{"ns3::rdma::TimerArrayGoBackN", "ns3::rdma::TimerArrayTimeout"}});

} // namespace

} // namespace ns3::rdma
