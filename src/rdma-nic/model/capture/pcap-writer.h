// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PCAP_WRITER_H
#define RDMA_PCAP_WRITER_H

#include "ns3/tick.h"

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-nic
 * @brief A pcap file with nanosecond stamps (magic 0xa1b23c4d, little-endian) of Ethernet frames.
 *
 * It is NAME.tmp while it grows and NAME once it is complete; after an error there is neither.  A
 * link stays, and the file at its end is replaced.  A device or a pipe is written to as it is.
 * ns-3's PcapFile cuts all records of a file at the same length; here each has its own.  Errors are
 * std::runtime_error, one line.
 */
class PcapWriter
{
  public:
    /// Longest record that readers must expect.
    static constexpr uint32_t SNAP_LENGTH{262144};

    /// Opens the file and writes its header.
    explicit PcapWriter(std::string path);
    /// Closes and ignores errors, which Close() returns.
    ~PcapWriter();
    PcapWriter(const PcapWriter&) = delete;
    PcapWriter& operator=(const PcapWriter&) = delete;

    /// @param time picoseconds, cut to nanoseconds; @param frame from the destination MAC address
    /// on, without FCS; @param kept of its bytes that go into the file: the rest is only counted
    void Write(Tick time, const std::vector<uint8_t>& frame, std::size_t kept);

    /// Writes what is left and gives the file its name. Only Close() may follow.
    void Close();

  private:
    struct FileCloser
    {
        void operator()(std::FILE* file) const
        {
            std::fclose(file);
        }
    };

    void Append(const std::vector<uint8_t>& bytes);
    [[noreturn]] void Fail(int error);

    std::string m_path;      ///< As the user wrote it.
    std::string m_place;     ///< Where the capture will be.
    std::string m_temporary; ///< Where it grows; the same for what is no regular file.
    std::unique_ptr<std::FILE, FileCloser> m_file; ///< Null once closed.
};

} // namespace ns3::rdma

#endif // RDMA_PCAP_WRITER_H
