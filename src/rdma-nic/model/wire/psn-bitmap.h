// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PSN_BITMAP_H
#define RDMA_PSN_BITMAP_H

#include "ns3/psn.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-wire
 * @brief Marked PSNs of a sliding window.
 *
 * It allocates no memory while no PSN is marked, which is usual: SRNIC's bitmap onloading relies on
 * this (SRNIC section 4.4.2).  It grows to the required window.
 */
class PsnBitmap
{
  public:
    PsnBitmap() = default;
    PsnBitmap(const PsnBitmap& other);
    PsnBitmap(PsnBitmap&&) = default;
    PsnBitmap& operator=(const PsnBitmap& other);
    PsnBitmap& operator=(PsnBitmap&&) = default;
    ~PsnBitmap() = default;

    /// Marks a PSN.
    /// @param base first PSN of the window
    /// @param psn not before base
    /// @return whether it was unmarked before.
    bool Mark(Psn base, Psn psn);

    bool IsMarked(Psn psn) const;

    /// Unmarks all PSNs from first up to, not including, end. The window then begins at end.
    void Unmark(Psn first, Psn end);

    /// Unmarks one PSN.
    /// @return whether it was marked.
    bool Unmark(Psn psn);

    bool IsEmpty() const
    {
        return !m_ring;
    }

  private:
    struct Ring
    {
        std::size_t GetPlace(Psn psn) const
        {
            return psn.Get() & (bits.size() - 1);
        }

        std::vector<bool> bits; ///< Size is a power of two that covers the window.
        Psn base;               ///< First PSN that the ring covers.
        std::size_t count{0};
    };

    void Resize(Psn base, std::size_t window);

    std::unique_ptr<Ring> m_ring; ///< Null while nothing is marked.
};

} // namespace ns3::rdma

#endif // RDMA_PSN_BITMAP_H
