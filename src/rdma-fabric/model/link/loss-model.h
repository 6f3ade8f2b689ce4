// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_LOSS_MODEL_H
#define RDMA_LOSS_MODEL_H

#include "ns3/frame.h"
#include "ns3/object.h"
#include "ns3/policy-error.h"
#include "ns3/random-stream.h"

#include <array>
#include <string>

namespace ns3::rdma
{

/// The effect of a link on one frame. By default the frame arrives once, without extra delay.
struct FrameImpairment
{
    static constexpr uint32_t MAX_ARRIVALS{2};
    static constexpr Tick MAX_DELAY{1'000'000'000'000'000'000}; ///< 11 days.

    uint32_t arrivals{1};                         ///< 0: lost; 2: duplicated.
    std::array<Tick, MAX_ARRIVALS> extraDelays{}; ///< By arrival, in addition to the link's delay.
};

/**
 * @ingroup rdma-link
 * @brief Decides which frames one direction of a link drops.
 *
 * One instance and one random stream per direction, so that links do not affect each other. A link
 * without a model loses no frame and makes no call.
 */
class LossModel : public Object
{
  public:
    static TypeId GetTypeId();

    /// Called once per frame, in order of transmission.
    /// @return whether the frame is lost.
    virtual bool IsLost(const Frame& frame) = 0;

    /// @return GetImpairment(), checked: a value that cannot be is a PolicyError.
    FrameImpairment Decide(const Frame& frame);

    /// Called by the port once per frame, through Decide(). Models with more effects than loss
    /// override it; the default calls IsLost().
    virtual FrameImpairment GetImpairment(const Frame& frame)
    {
        FrameImpairment impairment;
        const bool isLost = CallPolicy(*this, "IsLost()", [&] { return IsLost(frame); });
        impairment.arrivals = isLost ? 0 : 1;
        return impairment;
    }

    /// @return what the model was told to do and never did, for a note after a run; empty: nothing.
    virtual std::string FindUnused() const
    {
        return {};
    }

    /// Sets the model's random stream.
    void SetStream(const RandomStream& stream)
    {
        m_random = stream;
    }

  protected:
    RandomStream m_random;
};

} // namespace ns3::rdma

#endif // RDMA_LOSS_MODEL_H
