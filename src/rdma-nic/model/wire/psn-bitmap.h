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
 * It needs no memory until a PSN is marked, and keeps the memory then: packets that take several
 * routes are out of order all the time.  It grows to the required window.
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
        return !m_ring || m_ring->count == 0;
    }

    /// @return how many PSNs are marked.
    uint32_t GetCount() const
    {
        return m_ring ? static_cast<uint32_t>(m_ring->count) : 0;
    }

    /// @return the marks of 64 PSNs from base on; bit 0 first.
    uint64_t GetBits(Psn base) const;

  private:
    struct Ring
    {
        /// @return how many PSNs the ring covers.
        std::size_t GetSize() const
        {
            return words.size() * 64;
        }

        bool Get(Psn psn) const
        {
            return ((words[GetWord(psn)] >> (psn.Get() % 64)) & 1) != 0;
        }

        void Set(Psn psn)
        {
            words[GetWord(psn)] |= uint64_t{1} << (psn.Get() % 64);
        }

        void Clear(Psn psn)
        {
            words[GetWord(psn)] &= ~(uint64_t{1} << (psn.Get() % 64));
        }

        std::size_t GetWord(Psn psn) const
        {
            return psn.Get() / 64 & (words.size() - 1);
        }

        std::vector<uint64_t> words; ///< Count is a power of two; the bits cover the window.
        Psn base;                    ///< First PSN that the ring covers.
        std::size_t count{0};
    };

    void Resize(Psn base, std::size_t window);

    std::unique_ptr<Ring> m_ring; ///< Null until a PSN is marked.
};

} // namespace ns3::rdma

#endif // RDMA_PSN_BITMAP_H
