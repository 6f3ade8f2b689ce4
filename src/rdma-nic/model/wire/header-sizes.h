// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_HEADER_SIZES_H
#define RDMA_HEADER_SIZES_H

#include "ns3/int-header.h"
#include "ns3/opcode.h"
#include "ns3/wire-format.h"

#include <array>
#include <cstdint>

namespace ns3::rdma
{

/// IP below RoCE v2.
enum class IpVersion : uint8_t
{
    V4,
    V6,
};

/**
 * @ingroup rdma-wire
 * @brief Lengths of a NIC's packets on the wire, in bytes: a table by opcode, for the packet path.
 *
 * Common part 58: Ethernet 14, IPv4 20, UDP 8, BTH 12, ICRC 4 (SRNIC section 4.4.1 counts the same
 * 58); IPv6 has 40 instead of 20. The FCS belongs to the link.
 *
 * Equal tables are stored once and never freed, since many NICs share few formats.
 */
class HeaderSizes
{
  public:
    static constexpr uint32_t COMMON{14 + 20 + 8 + 12 + 4};
    static constexpr uint32_t IPV6_EXTRA{40 - 20};

    /// Sizes of RoCE v2 over IPv4.
    HeaderSizes();
    explicit HeaderSizes(const WireFormat& format,
                         IpVersion version = IpVersion::V4,
                         const IntRules& intRules = {});

    /// @return frame bytes without FCS; the payload is padded to a multiple of four bytes (IBTA
    /// Vol. 1, Section 9.2).
    uint32_t GetFrame(uint8_t code, uint32_t payloadBytes) const
    {
        return (*m_bytes)[code] + ((payloadBytes + 3) & ~3U);
    }

    /// @return the same for a packet of a WRITE on a reliable connection.
    uint32_t GetWriteFrame(bool isFirst, uint32_t payloadBytes) const
    {
        return GetFrame(isFirst ? opcode::WRITE_FIRST : opcode::WRITE_MIDDLE, payloadBytes);
    }

    /// @return the size of an acknowledgment; of a report, if the format has a size for reports.
    uint32_t GetAckFrame() const
    {
        return (*m_bytes)[REPORT];
    }

    /// @return the size of a report of a trimmed packet.
    uint32_t GetNackFrame() const
    {
        return (*m_bytes)[NACK];
    }

    /// @return the size of a probe.
    uint32_t GetProbeFrame() const
    {
        return (*m_bytes)[PROBE];
    }

  private:
    static constexpr std::size_t OPCODES{256};
    static constexpr std::size_t REPORT{OPCODES};
    static constexpr std::size_t NACK{REPORT + 1};
    static constexpr std::size_t PROBE{NACK + 1};
    /// By opcode, without payload; behind them the sizes of reports and probes.
    using Table = std::array<uint16_t, PROBE + 1>;

    static const Table* Keep(const Table& table);

    const Table* m_bytes;
};

} // namespace ns3::rdma

#endif // RDMA_HEADER_SIZES_H
