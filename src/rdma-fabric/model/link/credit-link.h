// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_CREDIT_LINK_H
#define RDMA_CREDIT_LINK_H

#include "ns3/link-policy.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-link
 * @brief Credit-based flow control of a link: a class sends only what fits into the buffer that the
 * other end sets aside for it.
 *
 * The unit of a credit is a cell.  The sender counts the credits of frames sent (S_CC), the
 * receiver those of frames accepted (R_CC) and of frames that have left its buffer (R_CF).  It
 * reports R_CF by ordered sets of 8 bytes, CF_Update, at least CfMinSpacing apart and for two
 * classes each; the sender then has S_CC - R_CF credits in use.  The counters are cyclic and the
 * messages absolute, so that the next message repairs a lost one.  The credits of frames that the
 * link has lost are recovered by CC_Update, a frame of minimum size that the sender transmits every
 * CcPeriod and in which it reports S_CC.  A switch releases a frame when it begins to leave by its
 * egress port (as SharedBuffer counts), a NIC when the frame is handed to it.
 *
 * Source: Ultra Ethernet 1.0, section 5.2 (CBFC), as described with counters, formulas and defaults
 * in the Switch Abstraction Interface (opencomputeproject/SAI, doc/CBFC).
 *
 * Inferred: CC_Update is sent only while credits are in use, and is answered by a CF_Update, which
 * stands for the receiver's periodic CF_Update (CF_max_spacing); so an idle link has no events.
 * For a frame that the NIC makes only when it may be sent, credit for the largest frame is needed.
 * Frame sizes are counted without FCS.  An ordered set delays later frames by its 8 bytes, but not
 * the frame into which it is inserted.
 *
 * Not modelled: credits shared between classes (pools), negotiation by LLDP, change of the
 * settings, negative packet overhead.
 */
class CreditLink final : public LinkPolicy
{
  public:
    /// CF_Update and CC_Update.
    enum MessageKind : uint8_t
    {
        CREDITS_FREED = 1,
        CREDITS_CONSUMED = 2,
    };

    static TypeId GetTypeId();

    Ptr<LinkPolicy> Fork() const override;
    uint64_t GetBuffer(uint32_t classNumber) const override;
    uint8_t FindClosed(const HeadSizes& heads) const override;
    bool IsSenderClosed(uint32_t classNumber) const override;
    void OnDeparture(FrameIndex index, Tick now) override;
    LinkAnswer OnArrival(const Frame& frame, Tick now) override;
    LinkAnswer OnRelease(uint32_t classNumber, uint32_t wireBytes, Tick now) override;
    LinkAnswer OnMessage(const LinkMessage& message, Tick now) override;
    Tick GetDeadline() const override;
    LinkAnswer OnTimer(Tick now) override;
    bool IsUpkeep() const override;

    /// @return the credits that a frame needs.
    uint32_t CountCells(uint32_t wireBytes) const
    {
        return (wireBytes + m_packetOverhead + m_creditSize - 1) / m_creditSize;
    }

    /// @return the credits of a class, in cells.
    uint32_t GetLimit() const
    {
        return static_cast<uint32_t>(m_bytes / m_creditSize);
    }

    bool HasClass(uint32_t number) const
    {
        return ((m_classes >> number) & 1) != 0;
    }

  private:
    /// Credits, cyclic.
    struct ClassState
    {
        uint32_t sent{0};     ///< S_CC.
        uint32_t freed{0};    ///< S_CF: the last R_CF that was received.
        uint32_t accepted{0}; ///< R_CC.
        uint32_t released{0}; ///< R_CF.
    };

    void DoStart() override;
    bool IsAnyInUse() const;
    /// Sends R_CF of the classes in m_due, or sets the timer.
    void Report(Tick now, LinkAnswer& answer);
    void ReportSent(LinkAnswer& answer);

    uint64_t m_bytes{0};
    Tick m_period{0};
    uint32_t m_spacingBytes{0};
    uint16_t m_creditSize{0};
    uint8_t m_packetOverhead{0};
    uint8_t m_classes{0};

    std::array<ClassState, PRIORITIES> m_states{};
    Tick m_spacing{0};
    Tick m_reportFrom{0};      ///< No CF_Update may be sent before.
    Tick m_syncAt{TICK_NEVER}; ///< Of the next CC_Update.
    uint32_t m_repeats{0};     ///< CC_Updates since the counters last changed.
    uint8_t m_due{0};          ///< Bit per class whose R_CF is to be reported.
    bool m_isDueUpkeep{false}; ///< Only answers to repeated CC_Updates are due.
};

} // namespace ns3::rdma

#endif // RDMA_CREDIT_LINK_H
