// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/nic-presets.h"

#include "ns3/parameter-sets.h"

#include <algorithm>
#include <stdexcept>

namespace ns3::rdma
{

namespace
{

using Attributes = std::vector<std::pair<std::string, std::string>>;

/// @return attributes with changed or added values, each name once.
Attributes
Override(Attributes attributes, const Attributes& changes)
{
    for (const auto& [name, value] : changes)
    {
        const auto same = std::find_if(attributes.begin(), attributes.end(), [&](const auto& one) {
            return one.first == name;
        });
        if (same == attributes.end())
        {
            attributes.emplace_back(name, value);
        }
        else
        {
            same->second = value;
        }
    }
    return attributes;
}

/**
 * ConnectX: IBTA reliable connection, DCQCN (defaults of both classes), adaptive retransmission.
 *
 * Adaptive retransmission is on in the published ROCE_ACCL registers (a ConnectX-5 Ex, and the
 * sample of NVIDIA's page) with the default profile, whose values are not published.  Ours: the
 * first timeout exceeds the delay of a full port buffer (5.2 MB at 100 Gb/s: 416 us), so that the
 * timer does not expire where PFC prevents losses; 15 expiries in a row, since timeouts are short.
 * Selected with SRNIC Figure 11 in view, where the wire is busy at 1 % loss: after the first expiry
 * the timeouts begin with the class's 128 us.
 */
const Attributes CONNECTX{
    {"ns3::rdma::RdmaNic::CongestionControl", "ns3::rdma::Dcqcn"},
    {"ns3::rdma::RdmaNic::LossDetector", "ns3::rdma::GoBackN"},
    {"ns3::rdma::RdmaNic::RetransmissionTimeout", "ns3::rdma::AdaptiveTimeout"},
    {"ns3::rdma::RdmaNic::RetryCount", "15"},
    {"ns3::rdma::AdaptiveTimeout::InitialLowBound", "7"}};

/// CONNECTX on a lossy fabric, with NVIDIA's parameters except the increase, which is measured, and
/// the unit of the byte counter.  Its shortest timeout exceeds the delay of a full port buffer of
/// 5.2 MB after the first expiry, too.  Inferred: which side reports loss, how a retransmission
/// changes the rate, and additive recovery (examples/fabric/measured-connectx5). Selected, with the
/// collapse of two senders in view: a timeout restarts alpha.
Attributes
MakeCx5Measured()
{
    return Override(Override(CONNECTX, FindParameterSet("nvidia")->attributes),
                    {{"ns3::rdma::AdaptiveTimeout::RangeLowBound", "7"},
                     {"ns3::rdma::AdaptiveTimeout::RangeSize", "8"},
                     {"ns3::rdma::RdmaNic::CnpOnMissingPsn", "true"},
                     {"ns3::rdma::Dcqcn::CutsOnRetransmission", "true"},
                     {"ns3::rdma::Dcqcn::RestartsOnTimeout", "true"},
                     {"ns3::rdma::Dcqcn::ReleasesAtLineRate", "true"},
                     {"ns3::rdma::Dcqcn::FastRecoverySteps", "0"},
                     {"ns3::rdma::Dcqcn::ByteCounter", "32767000"},
                     {"ns3::rdma::Dcqcn::AdditiveIncrease", "7500kbps"},
                     {"ns3::rdma::Dcqcn::HyperIncrease", "7500kbps"}});
}

/**
 * ConnectX-7 and BlueField-3: CONNECTX with the bounds of adaptive retransmission of
 * MakeCx5Measured(), taken over unmeasured.
 *
 * NVIDIA's default congestion control for these adapters, ZTR-RTT ("ZTR-RTT Congestion Control
 * Algorithm Overview v1.0", 2024), is not modelled: the overview does not state its rules.  DCQCN,
 * which they have too, has the parameters of 100 Gb/s.
 */
const Attributes CONNECTX7 = Override(CONNECTX,
                                      {{"ns3::rdma::AdaptiveTimeout::RangeLowBound", "7"},
                                       {"ns3::rdma::AdaptiveTimeout::RangeSize", "8"}});

/// IRN (Mittal et al. 2018): BDP-FC of section 3.2; a RETH in each packet and the selective PSN in
/// each acknowledgment (section 5); DCQCN as congestion control (SRNIC section 6.3).
const Attributes IRN{{"ns3::rdma::RdmaNic::CongestionControl", "ns3::rdma::Dcqcn"},
                     {"ns3::rdma::RdmaNic::LossDetector", "ns3::rdma::SelectiveRepeat"},
                     {"ns3::rdma::RdmaNic::RetransmissionTimeout", "ns3::rdma::BackoffTimeout"},
                     {"ns3::rdma::SelectiveRepeat::WindowCountsHeld", "true"},
                     {"ns3::rdma::RdmaNic::BdpFlowControl", "true"},
                     {"ns3::rdma::RdmaNic::WireFormat", "ns3::rdma::IrnFormat"}};

/**
 * SRNIC: 78 bytes of headers in each WRITE packet, 20 more than the usual 58 (section 4.4.1);
 * acknowledgments echo PSN and PSN_OFFSET, 8 bytes, in addition to the AETH; DCTCP as a window
 * (section 5); bitmaps of 500 packets (section 3.2.2), which bound the packets ahead of a hole.
 *
 * The paper states neither the timer nor whether packets that the receiver holds fill the window.
 * Both are those of TCP, from which SRNIC takes selective repeat and DCTCP (section 7): the timer
 * of RFC 6298, since software decides what is sent again (section 4.4.2), and a window without held
 * packets (RFC 6675), since every acknowledgment that arrives opens it (section 5).  Both were
 * chosen with results in view: docs/models/loss-recovery.md.
 */
const Attributes SRNIC{{"ns3::rdma::RdmaNic::CongestionControl", "ns3::rdma::WindowDctcp"},
                       {"ns3::rdma::RdmaNic::LossDetector", "ns3::rdma::SelectiveRepeat"},
                       {"ns3::rdma::RdmaNic::RetransmissionTimeout", "ns3::rdma::RttTimeout"},
                       {"ns3::rdma::SelectiveRepeat::BitmapPackets", "500"},
                       {"ns3::rdma::RdmaNic::WireFormat", "ns3::rdma::SrnicFormat"}};

/**
 * Ultra Ethernet as its public simulator has it (uet-htsim, commit 40ccb05): NSCC, selective
 * acknowledgments, trimming, the mixed selector, control packets in a class of their own.
 *
 * The timeout is its 15 us and six queues of one bandwidth-delay product, which are 90 us at 400
 * Gb/s and 101 us at 100 Gb/s in trees with links of 1 us; it doubles as in the specification.
 */
const Attributes UET{{"ns3::rdma::RdmaNic::CongestionControl", "ns3::rdma::Nscc"},
                     {"ns3::rdma::RdmaNic::LossDetector", "ns3::rdma::Sleek"},
                     {"ns3::rdma::Sleek::CountsGaps", "false"},
                     {"ns3::rdma::RdmaNic::RetransmissionTimeout", "ns3::rdma::BackoffTimeout"},
                     {"ns3::rdma::BackoffTimeout::RtoLow", "100us"},
                     {"ns3::rdma::BackoffTimeout::RtoHigh", "100us"},
                     {"ns3::rdma::RdmaNic::ReceiverControl", "ns3::rdma::SackReceiver"},
                     {"ns3::rdma::RdmaNic::EntropySelector", "ns3::rdma::MixedEntropy"},
                     {"ns3::rdma::RdmaNic::AckPriority", "6"},
                     {"ns3::rdma::RdmaNic::WireFormat", "ns3::rdma::UetFormat"}};

/// Switches that trim at one bandwidth-delay product and mark from 0.2 to 0.8 of it; trimmed
/// packets share the class of acknowledgments (uet-htsim).
const Attributes UET_FABRIC{
    {"ns3::rdma::FabricSwitch::AdmissionPolicy", "ns3::rdma::TrimmingAdmission"},
    {"ns3::rdma::FabricSwitch::MarkingPolicy", "ns3::rdma::RoleMarking"},
    {"ns3::rdma::FabricSwitch::TrimPriority", "6"}};

/// The same with credits of the receiver instead of NSCC (UE 1.0.3, 3.6.14), which needs no marks
/// in front of the receiver.
const Attributes UET_RCCC =
    Override(UET,
             {{"ns3::rdma::RdmaNic::CongestionControl", "ns3::rdma::NoCongestionControl"},
              {"ns3::rdma::RdmaNic::CreditScheduler", "ns3::rdma::RoundRobinCredits"}});

const Attributes UET_RCCC_FABRIC =
    Override(UET_FABRIC, {{"ns3::rdma::RoleMarking::ServerPorts", "false"}});

/**
 * MRC 1.0 (OCP 2026): its packets, window control and selective acknowledgments of Ultra Ethernet,
 * its states of entropy values.  Switches do not mark in front of servers.
 *
 * The NICs' defaults are not public: the values of UET where both have a parameter.
 */
const Attributes MRC = Override(UET,
                                {{"ns3::rdma::RdmaNic::EntropySelector", "ns3::rdma::MrcEntropy"},
                                 {"ns3::rdma::RdmaNic::WireFormat", "ns3::rdma::MrcFormat"}});

/**
 * ConnectX-7 over adaptive routing: CONNECTX7 whose receiver places packets in any order and whose
 * sender does not take reordering for loss.
 *
 * NVIDIA documents that its adapters accept WRITEs out of order where switches route adaptively,
 * not how they detect losses then.  Here it is Sleek with a report per packet, our stand-in; the
 * switch is AdaptiveBalancer per frame.
 */
const Attributes CONNECTX7_AR =
    Override(CONNECTX7,
             {{"ns3::rdma::RdmaNic::LossDetector", "ns3::rdma::Sleek"},
              {"ns3::rdma::RdmaNic::ReceiverControl", "ns3::rdma::SackReceiver"},
              {"ns3::rdma::SackReceiver::AckBytes", "1"}});

/**
 * DCP (Li et al., SIGCOMM 2025) as the authors' simulator has it in its published runs
 * (ColdPorridge/DCP-Simulation, commit b47c6ff): no congestion control, a window of one
 * bandwidth-delay product, a timer of 8 ms, headers and acknowledgments in one class above data.
 * CountedFlight has the sources and the differences.
 */
const Attributes DCP{{"ns3::rdma::RdmaNic::CongestionControl", "ns3::rdma::NoCongestionControl"},
                     {"ns3::rdma::RdmaNic::BdpFlowControl", "true"},
                     {"ns3::rdma::RdmaNic::Flight", "ns3::rdma::CountedFlights"},
                     {"ns3::rdma::RdmaNic::LossDetector", "ns3::rdma::ReturnedHeaders"},
                     {"ns3::rdma::RdmaNic::ReceiverControl", "ns3::rdma::CountingReceiver"},
                     {"ns3::rdma::RdmaNic::RetransmissionTimeout", "ns3::rdma::FixedTimeout"},
                     {"ns3::rdma::FixedTimeout::Timeout", "8ms"},
                     {"ns3::rdma::FixedTimeout::LateTimeout", "8ms"},
                     {"ns3::rdma::RdmaNic::AckPriority", "6"},
                     {"ns3::rdma::RdmaNic::WireFormat", "ns3::rdma::DcpFormat"}};

/// Switches that trim the arriving packet if the shared buffer has no room for it, and send each
/// packet to the shortest queue (switch-node.cc of the simulator).  The class of headers has strict
/// priority there; the paper has weighted round robin, without which headers of many senders can
/// starve data.
const Attributes DCP_FABRIC{
    {"ns3::rdma::FabricSwitch::AdmissionPolicy", "ns3::rdma::TrimmingAdmission"},
    {"ns3::rdma::TrimmingAdmission::NewestShare", "0"},
    {"ns3::rdma::TrimmingAdmission::ServerLimitBytes", "4294967295"},
    {"ns3::rdma::TrimmingAdmission::SwitchLimitBytes", "4294967295"},
    {"ns3::rdma::FabricSwitch::TrimPriority", "6"},
    {"ns3::rdma::FabricSwitch::LoadBalancer", "ns3::rdma::AdaptiveBalancer"},
    {"ns3::rdma::AdaptiveBalancer::Grade", "1"}};

/// RoCE BALBOA: credits of section 4.4; go-back-N with the transport timer of fpga-network-stack,
/// whose timeouts of 1 ms and 64 ms assume 6.4 ns cycles: 0.625 ms and 40 ms at BALBOA's 250 MHz;
/// 12 retries.  Coyote cuts READs into requests of 32 KiB, of which flow control allows 16 per
/// queue pair (RDMA_MAX_SINGLE_READ and rdma_flow.sv; 16 is the default of max_rd_atomic here).
const Attributes BALBOA{{"ns3::rdma::RdmaNic::CongestionControl", "ns3::rdma::AckClockedCredits"},
                        {"ns3::rdma::RdmaNic::LossDetector", "ns3::rdma::GoBackN"},
                        {"ns3::rdma::RdmaNic::RetransmissionTimeout", "ns3::rdma::FixedTimeout"},
                        {"ns3::rdma::FixedTimeout::Timeout", "625us"},
                        {"ns3::rdma::FixedTimeout::LateTimeout", "40ms"},
                        {"ns3::rdma::RdmaNic::MaxQueuePairs", "500"},
                        {"ns3::rdma::RdmaNic::ReadRequestBytes", "32768"},
                        {"ns3::rdma::RdmaNic::RetryCount", "12"}};

/**
 * Values common to NVIDIA's adapters, as far as they are public or measured.
 *
 * Measured by others: 256 queue pairs without collapse (SRNIC Figures 2 and 9), 375 bytes per
 * context (SRNIC section 2.2, from eRPC).  From data sheets: 200 to 215 million messages per
 * second, which is one per 5 ns.  Our estimates: 150 ns from payload to wire and from wire to DMA,
 * of which about 100 ns are MAC, PHY and forward error correction; 600 ns for a DMA read, as a
 * Netronome NFP takes from a Xeon's memory (pcie-bench); 16 context misses and 16 turns in
 * progress, which limit the throughput beyond 256 queue pairs (docs/models/nic-hardware.md).
 *
 * Fitted: 158 ns of one queue pair's engine per work request, to the 6.3 Mrps of one queue pair in
 * SRNIC Figure 10a (it is part of the latency of Figure 10b and of BALBOA Figure 4, too); 17 us
 * from a sequence NAK to going back, to the 25 Gb/s at 1 % loss of Figure 11 (the raw throughput of
 * about 97 Gb/s there and the other loss rates follow; without loss it does nothing).
 */
const Attributes CONNECTX_HARDWARE{{"ns3::rdma::RdmaNic::Hardware", "true"},
                                   {"ns3::rdma::NicHardware::Cycle", "1ns"},
                                   {"ns3::rdma::NicHardware::PacketCycles", "5"},
                                   {"ns3::rdma::NicHardware::NakDelay", "17us"},
                                   {"ns3::rdma::NicHardware::TransmitBlocks", "engine=50, mac=100"},
                                   {"ns3::rdma::NicHardware::ReceiveBlocks", "mac=100, engine=50"},
                                   {"ns3::rdma::PcieLink::ReadLatency", "600ns"},
                                   {"ns3::rdma::PcieLink::Tags", "256"},
                                   {"ns3::rdma::PcieLink::NonPostedCredits", "256"},
                                   {"ns3::rdma::ContextCache::Entries", "256"},
                                   {"ns3::rdma::ContextCache::MaxMisses", "16"},
                                   {"ns3::rdma::WqeFetcher::WqesPerTurn", "1"},
                                   {"ns3::rdma::WqeFetcher::Decision", "158ns"},
                                   {"ns3::rdma::WqeFetcher::KeepsWqes", "true"},
                                   {"ns3::rdma::WqeFetcher::PushedBytes", "256"},
                                   {"ns3::rdma::WqeFetcher::PushesOnlyInline", "true"},
                                   {"ns3::rdma::ReceiveWqeCache::Entries", "256"},
                                   {"ns3::rdma::ReceiveWqeCache::Prefetch", "true"},
                                   {"ns3::rdma::ReceiveWqeCache::SharedIsList", "true"}};

/**
 * A ConnectX-5 Ex as others measured it in a lossy fabric (openfabric-systems/simllm, 2026): the
 * values of CONNECTX_HARDWARE except the following.
 *
 * Driver: a work request posted alone is pushed, inline or not (MLX5_POST_SEND_PREFER_BF of
 * rdma-core is on by default).  Measured: the stalls of the ingress meter, whose other values are
 * the defaults of its class. Selected: its capacity. Evidence: examples/fabric/measured-connectx5.
 */
const Attributes CX5_MEASURED_HARDWARE =
    Override(CONNECTX_HARDWARE,
             {{"ns3::rdma::PcieLink::Generation", "4"},
              {"ns3::rdma::WqeFetcher::PushesOnlyInline", "false"},
              {"ns3::rdma::WqeFetcher::BurstBytes", "65536"},
              {"ns3::rdma::IngressMeter::Capacity", "524288"}});

/**
 * ConnectX-7: PCIe 5.0 x16 (user manual) and 330 to 370 million messages per second (product
 * specifications), here 333 million, one per 3 ns.  All other values are those of
 * CONNECTX_HARDWARE, taken over unmeasured: estimates.  BlueField-3 has the same: its network
 * interfaces are those of ConnectX-7 (DOCA, "DPU Functional Diagram"); the PCIe switch between them
 * and the host is not modelled.
 */
const Attributes CONNECTX7_HARDWARE = Override(CONNECTX_HARDWARE,
                                               {{"ns3::rdma::NicHardware::PacketCycles", "3"},
                                                {"ns3::rdma::PcieLink::Generation", "5"},
                                                {"ns3::rdma::PcieLink::Lanes", "16"}});

/**
 * CONNECTX7_HARDWARE without delay of NAKs, for transports whose NICs have no published figures:
 * an estimate throughout.
 *
 * The state of a connection is part of its context.  The memory for contexts is that of
 * CONNECTX_HARDWARE, 256 x 375 B, so that fewer contexts fit.
 * @param stateBytes of a connection, beside a ConnectX-5 context of 375 B
 */
Attributes
MakeMultipathHardware(uint32_t stateBytes)
{
    constexpr uint32_t CONTEXT_BYTES{375};
    constexpr uint32_t CONTEXTS{256};
    const uint32_t bytes = CONTEXT_BYTES + stateBytes;
    return Override(
        CONNECTX7_HARDWARE,
        {{"ns3::rdma::NicHardware::NakDelay", "0ns"},
         {"ns3::rdma::ContextCache::EntryBytes", std::to_string(bytes)},
         {"ns3::rdma::ContextCache::Entries", std::to_string(CONTEXTS * CONTEXT_BYTES / bytes)}});
}

/// Two bitmaps of 1024 packets, 53 B of NSCC, 25 B of REPS (as examples/multipath/state-on-chip).
const Attributes UET_HARDWARE = MakeMultipathHardware(128 + 128 + 53 + 25);

/// The same with 256 entropy values of 34 bits (as examples/multipath/state-on-chip).
const Attributes MRC_HARDWARE = MakeMultipathHardware(128 + 128 + 53 + 1088);

/// IRN's NIC is an NVIDIA adapter with its bitmaps on the chip (Mittal et al. 2018, section 6), so
/// that it handles selective acknowledgments without delay.
const Attributes IRN_HARDWARE =
    Override(CONNECTX_HARDWARE, {{"ns3::rdma::NicHardware::NakDelay", "0ns"}});

/**
 * SRNIC's prototype (section 5): PCIe Gen3 x16, 300 MHz; an average PCIe round trip of 1.1 us
 * (section 6.2), here 1.0 us and up to 0.2 us more; all contexts on the chip; no cache of work
 * requests (section 4.3).  Our estimates: 40 cycles each way, MAC and PHY included; 10 cycles per
 * decision; 400 ns for a write and 300 ns for a store, the two parts of a round trip without the
 * host's memory.
 */
const Attributes SRNIC_HARDWARE{{"ns3::rdma::RdmaNic::Hardware", "true"},
                                {"ns3::rdma::NicHardware::Cycle", "3333ps"},
                                {"ns3::rdma::NicHardware::TransmitBlocks", "engine=20, mac=20"},
                                {"ns3::rdma::NicHardware::ReceiveBlocks", "mac=20, engine=20"},
                                {"ns3::rdma::NicHardware::OnloadsBitmaps", "true"},
                                {"ns3::rdma::PcieLink::ReadLatency", "1us"},
                                {"ns3::rdma::PcieLink::ReadJitter", "200ns"},
                                {"ns3::rdma::PcieLink::WriteLatency", "400ns"},
                                {"ns3::rdma::PcieLink::StoreLatency", "300ns"},
                                {"ns3::rdma::SelectiveRepeat::CumulativeLags", "true"},
                                {"ns3::rdma::WqeFetcher::Decision", "33ns"}};

/**
 * DCP's prototype is an FPGA at 300 MHz with 100 Gb/s, like SRNIC's: the values of SRNIC_HARDWARE
 * with all packets on the fast path, an estimate throughout.  The queue of retransmissions is in
 * host memory: a returned header takes effect when its entry has been written and read, 0.4 us and
 * 1.0 us.
 */
const Attributes DCP_HARDWARE{{"ns3::rdma::RdmaNic::Hardware", "true"},
                              {"ns3::rdma::NicHardware::Cycle", "3333ps"},
                              {"ns3::rdma::NicHardware::TransmitBlocks", "engine=20, mac=20"},
                              {"ns3::rdma::NicHardware::ReceiveBlocks", "mac=20, engine=20"},
                              {"ns3::rdma::NicHardware::NakDelay", "1400ns"},
                              {"ns3::rdma::PcieLink::ReadLatency", "1us"},
                              {"ns3::rdma::PcieLink::ReadJitter", "200ns"},
                              {"ns3::rdma::PcieLink::WriteLatency", "400ns"},
                              {"ns3::rdma::PcieLink::StoreLatency", "300ns"},
                              {"ns3::rdma::WqeFetcher::Decision", "33ns"}};

/**
 * RoCE BALBOA in the Coyote shell (sections 4 and 6): 250 MHz and 512 bit; the host stores commands
 * to the card, which queues them; payload is kept in HBM until it is acknowledged.  The blocks'
 * cycles and their sources are in docs/models/balboa.md; 1 us for a read is our estimate.
 *
 * From fpga-network-stack: acknowledgments are made by the state machine of the last header
 * (rx_exh_fsm).  From Coyote: at most 8 READ requests until their data have left the card
 * (RDMA_N_RD_OUTSTANDING), with a response FIFO for all of them, 8 x 32 KiB; a packet of a WRITE
 * enters flow control when its payload is in a FIFO of 8 x 4096 B.
 */
const Attributes BALBOA_HARDWARE{
    {"ns3::rdma::RdmaNic::Hardware", "true"},
    {"ns3::rdma::NicHardware::Cycle", "4ns"},
    {"ns3::rdma::NicHardware::PacketCycles", "9"},
    {"ns3::rdma::NicHardware::TransmitBlocks",
     "host-arbiter=12, flow-control=2, retransmission-mux=8, reth=12, bth=4, udp=4, ip=7, icrc=7, "
     "network-arbiter=12, ethernet-header=24, padding=17, packet-fifo=8+packet, cmac=10"},
    {"ns3::rdma::NicHardware::ReceiveBlocks",
     "cmac=18, network-arbiter=8, ip-handler=28, traffic-fifo=3, ip=7, udp=6, bth=18, reth=20, "
     "host-arbiter=12"},
    {"ns3::rdma::NicHardware::AnswerBlock", "reth"},
    {"ns3::rdma::NicHardware::AnswerEntry", "reth"},
    {"ns3::rdma::NicHardware::MaxReads", "8"},
    {"ns3::rdma::NicHardware::HoldsReads", "true"},
    {"ns3::rdma::NicHardware::Prefetch", "32768"},
    {"ns3::rdma::PcieLink::ReadLatency", "1us"},
    {"ns3::rdma::PcieLink::WriteLatency", "400ns"},
    {"ns3::rdma::PcieLink::StoreLatency", "300ns"},
    {"ns3::rdma::CardMemory::KeepsPayload", "true"},
    {"ns3::rdma::WqeFetcher::KeepsWqes", "true"},
    {"ns3::rdma::WqeFetcher::PushedBytes", "64"},
    {"ns3::rdma::WqeFetcher::QueuesPushed", "true"},
    {"ns3::rdma::WqeFetcher::TakesInline", "false"},
    {"ns3::rdma::ReceiveBuffer::Credits", "262144"}};

/// All presets: initially the presets of this module.
std::vector<NicPreset>&
GetStore()
{
    static std::vector<NicPreset> presets{
        {"connectx5",
         "adaptive go-back-N, DCQCN, lossless fabric",
         true,
         CONNECTX,
         CONNECTX_HARDWARE,
         true},
        {"cx5-measured",
         "adaptive go-back-N, DCQCN with CNPs for loss, lossy fabric: ConnectX-5 as measured",
         false,
         MakeCx5Measured(),
         CX5_MEASURED_HARDWARE},
        {"connectx6",
         "adaptive go-back-N, DCQCN, lossless fabric",
         true,
         CONNECTX,
         CONNECTX_HARDWARE,
         true},
        {"connectx7",
         "adaptive go-back-N, DCQCN, lossless fabric, up to 400 Gb/s",
         true,
         CONNECTX7,
         CONNECTX7_HARDWARE,
         true},
        {"bluefield3",
         "adaptive go-back-N, DCQCN, lossless fabric: ConnectX-7 of a BlueField-3",
         true,
         CONNECTX7,
         CONNECTX7_HARDWARE},
        {"connectx7-ar",
         "selective acknowledgments, DCQCN, adaptive routing per packet, lossless fabric",
         true,
         CONNECTX7_AR,
         CONNECTX7_HARDWARE,
         false,
         {{"ns3::rdma::FabricSwitch::LoadBalancer", "ns3::rdma::AdaptiveBalancer"}}},
        {"uet",
         "Ultra Ethernet: NSCC, selective acknowledgments, spraying, trimming switches",
         false,
         UET,
         UET_HARDWARE,
         false,
         UET_FABRIC},
        {"uet-rccc",
         "Ultra Ethernet: credits of the receiver (RCCC), spraying, trimming switches",
         false,
         UET_RCCC,
         UET_HARDWARE,
         false,
         UET_RCCC_FABRIC},
        {"mrc",
         "MRC: NSCC, selective acknowledgments, states of entropy values, trimming switches",
         false,
         MRC,
         MRC_HARDWARE,
         false,
         UET_RCCC_FABRIC},
        {"dcp",
         "DCP: returned headers, switches that trim and balance per packet, lossy fabric",
         false,
         DCP,
         DCP_HARDWARE,
         false,
         DCP_FABRIC},
        {"irn", "selective repeat, BDP cap, DCQCN, lossy fabric", false, IRN, IRN_HARDWARE},
        {"srnic",
         "selective repeat, DCTCP window, lossy fabric",
         false,
         SRNIC,
         SRNIC_HARDWARE,
         true},
        {"balboa",
         "go-back-N, ACK-clocked credits, lossy fabric",
         false,
         BALBOA,
         BALBOA_HARDWARE,
         true},
    };
    return presets;
}

} // namespace

void
RegisterNicPreset(const NicPreset& preset)
{
    if (FindNicPreset(preset.name))
    {
        throw std::invalid_argument("there is a NIC preset " + preset.name + " already");
    }
    // Modules register when they are loaded, in an order that depends on the linker: sort by name.
    std::vector<NicPreset>& store = GetStore();
    static const auto own = static_cast<std::ptrdiff_t>(store.size()); // Presets of this module.
    const auto behind = std::find_if(store.begin() + own, store.end(), [&](const auto& other) {
        return other.name > preset.name;
    });
    store.insert(behind, preset);
}

const std::vector<NicPreset>&
GetNicPresets()
{
    return GetStore();
}

const NicPreset*
FindNicPreset(std::string_view name)
{
    for (const NicPreset& preset : GetNicPresets())
    {
        if (preset.name == name)
        {
            return &preset;
        }
    }
    return nullptr;
}

} // namespace ns3::rdma
