// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/dscp-map.h"
#include "ns3/go-back-n.h"
#include "ns3/no-congestion-control.h"
#include "ns3/rdma-nic.h"
#include "ns3/send-schedulers.h"
#include "ns3/startup-accessor.h"
#include "ns3/timeouts.h"

#include <utility>

namespace ns3::rdma
{

TypeId
RdmaNic::GetTypeId()
{
    const auto atStart = [](AttributeField field) {
        field.accessor = Create<StartupAccessor>(field.accessor, [](const ObjectBase& object) {
            return static_cast<const RdmaNic&>(object).m_core != nullptr;
        });
        return field;
    };
    static TypeId tid =
        TypeAttributes::Of<RdmaNic, Object>("ns3::rdma::RdmaNic", "RdmaNic")
            .Add("CongestionControl",
                 atStart(Shared(&RdmaNic::m_settings,
                                &Settings::congestionControlType,
                                NoCongestionControl::GetTypeId())),
                 "Class given to each queue pair")
            .Add("LossDetector",
                 atStart(Shared(&RdmaNic::m_settings,
                                &Settings::lossDetectorType,
                                GoBackN::GetTypeId())),
                 "Class given to each queue pair, which decides what is lost")
            .Add("RetransmissionTimeout",
                 atStart(Shared(&RdmaNic::m_settings,
                                &Settings::timeoutType,
                                FixedTimeout::GetTypeId())),
                 "Class that decides how long queue pairs wait for an acknowledgment")
            .Add("Flight",
                 atStart(Shared(&RdmaNic::m_settings,
                                &Settings::flightType,
                                FlightFactory::GetTypeId())),
                 "Class that makes the flights of RC requesters: which packets are in flight or "
                 "lost; the abstract class: as ReceiverControl and EntropySelector need it")
            .Add("ReceiverControl",
                 atStart(Shared(&RdmaNic::m_settings,
                                &Settings::receiverControlType,
                                ReceiverControl::GetTypeId())),
                 "Class that decides when a receiver acknowledges and what it reports; the base "
                 "class: acknowledgments as IBTA, IRN or SRNIC have them")
            .Add("OutOfOrderAdmission",
                 atStart(Shared(&RdmaNic::m_settings,
                                &Settings::admissionType,
                                OutOfOrderAdmission::GetTypeId())),
                 "Class that decides whether a packet behind a gap is kept, one for the NIC; the "
                 "base class: all within the window of the LossDetector")
            .Add("CreditScheduler",
                 atStart(Shared(&RdmaNic::m_settings,
                                &Settings::creditSchedulerType,
                                CreditScheduler::GetTypeId())),
                 "Class that grants credit to senders (RCCC), together with a ReceiverControl; the "
                 "base class: none is needed")
            .Add("EntropySelector",
                 atStart(Shared(&RdmaNic::m_settings,
                                &Settings::entropySelectorType,
                                EntropySelector::GetTypeId())),
                 "Class that chooses the entropy value of each packet, and so its route; the base "
                 "class: the connection's value")
            .Add("SendScheduler",
                 atStart(Shared(&RdmaNic::m_settings,
                                &Settings::schedulerType,
                                RoundRobinScheduler::GetTypeId())),
                 "Class that picks the next queue pair")
            .Add("PathMtu",
                 atStart(Shared(&RdmaNic::m_settings, &Settings::pathMtu, 1024, 1, MAX_PAYLOAD)),
                 "Payload of a full packet, bytes (1024: SRNIC section 6.1; any size is allowed, "
                 "InfiniBand has 256 to 4096)")
            .Add("DataPriority",
                 atStart(
                     Shared(&RdmaNic::m_settings, &Settings::dataPriority, 3, 0, PRIORITIES - 1)),
                 "Priority of data packets (3: RoCE's usual class)")
            .Add(
                "AckPriority",
                atStart(Shared(&RdmaNic::m_settings, &Settings::ackPriority, 3, 0, PRIORITIES - 1)),
                "Priority of acknowledgments (3, as data: SRNIC's simulator)")
            .Add(
                "CnpPriority",
                atStart(Shared(&RdmaNic::m_settings, &Settings::cnpPriority, 6, 0, PRIORITIES - 1)),
                "Priority of congestion notification packets (6: NVIDIA cnp_802p_prio)")
            .Add("ReportPriority",
                 atStart(Shared(&RdmaNic::m_settings,
                                &Settings::reportPriority,
                                FrameStyle::AS_ACK,
                                0,
                                FrameStyle::AS_ACK)),
                 "Priority of acknowledgments with a report (ReceiverControl, probes); 8: that of "
                 "acknowledgments")
            .Add("CreditPriority",
                 atStart(Shared(&RdmaNic::m_settings,
                                &Settings::creditPriority,
                                FrameStyle::AS_ACK,
                                0,
                                FrameStyle::AS_ACK)),
                 "Priority of credits (CreditScheduler); 8: that of acknowledgments")
            .Add("DataDscp",
                 atStart(Shared(&RdmaNic::m_settings, &Settings::dataDscp, DSCPS, 0, DSCPS)),
                 "DSCP of data packets, from 0 to 63; 64: the class selector of DataPriority "
                 "(8 x priority). Queue pairs may have their own")
            .Add("AckDscp",
                 atStart(Shared(&RdmaNic::m_settings, &Settings::ackDscp, DSCPS, 0, DSCPS)),
                 "DSCP of acknowledgments; 64: that of data if AckPriority is DataPriority, else "
                 "the class selector of AckPriority")
            .Add("CnpDscp",
                 atStart(Shared(&RdmaNic::m_settings, &Settings::cnpDscp, DSCPS, 0, DSCPS)),
                 "DSCP of congestion notification packets; 64: as of AckDscp, with CnpPriority "
                 "(48 with priority 6, as NVIDIA cnp_dscp)")
            .Add("DscpMap",
                 atStart(DscpMapField(Shared(&RdmaNic::m_settings, &Settings::dscpMap, ""))),
                 "Priorities of queue pairs with a DSCP of their own, as \"26:3,48:6\"; the others "
                 "and those not listed: DSCP / 8, as NVIDIA dscp2prio")
            .Add("CnpInterval",
                 Property(&RdmaNic::SetCnpInterval, &RdmaNic::GetCnpInterval, Time(0), Time(0)),
                 "Shortest time between two CNPs of a queue pair (0, one per marked packet: HPCC's "
                 "simulator; 4 us: NVIDIA min_time_between_cnps; 50 us: Zhu et al. 2015)")
            .Add("CnpOnMissingPsn",
                 atStart(Shared(&RdmaNic::m_settings, &Settings::notifiesLoss, false)),
                 "Whether a responder sends a CNP, at most one per CnpInterval, with each NAK for "
                 "a missing PSN, so that congestion without marks is reported (false: Zhu et al. "
                 "2015; true: inferred for ConnectX-5 from simllm 2026, "
                 "examples/fabric/measured-connectx5)")
            .Add("AckInterval",
                 atStart(Shared(&RdmaNic::m_settings, &Settings::ackInterval, 1, 1)),
                 "In-order packets per acknowledgment (1: SRNIC's simulator, Coyote)")
            .Add("RetryCount",
                 atStart(Shared(&RdmaNic::m_settings, &Settings::retryCount, 7)),
                 "Timer expiries in a row before a queue pair breaks (7: the largest retry_cnt of "
                 "InfiniBand)")
            .Add("ReadRequestBytes",
                 atStart(Shared(&RdmaNic::m_settings, &Settings::readRequestBytes, 0)),
                 "Bytes that a READ request asks for at most; a longer READ is sent as several "
                 "requests; 0: no limit (InfiniBand has none but 2^31). Not if responses have PSNs "
                 "of their own (IRN)")
            .Add("BdpFlowControl",
                 atStart(Shared(&RdmaNic::m_settings, &Settings::hasBdpFlowControl, false)),
                 "Whether at most one bandwidth-delay product is in flight (BDP-FC, IRN section "
                 "3.2)")
            .Add("RequestsReports",
                 atStart(Shared(&RdmaNic::m_settings, &Settings::requestsReports, true)),
                 "Whether a sender asks for a report by a probe if its window has shrunk below "
                 "what is in flight and no packet in flight asks (true: UE's control packet "
                 "ACK Request, its use is ours; false: uet-htsim, where the timer expires)")
            .Add("MaxQueuePairs",
                 atStart(Shared(&RdmaNic::m_settings, &Settings::maxQueuePairs, UINT32_MAX, 1)),
                 "Queue pairs that the NIC has tables for (none known: any number)")
            .Add("WireFormat",
                 atStart(Shared(&RdmaNic::m_settings,
                                &Settings::wireFormatType,
                                IbtaFormat::GetTypeId())),
                 "Class that decides which headers packets have")
            .Add("PathSelector",
                 atStart(Shared(&RdmaNic::m_settings,
                                &Settings::pathSelectorType,
                                FixedPath::GetTypeId())),
                 "Class that chooses the NIC of a server, and its port, for each queue pair")
            .Add("Ipv6",
                 atStart(Shared(&RdmaNic::m_settings, &Settings::hasIpv6, false)),
                 "Whether IPv6 is below UDP (IPv4: as SRNIC's 58 bytes of headers)")
            .Add(
                "IntHops",
                atStart(Shared(&RdmaNic::m_settings, &Settings::intHops, 5, 1, IntStack::MAX_HOPS)),
                "Hops that INT headers have room for (5: HPCC section 4.1, 42 bytes; as many as a "
                "fat-tree has); only if congestion control asks for INT")
            .Add("Hardware",
                 atStart(Shared(&RdmaNic::m_settings, &Settings::isHardwareTimed, false)),
                 "Whether PCIe, caches, pipelines and the host's CPU take time")
            .Add(
                "PortRateLimit",
                atStart(
                    Shared(&RdmaNic::m_settings, &Settings::portRateLimit, DataRate(0), AnyRate())),
                "Rate limit of the data packets, READ responses included, that leave each port, "
                "on the wire with all overhead; 0: the port's own rate (ETS limit of the data "
                "priority's traffic class, IEEE 802.1Qaz; thesis section 5.3: 23 Gb/s)")
            .Add("PortRateBurst",
                 atStart(Shared(&RdmaNic::m_settings, &Settings::portRateBurst, 0)),
                 "Bytes on the wire that may leave a port at its own rate before PortRateLimit "
                 "holds, in addition to one frame; 0: frames are spaced exactly")
            .Add("HardwareClass",
                 atStart(Shared(&RdmaNic::m_settings,
                                &Settings::hardwareType,
                                NicHardware::GetTypeId())),
                 "Class of the units that take time");
    static const TypeId withTraces = AddQueuePairTraces<RdmaNic>(tid);
    return withTraces;
}

} // namespace ns3::rdma
