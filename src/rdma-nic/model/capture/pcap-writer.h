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
 * @brief A pcap file of Ethernet frames with nanosecond time stamps (magic 0xa1b23c4d,
 * little-endian).
 *
 * Its name is NAME.tmp while it is written and NAME when it is complete; after an error neither
 * file exists.  If NAME is a link, its target is replaced.  A device or a pipe is written to
 * directly. ns-3's PcapFile truncates all records of a file at the same length; here each has its
 * own.  Errors are std::runtime_error, one line.
 */
class PcapWriter
{
  public:
    /// The longest record, for readers.
    static constexpr uint32_t SNAP_LENGTH{262144};

    /// Opens the file and writes its header.
    explicit PcapWriter(std::string path);
    /// Closes the file and ignores errors, which Close() throws.
    ~PcapWriter();
    PcapWriter(const PcapWriter&) = delete;
    PcapWriter& operator=(const PcapWriter&) = delete;

    /// @param time picoseconds, rounded down to nanoseconds
    /// @param frame from the destination MAC address on, without FCS
    /// @param kept how many of its bytes are written: the rest is only counted
    void Write(Tick time, const std::vector<uint8_t>& frame, std::size_t kept);

    /// Writes buffered data and renames the file to its final name. Only Close() may follow.
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

    std::string m_path;  ///< As the user gave it.
    std::string m_place; ///< Final path of the capture.
    /// Path while it is written; the final path unless that is replaceable.
    std::string m_temporary;
    std::unique_ptr<std::FILE, FileCloser> m_file; ///< Null once closed.
};

} // namespace ns3::rdma

#endif // RDMA_PCAP_WRITER_H
