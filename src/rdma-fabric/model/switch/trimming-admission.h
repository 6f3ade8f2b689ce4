// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_TRIMMING_ADMISSION_H
#define RDMA_TRIMMING_ADMISSION_H

#include "ns3/admission-policy.h"
#include "ns3/random-stream.h"

#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-switch
 * @brief Trims packets beyond the limit of their queue, as switches of Ultra Ethernet do.
 *
 * A data packet that exceeds the limit of its queue is trimmed, or the newest packet of the queue
 * is trimmed in its place; a fair coin decides by default.  Frames without payload
 * (acknowledgments, trimmed packets) have a limit of their own and are dropped beyond it.  A frame
 * is trimmed at most once, since it has no payload afterwards.  Limits are bandwidth-delay products
 * or bytes, for ports that lead to servers and to switches.
 *
 * Source: compositequeue.cpp of ultraethernet/uet-htsim at 40ccb05; NDP (Handley et al. 2017,
 * section 3.1); numbers of Ultra Ethernet 1.0.3, section 3.6.17, in docs/models/switch.md.
 *
 * Not modelled: a weighted share of the link for trimmed packets (their priority is strict); return
 * of trimmed packets to the sender; the frame being sent does not count to its queue, whereas
 * uet-htsim counts it.
 */
class TrimmingAdmission : public AdmissionPolicy
{
  public:
    static TypeId GetTypeId();
    void Start(const SwitchView& view) override;
    Admission Decide(const ArrivedFrame& arrived, Tick now) override;
    bool NeedsFree() const override;
    bool HasRoomForTrimmed(const ArrivedFrame& trimmed, Tick now) override;

  private:
    /// Limits of the queues of one port, bytes.
    struct Limits
    {
        uint64_t data;
        uint64_t headersOnly;
    };

    bool IsNewestChosen(const ArrivedFrame& arrived);

    double m_serverLimit{1};
    double m_switchLimit{1};
    uint64_t m_serverLimitBytes{0};
    uint64_t m_switchLimitBytes{0};
    double m_headersOnlyLimit{2};
    double m_newestShare{0.5};
    bool m_isTrimming{true};
    uint8_t m_priorities{0xff};
    Tick m_baseRtt{0};
    RandomStream m_random;
    std::vector<Limits> m_limits; ///< By port number.
};

} // namespace ns3::rdma

#endif // RDMA_TRIMMING_ADMISSION_H
