// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_ECN_MARKER_H
#define RDMA_ECN_MARKER_H

#include "ns3/random-stream.h"

#include <cstdint>

namespace ns3::rdma
{

/// Marking curve of one link rate.
struct EcnProfile
{
    uint64_t kminBytes; ///< Nothing is marked up to this queue length.
    uint64_t kmaxBytes; ///< All frames are marked from this length on; not below kminBytes.
    double pmax;        ///< Probability just below kmaxBytes, in [0, 1].
};

/// Marks nothing.
constexpr EcnProfile ECN_OFF{UINT64_MAX, UINT64_MAX, 0};

/**
 * @ingroup rdma-switch
 * @brief RED-style marking on the instantaneous queue length (DCQCN, Zhu et al. 2015, Figure 5).
 *
 * The probability is 0 up to kmin, rises in a straight line to pmax at kmax, and is 1 from there
 * on. DCTCP's step (Alizadeh et al. 2010) is kmin = kmax.
 */
class EcnMarker
{
  public:
    EcnMarker() = default;

    EcnMarker(const EcnProfile& profile, const RandomStream& random)
        : m_profile(profile),
          m_random(random)
    {
    }

    /// @return whether a frame may be marked at this queue length.
    bool MayMark(uint64_t queueBytes) const
    {
        return queueBytes > m_profile.kminBytes;
    }

    /// Draws a random number only between kmin and kmax.
    /// @param queueBytes queued behind the frame
    /// @return whether to mark the frame.
    bool ShouldMark(uint64_t queueBytes)
    {
        if (!MayMark(queueBytes))
        {
            return false;
        }
        if (queueBytes >= m_profile.kmaxBytes)
        {
            return true;
        }
        const double share = static_cast<double>(queueBytes - m_profile.kminBytes) /
                             static_cast<double>(m_profile.kmaxBytes - m_profile.kminBytes);
        return m_random.NextDouble() < share * m_profile.pmax;
    }

  private:
    EcnProfile m_profile{ECN_OFF};
    RandomStream m_random;
};

} // namespace ns3::rdma

#endif // RDMA_ECN_MARKER_H
