// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_MRC_ENTROPY_H
#define RDMA_MRC_ENTROPY_H

#include "ns3/entropy-selector.h"
#include "ns3/forks.h"

#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-multipath
 * @brief MRC: rotates over a set of good values, and replaces bad ones by backups of their plane.
 *
 * A queue pair has a profile of consecutive values that cover all planes.  The first Active of them
 * form the active set, the others are backups.  A cursor rotates over the active set:
 *
 * - GOOD: the value is used.
 * - SKIP: the value becomes GOOD, and this packet takes the next GOOD one.  A packet restores one
 *   value at most.
 * - ASSUMED_BAD, DENIED, or in a plane without port: the value is passed over.
 *
 * A mark or a trimmed packet makes a value SKIP, a loss or a timeout ASSUMED_BAD.  A value of the
 * active set that becomes ASSUMED_BAD or DENIED changes places with a GOOD backup of its plane.  If
 * there is none, and fewer than MinActive values of the active set would be left, a bad value
 * becomes SKIP instead.  If no value of the active set is GOOD, a packet takes the first SKIP value
 * from the cursor on, else the next one that is neither denied nor in a plane without port, else
 * the next one.
 *
 * A probe of an ASSUMED_BAD value that is answered makes it GOOD.  AssumeBad() is the report
 * ALWAYS_SKIP.  Deny() and Allow() are for a controller.
 *
 * Source: MRC 1.0 (OCP 2026), sections 7.5.5.5, 9.3.1 and 11.2.2.  The specification has no values
 * for the sizes of the sets and the time between probes.
 *
 * Not modelled: the time that a replacement takes in the NIC; probes by the endpoint request, which
 * has no queue pair: a probe is that of the queue pair here.
 */
class MrcEntropy : public Forks<MrcEntropy, EntropySelector>
{
  public:
    enum class State : uint8_t
    {
        GOOD,
        SKIP,
        ASSUMED_BAD,
        DENIED, ///< By a controller.
    };

    static TypeId GetTypeId();
    void Start(const EntropyFacts& facts) override;
    uint32_t GetNext(uint64_t inFlightBytes, Time now) override;
    void OnFeedback(uint32_t entropy, RouteSignal signal, Time now) override;

    /// @return an ASSUMED_BAD value to which a probe leaves now; unset if none is due. Values are
    /// returned in turn, one per ProbeInterval.
    std::optional<uint32_t> TakeProbe(Time now) override;
    /// @return when TakeProbe() may return a value; Time::Max() if no value is ASSUMED_BAD.
    Time GetProbeTime() const override;
    /// @param isMarked the reply reports SKIP_ONCE: the value becomes SKIP instead of GOOD
    void OnProbeReply(uint32_t entropy, bool isMarked, Time now) override;

    /// @param up one bit per plane: set if the peer's port there is usable
    void OnPorts(uint64_t up) override;
    void AssumeBad(uint32_t entropy);
    void Deny(uint32_t entropy);
    /// A denied value becomes GOOD.
    void Allow(uint32_t entropy);

    State GetState(uint32_t entropy) const;
    bool IsActive(uint32_t entropy) const;

  private:
    /// @return the number of a value in the profile; unset if it is not of this queue pair.
    std::optional<uint32_t> FindNumber(uint32_t entropy) const;
    uint32_t GetPlane(uint32_t number) const;
    /// @return whether its state and its plane allow a packet.
    bool IsGood(uint32_t number) const;
    void Remove(uint32_t number, State state);
    bool ReplaceByBackup(uint32_t place);
    uint32_t CountUsable() const;
    uint32_t ChooseWithoutGood();

    uint32_t m_active{0};
    uint32_t m_backups{0};
    uint32_t m_minActive{0};
    Time m_probeInterval;

    uint32_t m_planes{1};
    uint64_t m_up{~uint64_t{0}};
    uint32_t m_first{0};           ///< The first value of the profile.
    std::vector<State> m_states;   ///< By number.
    std::vector<uint16_t> m_order; ///< Numbers: the active set, then the backups.
    uint32_t m_cursor{0};          ///< Place in the active set.
    uint32_t m_bad{0};             ///< Values that are ASSUMED_BAD.
    uint32_t m_probed{0};          ///< Number after the last one probed.
    Time m_probeTime;              ///< Of the next probe, at the earliest.
};

} // namespace ns3::rdma

#endif // RDMA_MRC_ENTROPY_H
