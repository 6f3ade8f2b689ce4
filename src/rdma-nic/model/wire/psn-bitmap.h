// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PSN_BITMAP_H
#define RDMA_PSN_BITMAP_H

#include "ns3/psn.h"

#include <cstddef>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-wire
 * @brief Which PSNs of a sliding window are marked.
 *
 * Holds no memory while nothing is marked, which is nearly always: the observation behind SRNIC's
 * bitmap onloading (SRNIC section 4.4.2).  Grows to the window that is needed.
 */
class PsnBitmap
{
  public:
    /// Marks a PSN. @param base first of the window; @param psn not before base
    /// @return whether it was unmarked before.
    bool Mark(Psn base, Psn psn);

    bool IsMarked(Psn psn) const;

    /// Unmarks all from first up to, not including, end.
    void Unmark(Psn first, Psn end);

    bool IsEmpty() const
    {
        return m_count == 0;
    }

  private:
    void Resize(Psn base, std::size_t window);

    std::size_t GetPlace(Psn psn) const
    {
        return psn.Get() & (m_bits.size() - 1);
    }

    std::vector<bool> m_bits; ///< Ring; size is a power of two that covers the window.
    Psn m_base;               ///< First PSN that the ring covers.
    std::size_t m_count{0};
};

} // namespace ns3::rdma

#endif // RDMA_PSN_BITMAP_H
