// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_CONTENT_HASH_H
#define RDMA_CONTENT_HASH_H

#include <cstdint>
#include <string>
#include <string_view>

namespace ns3::rdma
{

/**
 * @ingroup rdma-scenario
 * @brief FNV-1a with 64 bits (Fowler, Noll, Vo; RFC 9923): detects accidental differences, not
 * forgeries.
 */
class ContentHash
{
  public:
    void Add(std::string_view bytes)
    {
        constexpr uint64_t PRIME{0x100000001b3};
        for (const char byte : bytes)
        {
            m_value = (m_value ^ static_cast<unsigned char>(byte)) * PRIME;
        }
    }

    uint64_t Get() const
    {
        return m_value;
    }

    /// @return 16 hexadecimal digits.
    std::string GetText() const;

  private:
    uint64_t m_value{0xcbf29ce484222325};
};

} // namespace ns3::rdma

#endif // RDMA_CONTENT_HASH_H
