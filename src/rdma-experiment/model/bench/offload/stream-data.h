// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_STREAM_DATA_H
#define RDMA_STREAM_DATA_H

#include "ns3/keys.h"
#include "ns3/offload-hosts.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// Options of a task that sends data of the user's, or random ones.
struct StreamDataOptions
{
    /// Declares "size", "messages" and "data".
    void Visit(Keys& keys);

    uint64_t bytes{4096};             ///< Of a message.
    std::optional<uint64_t> messages; ///< Unset: 64, or what a file takes.
    std::string file;                 ///< Whose bytes are sent, over and over; empty: random ones.
};

/**
 * @ingroup rdma-offload
 * @brief Messages in the client's memory, one behind the other, and room for them in the server's.
 *
 * The last message of a file that is sent once may be shorter.
 */
class StreamData
{
  public:
    /// @param hosts outlive this @param lowest, highest of random bytes @throws InputError
    StreamData(const StreamDataOptions& options,
               OffloadHosts& hosts,
               uint8_t lowest = 0,
               uint8_t highest = 255);

    /// The server reads a message. @param ended when it is in the server's memory, or has failed
    void Fetch(uint64_t message, OffloadHosts::Ended ended);

    /// From now on messages go to a region of the server's GPU. @param offset of the first in it
    void SendToGpu(const MemoryRegion& region, uint64_t offset = 0);

    /// The client posts a message.
    void Post(uint64_t message, OffloadHosts::Ended ended);

    /// @return the message whose last packet a WRITE of the client's is.
    std::optional<uint64_t> FindEnd(const Frame& frame) const;

    uint64_t CountMessages() const
    {
        return m_messages;
    }

    /// @return bytes of a message.
    uint32_t GetBytes(uint64_t message) const;

    uint64_t GetTotal() const
    {
        return m_bytes.size();
    }

    /// @return where at the client all bytes are.
    uint64_t GetSource() const
    {
        return m_source;
    }

    /// @return where at the server all bytes go.
    uint64_t GetTarget() const
    {
        return m_target;
    }

    /// @return all bytes as they are sent.
    const std::vector<uint8_t>& GetBytes() const
    {
        return m_bytes;
    }

    /// @return all bytes as the server has them.
    std::vector<uint8_t> ReadTarget() const;

  private:
    OffloadHosts& m_hosts;
    uint64_t m_messageBytes;
    uint64_t m_messages{0};
    std::vector<uint8_t> m_bytes;
    uint64_t m_source{0};
    uint64_t m_target{0};
    std::optional<MemoryRegion> m_gpu; ///< That messages go to; unset: the host's memory.
};

} // namespace ns3::rdma

#endif // RDMA_STREAM_DATA_H
