// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/admission-policy.h"
#include "ns3/uinteger.h"

namespace ns3::rdma
{

/**
 * Trims a packet that finds its egress queue too long (NDP, Handley et al. 2017, section 3.1), or
 * the buffer of the switch full.
 *
 * Left out: the coin that decides between the arriving packet and the last one of the queue.
 */
class OwnTrimming : public AdmissionPolicy
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::rdma::OwnTrimming")
                .SetParent<AdmissionPolicy>()
                .AddConstructor<OwnTrimming>()
                .AddAttribute("Threshold",
                              "Bytes of an egress queue, with the arriving packet (9000: about "
                              "eight full packets, section 3.1)",
                              UintegerValue(9000),
                              MakeUintegerAccessor(&OwnTrimming::m_thresholdBytes),
                              MakeUintegerChecker<uint64_t>());
        return tid;
    }

    Admission Decide(const ArrivedFrame& arrived, Tick) override
    {
        const Frame& frame = arrived.frame;
        const uint64_t queued = arrived.egress.GetQueueBytes(frame.priority);
        const bool isShort = queued + frame.wireBytes <= m_thresholdBytes;
        const bool isControl = frame.payloadBytes == 0; // Acknowledgments, trimmed packets.
        return arrived.hasRoom && (isShort || isControl) ? Admission::QUEUE : Admission::TRIM;
    }

  private:
    uint64_t m_thresholdBytes{0};
};

NS_OBJECT_ENSURE_REGISTERED(OwnTrimming);

} // namespace ns3::rdma
