// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SLAB_H
#define RDMA_SLAB_H

#include <cstddef>
#include <new>
#include <type_traits>

namespace ns3::rdma
{

/**
 * @ingroup rdma-engine
 * @brief Memory for many small objects of one size, each aligned to cache lines.
 *
 * Memory is allocated in large pieces, and freed objects' memory is reused: flows start and end
 * often, and a separate aligned allocation takes up to one line more per object.  Not thread-safe.
 */
template <std::size_t SIZE>
class Slab
{
  public:
    static void* Allocate()
    {
#ifdef __SANITIZE_ADDRESS__
        // Separate, so that AddressSanitizer can check each object.
        return ::operator new (SIZE, std::align_val_t{LINE});
#endif
        if (!m_free)
        {
            Grow();
        }
        Place* place = m_free;
        m_free = place->next;
        return place;
    }

    static void Free(void* memory)
    {
#ifdef __SANITIZE_ADDRESS__
        ::operator delete (memory, std::align_val_t{LINE});
        return;
#endif
        auto* place = static_cast<Place*>(memory);
        place->next = m_free;
        m_free = place;
    }

  private:
    static constexpr std::size_t LINE{64};
    static constexpr std::size_t PIECE_BYTES{1U << 14};
    static_assert(SIZE % LINE == 0 && SIZE <= PIECE_BYTES, "an object has whole cache lines");

    union alignas(LINE) Place {
        Place* next; ///< Valid while the place is free.
        std::byte bytes[SIZE];
    };

    static void Grow()
    {
        constexpr std::size_t COUNT{PIECE_BYTES / SIZE};
        auto* places = static_cast<Place*>(
            ::operator new (COUNT * sizeof(Place), std::align_val_t{alignof(Place)}));
        for (std::size_t i = COUNT; i > 0; --i)
        {
            Free(&places[i - 1]); // The first place ends on top.
        }
    }

    static inline Place* m_free{nullptr};
};

/// Base of a final class whose objects are allocated in a Slab by new.
/// @tparam Class the derived class
template <typename Class>
struct InSlab
{
    static void* operator new(std::size_t)
    {
        static_assert(std::is_final_v<Class>, "the places have the size of the class itself");
        return Slab<sizeof(Class)>::Allocate();
    }

    static void* operator new(std::size_t, std::align_val_t)
    {
        return Slab<sizeof(Class)>::Allocate();
    }

    static void operator delete(void* memory)
    {
        Slab<sizeof(Class)>::Free(memory);
    }

    static void operator delete(void* memory, std::align_val_t)
    {
        Slab<sizeof(Class)>::Free(memory);
    }
};

} // namespace ns3::rdma

#endif // RDMA_SLAB_H
