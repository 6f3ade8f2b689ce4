// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_BYTE_BUFFER_H
#define RDMA_BYTE_BUFFER_H

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace ns3::rdma
{

/// A visitor that ignores all fields.
struct FieldVisitor
{
    template <typename... Fields>
    void operator()(const Fields&...) const
    {
    }
};

/// Whether a type has VisitFields(self, visit), which calls visit(field, ...) with its fields.
template <typename Value, typename = void>
constexpr bool HAS_FIELDS{false};
template <typename Value>
constexpr bool
    HAS_FIELDS<Value,
               std::void_t<decltype(Value::VisitFields(std::declval<Value&>(), FieldVisitor()))>>{
        true};

/**
 * @ingroup rdma-frame
 * @brief Data appended byte by byte, for another process of the same program.
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

    /// Appends plain data, the fields of an object that has VisitFields(), or a string, vector or
    /// map: its size, then its elements.
    template <typename Value>
    void Put(const Value& value)
    {
        static_assert(!std::is_pointer_v<Value> && !std::is_array_v<Value>,
                      "an address is of no use to another process");
        if constexpr (std::is_trivially_copyable_v<Value>)
        {
            PutBytes(&value, sizeof value);
        }
        else if constexpr (HAS_FIELDS<Value>)
        {
            Value::VisitFields(value, [this](const auto&... fields) { (Put(fields), ...); });
        }
        else
        {
            Put(static_cast<uint64_t>(value.size()));
            PutElements(value);
        }
    }

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
    template <typename Values>
    void PutElements(const Values& values)
    {
        if constexpr (std::is_trivially_copyable_v<typename Values::value_type>)
        {
            PutBytes(values.data(), values.size() * sizeof(typename Values::value_type));
        }
        else
        {
            for (const auto& value : values)
            {
                Put(value);
            }
        }
    }

    template <typename Key, typename Value>
    void PutElements(const std::map<Key, Value>& values)
    {
        for (const auto& [key, value] : values)
        {
            Put(key);
            Put(value);
        }
    }

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
        Value value;
        Read(value);
        return value;
    }

    /// Reads what Put() of a value of this type has appended.
    template <typename Value>
    void Read(Value& value)
    {
        if constexpr (std::is_trivially_copyable_v<Value>)
        {
            GetBytes(&value, sizeof value);
        }
        else if constexpr (HAS_FIELDS<Value>)
        {
            Value::VisitFields(value, [this](auto&... fields) { (Read(fields), ...); });
        }
        else
        {
            ReadElements(Get<uint64_t>(), value);
        }
    }

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
    template <typename Values>
    void ReadElements(std::size_t count, Values& values)
    {
        using Value = typename Values::value_type;
        if constexpr (std::is_trivially_copyable_v<Value>)
        {
            ByteReader all(Skip(count * sizeof(Value)), count * sizeof(Value));
            values.resize(count);
            all.GetBytes(values.data(), count * sizeof(Value));
        }
        else
        {
            values.clear();
            while (values.size() < count)
            {
                values.push_back(Get<Value>());
            }
        }
    }

    template <typename Key, typename Value>
    void ReadElements(std::size_t count, std::map<Key, Value>& values)
    {
        values.clear();
        while (values.size() < count)
        {
            const Key key = Get<Key>();
            Read(values[key]);
        }
    }

    [[noreturn, gnu::cold]] void AbortShort(std::size_t bytes) const;

    const char* m_next;
    const char* m_end;
};

} // namespace ns3::rdma

#endif // RDMA_BYTE_BUFFER_H
