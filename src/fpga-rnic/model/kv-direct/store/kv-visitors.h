// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_KV_VISITORS_H
#define FPGA_KV_VISITORS_H

#include "ns3/kv-access.h"

#include <vector>

namespace ns3::rdma
{

/// Get: copies the value and changes nothing.
class KvGetter : public KvVisitor
{
  public:
    KvChange OnValue(bool found, ByteView value) override
    {
        m_isFound = found;
        m_value.assign(value.GetData(), value.GetData() + value.GetSize());
        return {};
    }

    bool IsFound() const
    {
        return m_isFound;
    }

    /// @return the value of the last visit; empty if the key was not found.
    const std::vector<uint8_t>& GetValue() const
    {
        return m_value;
    }

  private:
    bool m_isFound{false};
    std::vector<uint8_t> m_value;
};

/// Put: inserts the pair or replaces its value.
class KvPutter : public KvVisitor
{
  public:
    /// @param value outlives the putter's visits
    explicit KvPutter(ByteView value)
        : m_value(value)
    {
    }

    KvChange OnValue(bool /* found */, ByteView /* value */) override
    {
        return {KvChange::Kind::STORE, m_value};
    }

  private:
    ByteView m_value;
};

/// Delete: removes the pair.
class KvRemover : public KvVisitor
{
  public:
    KvChange OnValue(bool /* found */, ByteView /* value */) override
    {
        return {KvChange::Kind::REMOVE, {}};
    }
};

} // namespace ns3::rdma

#endif // FPGA_KV_VISITORS_H
