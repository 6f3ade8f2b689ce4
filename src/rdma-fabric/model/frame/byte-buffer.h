// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_BYTE_BUFFER_H
#define RDMA_BYTE_BUFFER_H

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-frame
 * @brief Plain data appended byte by byte, for another process of the same program.
 *
 * Unlike a vector, it does not initialize memory that is about to be written. Clearing keeps the
 * memory.
 */
class ByteBuffer
{
  public:
    /// Appends uninitialized bytes.
    /// @return their address, valid until the next call that appends bytes.
    char* Extend(std::size_t bytes)
    {
        if (m_capacity - m_size < bytes)
        {
            Grow(bytes);
        }
        char* const place = m_data.get() + m_size;
        m_size += bytes;
        return place;
    }

    template <typename Value>
    void Put(const Value& value)
    {
        static_assert(std::is_trivially_copyable_v<Value>, "only plain data can be put");
        PutBytes(&value, sizeof value);
    }

    /// Appends the count, then the values.
    template <typename Value>
    void PutAll(const std::vector<Value>& values)
    {
        static_assert(std::is_trivially_copyable_v<Value>, "only plain data can be put");
        Put(static_cast<uint64_t>(values.size()));
        PutBytes(values.data(), values.size() * sizeof(Value));
    }

    /// Appends the length, then the characters.
    void PutText(const std::string& text);
    void PutBytes(const void* data, std::size_t bytes);

    void Clear()
    {
        m_size = 0;
    }

    char* GetData()
    {
        return m_data.get();
    }

    const char* GetData() const
    {
        return m_data.get();
    }

    std::size_t GetSize() const
    {
        return m_size;
    }

  private:
    void Grow(std::size_t bytes);

    std::unique_ptr<char[]> m_data;
    std::size_t m_size{0};
    std::size_t m_capacity{0};
};

/**
 * @ingroup rdma-frame
 * @brief Reads the data of a ByteBuffer in the order in which it was appended.
 *
 * Aborts when more is read than was written: then the other process runs another program.
 */
class ByteReader
{
  public:
    /// @param data must outlive the reader
    ByteReader(const char* data, std::size_t bytes)
        : m_next(data),
          m_end(data + bytes)
    {
    }

    explicit ByteReader(const ByteBuffer& buffer)
        : ByteReader(buffer.GetData(), buffer.GetSize())
    {
    }

    template <typename Value>
    Value Get()
    {
        static_assert(std::is_trivially_copyable_v<Value>, "only plain data can be taken");
        Value value;
        GetBytes(&value, sizeof value);
        return value;
    }

    template <typename Value>
    std::vector<Value> GetAll()
    {
        const auto count = Get<uint64_t>();
        ByteReader all(Skip(count * sizeof(Value)), count * sizeof(Value));
        std::vector<Value> values;
        values.reserve(count);
        while (values.size() < count)
        {
            values.push_back(all.Get<Value>());
        }
        return values;
    }

    std::string GetText();

    void GetBytes(void* data, std::size_t bytes)
    {
        const char* const start = Skip(bytes);
        if (bytes > 0)
        {
            std::memcpy(data, start, bytes);
        }
    }

    /// Skips bytes.
    /// @return the address of the first skipped byte.
    const char* Skip(std::size_t bytes)
    {
        if (bytes > GetLeft())
        {
            AbortShort(bytes);
        }
        const char* const start = m_next;
        m_next += bytes;
        return start;
    }

    std::size_t GetLeft() const
    {
        return static_cast<std::size_t>(m_end - m_next);
    }

  private:
    [[noreturn, gnu::cold]] void AbortShort(std::size_t bytes) const;

    const char* m_next;
    const char* m_end;
};

} // namespace ns3::rdma

#endif // RDMA_BYTE_BUFFER_H
