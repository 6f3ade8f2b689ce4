// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/admission-policy.h"
#include "ns3/uinteger.h"

namespace ns3::rdma
{

/// Drops a data packet that would make its egress queue longer than a threshold.
class TemplateName : public AdmissionPolicy
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::TemplateName")
                                .SetParent<AdmissionPolicy>()
                                .AddConstructor<TemplateName>()
                                .AddAttribute("Threshold",
                                              "Bytes of an egress queue",
                                              UintegerValue(200'000),
                                              MakeUintegerAccessor(&TemplateName::m_thresholdBytes),
                                              MakeUintegerChecker<uint64_t>());
        return tid;
    }

    Admission Decide(const ArrivedFrame& arrived, Tick) override // One object per switch.
    {
        const Frame& frame = arrived.frame;
        const uint64_t queued = arrived.egress.GetQueueBytes(frame.priority) + frame.wireBytes;
        return Choose(queued, frame.payloadBytes > 0, arrived.hasRoom);
    }

    /// @param queuedBytes of the egress queue, with the frame
    /// @param hasPayload false: an acknowledgment, or a trimmed packet
    /// @param hasRoom the shared buffer has room for the frame
    Admission Choose(uint64_t queuedBytes, bool hasPayload, bool hasRoom) const
    {
        const bool isLong = hasPayload && queuedBytes > m_thresholdBytes;
        return hasRoom && !isLong ? Admission::QUEUE : Admission::DROP; // Also: TRIM.
    }

  private:
    uint64_t m_thresholdBytes{0};
};

NS_OBJECT_ENSURE_REGISTERED(TemplateName);

} // namespace ns3::rdma
