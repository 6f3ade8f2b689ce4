// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/nic-presets.h"

namespace ns3::rdma
{

namespace
{

using Attributes = std::vector<std::pair<std::string, std::string>>;

/**
 * A sender in an FPGA that paces the data of an instrument (thesis, section 7.2), such as SKA's
 * SEND or Coyote's stack.  It has no congestion control, no retransmission on UC and no host: what
 * threads of a host do takes no time, with and without hardware.  Its rate is
 * RdmaNic::PortRateLimit, which spaces packets exactly.
 */
const Attributes ALWAYS{{"ns3::rdma::RdmaNic::CongestionControl", "ns3::rdma::NoCongestionControl"},
                        {"ns3::rdma::RdmaNic::LossDetector", "ns3::rdma::GoBackN"},
                        {"ns3::rdma::RdmaNic::RetransmissionTimeout", "ns3::rdma::FixedTimeout"},
                        {"ns3::rdma::HostCosts::Post", "0ns"},
                        {"ns3::rdma::HostCosts::LinkedPost", "0ns"},
                        {"ns3::rdma::HostCosts::Doorbell", "0ns"},
                        {"ns3::rdma::HostCosts::ReceiveCall", "0ns"},
                        {"ns3::rdma::HostCosts::Receive", "0ns"},
                        {"ns3::rdma::HostCosts::PollCall", "0ns"},
                        {"ns3::rdma::HostCosts::Completion", "0ns"},
                        {"ns3::rdma::HostCosts::Arm", "0ns"},
                        {"ns3::rdma::HostCosts::GetEvent", "0ns"},
                        {"ns3::rdma::HostCosts::Sleep", "0ns"},
                        {"ns3::rdma::HostCosts::WakeUp", "0ns"},
                        {"ns3::rdma::HostCosts::Ack", "0ns"},
                        {"ns3::rdma::HostCosts::Lock", "0ns"},
                        {"ns3::rdma::HostCosts::Check", "0ns"},
                        {"ns3::rdma::HostCosts::RegionLookup", "0ns"},
                        {"ns3::rdma::HostCosts::SearchElement", "0ns"},
                        {"ns3::rdma::HostCosts::Interrupt", "0ns"},
                        {"ns3::rdma::HostCosts::IdleExit", "0ns"},
                        {"ns3::rdma::HostCosts::ContextSwitch", "0ns"},
                        {"ns3::rdma::HostCosts::SwitchLines", "0"},
                        {"ns3::rdma::CacheHierarchy::L1Time", "0ns"},
                        {"ns3::rdma::CacheHierarchy::L2Time", "0ns"},
                        {"ns3::rdma::CacheHierarchy::L3Time", "0ns"},
                        {"ns3::rdma::CacheHierarchy::MemoryTime", "0ns"}};

/**
 * The schedule is in the chip: a turn is one message, so that queue pairs send message by message
 * in a fixed order.  Work requests and payload are available at once: processors, stores, reads and
 * contexts cost nothing.  Clock and bus are BALBOA's.  The pipelines are our estimate: BALBOA's
 * without flow control, retransmission and host.
 */
const Attributes HARDWARE{
    {"ns3::rdma::RdmaNic::Hardware", "true"},
    {"ns3::rdma::NicHardware::Cycle", "4ns"},
    {"ns3::rdma::NicHardware::TransmitBlocks",
     "reth=12, bth=4, udp=4, ip=7, icrc=7, ethernet-header=24, padding=17, packet-fifo=8+packet, "
     "cmac=10"},
    {"ns3::rdma::NicHardware::ReceiveBlocks", "cmac=18, ip=7, udp=6, bth=18"},
    {"ns3::rdma::HostCpu::PostCost", "0ns"},
    {"ns3::rdma::HostCpu::DoorbellCost", "0ns"},
    {"ns3::rdma::HostCpu::PollCost", "0ns"},
    {"ns3::rdma::PcieLink::Generation", "5"},
    {"ns3::rdma::PcieLink::TlpOverhead", "0"},
    {"ns3::rdma::PcieLink::ReadLatency", "0ns"},
    {"ns3::rdma::PcieLink::WriteLatency", "0ns"},
    {"ns3::rdma::PcieLink::StoreLatency", "0ns"},
    {"ns3::rdma::TranslationCache::CacheEntries", "0"},
    {"ns3::rdma::WqeFetcher::KeepsWqes", "true"},
    {"ns3::rdma::WqeFetcher::PushedBytes", "64"},
    {"ns3::rdma::WqeFetcher::QueuesPushed", "true"},
    {"ns3::rdma::WqeFetcher::WqesPerTurn", "1"},
    {"ns3::rdma::WqeFetcher::BurstBytes", "4294967295"}};

bool
RegisterFpgaSender()
{
    RegisterNicPreset({"fpga-sender",
                       "UC from an FPGA at an exact rate: no congestion control, no host",
                       false,
                       ALWAYS,
                       HARDWARE});
    return true;
}

[[maybe_unused]] const bool HAS_FPGA_SENDER = RegisterFpgaSender();

} // namespace

} // namespace ns3::rdma
