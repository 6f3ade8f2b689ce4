// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_BYTE_VIEW_H
#define FPGA_BYTE_VIEW_H

#include <boost/endian/conversion.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup fpga-kernel
 * @brief A view of bytes that it does not own.  Integers in them are little-endian.
 */
class ByteView
{
  public:
    ByteView() = default;

    ByteView(const uint8_t* data, std::size_t size)
        : m_data(data),
          m_size(size)
    {
    }

    /// @param bytes outlive the view
    explicit ByteView(const std::vector<uint8_t>& bytes)
        : ByteView(bytes.data(), bytes.size())
    {
    }

    const uint8_t* GetData() const
    {
        return m_data;
    }

    std::size_t GetSize() const
    {
        return m_size;
    }

    /// @param offset of 8 bytes within the view
    uint64_t Get64(std::size_t offset) const
    {
        return boost::endian::load_little_u64(m_data + offset);
    }

    /// @param offset of 4 bytes within the view
    uint32_t Get32(std::size_t offset) const
    {
        return boost::endian::load_little_u32(m_data + offset);
    }

    std::vector<uint8_t> Copy() const
    {
        return {m_data, m_data + m_size};
    }

  private:
    const uint8_t* m_data{nullptr};
    std::size_t m_size{0};
};

} // namespace ns3::rdma

#endif // FPGA_BYTE_VIEW_H
