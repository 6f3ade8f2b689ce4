// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/boolean.h"
#include "ns3/fixed-timeout.h"
#include "ns3/go-back-n.h"
#include "ns3/no-congestion-control.h"
#include "ns3/rdma-nic.h"
#include "ns3/round-robin-scheduler.h"
#include "ns3/startup-accessor.h"
#include "ns3/uinteger.h"

#include <utility>

namespace ns3::rdma
{

TypeId
RdmaNic::GetTypeId()
{
    const auto atStart = [](Ptr<const AttributeAccessor> accessor) {
        return Create<StartupAccessor>(std::move(accessor), [](const ObjectBase& object) {
            return static_cast<const RdmaNic&>(object).m_core != nullptr;
        });
    };
    static TypeId tid =
        TypeId("ns3::rdma::RdmaNic")
            .SetParent<Object>()
            .SetGroupName("RdmaNic")
            .AddConstructor<RdmaNic>()
            .AddAttribute("CongestionControl",
                          "Class given to each queue pair",
                          TypeIdValue(NoCongestionControl::GetTypeId()),
                          atStart(MakeTypeIdAccessor(&RdmaNic::m_congestionControlType)),
                          MakeTypeIdChecker())
            .AddAttribute("LossDetector",
                          "Class given to each queue pair, which decides what is lost",
                          TypeIdValue(GoBackN::GetTypeId()),
                          atStart(MakeTypeIdAccessor(&RdmaNic::m_lossDetectorType)),
                          MakeTypeIdChecker())
            .AddAttribute("RetransmissionTimeout",
                          "Class that decides how long queue pairs wait for an acknowledgment",
                          TypeIdValue(FixedTimeout::GetTypeId()),
                          atStart(MakeTypeIdAccessor(&RdmaNic::m_timeoutType)),
                          MakeTypeIdChecker())
            .AddAttribute("SendScheduler",
                          "Class that picks the next queue pair",
                          TypeIdValue(RoundRobinScheduler::GetTypeId()),
                          atStart(MakeTypeIdAccessor(&RdmaNic::m_schedulerType)),
                          MakeTypeIdChecker())
            .AddAttribute("PathMtu",
                          "Payload of a full packet, bytes (1024: SRNIC section 6.1; any size is "
                          "allowed, InfiniBand has 256 to 4096)",
                          UintegerValue(1024),
                          atStart(MakeUintegerAccessor(&RdmaNic::m_pathMtu)),
                          MakeUintegerChecker<uint32_t>(1, MAX_PAYLOAD))
            .AddAttribute("DataPriority",
                          "Priority of data packets (3: RoCE's usual class)",
                          UintegerValue(3),
                          atStart(MakeUintegerAccessor(&RdmaNic::m_dataPriority)),
                          MakeUintegerChecker<uint8_t>(0, PRIORITIES - 1))
            .AddAttribute("AckPriority",
                          "Priority of acknowledgments (3, as data: SRNIC's simulator)",
                          UintegerValue(3),
                          atStart(MakeUintegerAccessor(&RdmaNic::m_ackPriority)),
                          MakeUintegerChecker<uint8_t>(0, PRIORITIES - 1))
            .AddAttribute("CnpPriority",
                          "Priority of congestion notification packets (6: NVIDIA cnp_802p_prio)",
                          UintegerValue(6),
                          atStart(MakeUintegerAccessor(&RdmaNic::m_cnpPriority)),
                          MakeUintegerChecker<uint8_t>(0, PRIORITIES - 1))
            .AddAttribute("CnpInterval",
                          "Shortest time between two CNPs of a queue pair (0, one per marked "
                          "packet: HPCC's simulator; 4 us: NVIDIA min_time_between_cnps; 50 us: "
                          "Zhu et al. 2015)",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&RdmaNic::SetCnpInterval, &RdmaNic::GetCnpInterval),
                          MakeTimeChecker(Time(0)))
            .AddAttribute(
                "CnpOnMissingPsn",
                "Whether a responder sends a CNP, at most one per CnpInterval, with each "
                "NAK for a missing PSN, so that congestion without marks is reported "
                "(false: Zhu et al. 2015; true: inferred for ConnectX-5 from simllm 2026, "
                "docs/ingress-meter.md)",
                BooleanValue(false),
                atStart(MakeBooleanAccessor(&RdmaNic::m_notifiesLoss)),
                MakeBooleanChecker())
            .AddAttribute("AckInterval",
                          "In-order packets per acknowledgment (1: SRNIC's simulator, Coyote)",
                          UintegerValue(1),
                          atStart(MakeUintegerAccessor(&RdmaNic::m_ackInterval)),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("RetryCount",
                          "Timer expiries in a row before a queue pair breaks (7: the largest "
                          "retry_cnt of InfiniBand)",
                          UintegerValue(7),
                          atStart(MakeUintegerAccessor(&RdmaNic::m_retryCount)),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("BdpFlowControl",
                          "Whether at most one bandwidth-delay product is in flight (BDP-FC, IRN "
                          "section 3.2)",
                          BooleanValue(false),
                          atStart(MakeBooleanAccessor(&RdmaNic::m_hasBdpFlowControl)),
                          MakeBooleanChecker())
            .AddAttribute("MaxQueuePairs",
                          "Queue pairs that the NIC has tables for (none known: any number)",
                          UintegerValue(UINT32_MAX),
                          atStart(MakeUintegerAccessor(&RdmaNic::m_maxQueuePairs)),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("WireFormat",
                          "Class that decides which headers packets have",
                          TypeIdValue(IbtaFormat::GetTypeId()),
                          atStart(MakeTypeIdAccessor(&RdmaNic::m_wireFormatType)),
                          MakeTypeIdChecker())
            .AddAttribute("PathSelector",
                          "Class that says which NIC of a server and which of its ports a queue "
                          "pair uses",
                          TypeIdValue(FixedPath::GetTypeId()),
                          atStart(MakeTypeIdAccessor(&RdmaNic::m_pathSelectorType)),
                          MakeTypeIdChecker())
            .AddAttribute("Ipv6",
                          "Whether IPv6 is below UDP (IPv4: as SRNIC's 58 bytes of headers)",
                          BooleanValue(false),
                          atStart(MakeBooleanAccessor(&RdmaNic::m_hasIpv6)),
                          MakeBooleanChecker())
            .AddAttribute("IntHops",
                          "Hops that INT headers have room for (5: HPCC section 4.1, 42 bytes; as "
                          "many as a fat-tree has); only if congestion control asks for INT",
                          UintegerValue(5),
                          atStart(MakeUintegerAccessor(&RdmaNic::m_intHops)),
                          MakeUintegerChecker<uint32_t>(1, IntStack::MAX_HOPS))
            .AddAttribute("Hardware",
                          "Whether PCIe, caches, pipelines and the host's CPU take time",
                          BooleanValue(false),
                          atStart(MakeBooleanAccessor(&RdmaNic::m_isHardwareTimed)),
                          MakeBooleanChecker())
            .AddAttribute("PortRateLimit",
                          "Rate limit of the data packets, READ responses included, that leave "
                          "each port, on the wire with all overhead; 0: the port's own rate (ETS "
                          "limit of the data priority's traffic class, IEEE 802.1Qaz; thesis "
                          "section 5.3: 23 Gb/s)",
                          DataRateValue(DataRate(0)),
                          atStart(MakeDataRateAccessor(&RdmaNic::m_portRateLimit)),
                          MakeDataRateChecker())
            .AddAttribute("PortRateBurst",
                          "Bytes on the wire that may leave a port at its own rate before "
                          "PortRateLimit holds, beside one frame; 0: frames are spaced exactly",
                          UintegerValue(0),
                          atStart(MakeUintegerAccessor(&RdmaNic::m_portRateBurst)),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("HardwareClass",
                          "Class of the units that take time",
                          TypeIdValue(NicHardware::GetTypeId()),
                          atStart(MakeTypeIdAccessor(&RdmaNic::m_hardwareType)),
                          MakeTypeIdChecker());
    static const TypeId withTraces = AddQueuePairTraces<RdmaNic>(tid);
    return withTraces;
}

} // namespace ns3::rdma
