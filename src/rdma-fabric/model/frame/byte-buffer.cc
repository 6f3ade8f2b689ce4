// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/byte-buffer.h"

#include "ns3/abort.h"

#include <algorithm>
#include <cstring>

namespace ns3::rdma
{

void
ByteBuffer::Grow(std::size_t bytes)
{
    constexpr std::size_t SMALLEST{256};
    m_capacity = std::max({2 * m_capacity, m_size + bytes, SMALLEST});
    std::unique_ptr<char[]> larger(new char[m_capacity]);
    std::copy_n(m_data.get(), m_size, larger.get());
    m_data = std::move(larger);
}

void
ByteBuffer::PutBytes(const void* data, std::size_t bytes)
{
    if (bytes > 0)
    {
        std::memcpy(Extend(bytes), data, bytes);
    }
}

void
ByteReader::AbortShort(std::size_t bytes) const
{
    NS_ABORT_MSG("a message between ranks is short of " << bytes - GetLeft()
                                                        << " bytes: not the same program?");
}

} // namespace ns3::rdma
