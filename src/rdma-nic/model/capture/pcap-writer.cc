// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/pcap-writer.h"

#include "ns3/output-place.h"

#include <algorithm>
#include <boost/endian/conversion.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <utility>

namespace ns3::rdma
{

namespace
{
constexpr uint32_t NANOSECOND_MAGIC{0xa1b23c4d};
constexpr uint32_t VERSION{4U << 16 | 2}; ///< 2.4: two 16-bit words, the major one first.
constexpr uint32_t ETHERNET_LINK{1};
constexpr Tick TICKS_PER_NANOSECOND{1'000};
constexpr Tick NANOSECONDS_PER_SECOND{1'000'000'000};

std::vector<uint8_t>
MakeWords(std::initializer_list<uint32_t> words)
{
    std::vector<uint8_t> bytes(words.size() * sizeof(uint32_t));
    uint8_t* place = bytes.data();
    for (const uint32_t word : words)
    {
        boost::endian::store_little_u32(place, word);
        place += sizeof word;
    }
    return bytes;
}
} // namespace

PcapWriter::PcapWriter(std::string path)
    : m_path(std::move(path)),
      m_place(FollowLinks(m_path)),
      m_temporary(IsReplaceable(m_place) ? m_place + ".tmp" : m_place)
{
    std::error_code ignored; // The path may not exist.
    if (std::filesystem::is_directory(m_path, ignored))
    {
        Fail(EISDIR); // Fails at once, not when the complete capture is renamed.
    }
    m_file.reset(std::fopen(m_temporary.c_str(), "wb"));
    if (!m_file)
    {
        Fail(errno);
    }
    Append(MakeWords({NANOSECOND_MAGIC, VERSION, 0, 0, SNAP_LENGTH, ETHERNET_LINK}));
}

PcapWriter::~PcapWriter()
{
    try
    {
        Close();
    }
    catch (const std::runtime_error&)
    {
        // A destructor must not throw; Close() has removed an incomplete file.
    }
}

void
PcapWriter::Write(Tick time, const std::vector<uint8_t>& frame, std::size_t kept)
{
    const Tick nanoseconds = time / TICKS_PER_NANOSECOND;
    const std::size_t bytes = std::min({kept, frame.size(), std::size_t{SNAP_LENGTH}});
    Append(MakeWords({static_cast<uint32_t>(nanoseconds / NANOSECONDS_PER_SECOND),
                      static_cast<uint32_t>(nanoseconds % NANOSECONDS_PER_SECOND),
                      static_cast<uint32_t>(bytes),
                      static_cast<uint32_t>(frame.size())}));
    Append({frame.begin(), frame.begin() + static_cast<std::ptrdiff_t>(bytes)});
}

void
PcapWriter::Close()
{
    if (!m_file)
    {
        return;
    }
    if (std::fclose(m_file.release()) != 0 ||
        (m_temporary != m_place && std::rename(m_temporary.c_str(), m_place.c_str()) != 0))
    {
        Fail(errno);
    }
}

void
PcapWriter::Append(const std::vector<uint8_t>& bytes)
{
    if (!m_file)
    {
        Fail(EBADF); // Closed, or abandoned after an error.
    }
    if (std::fwrite(bytes.data(), 1, bytes.size(), m_file.get()) != bytes.size())
    {
        Fail(errno);
    }
}

void
PcapWriter::Fail(int error)
{
    m_file.reset();
    if (m_temporary != m_place)
    {
        std::remove(m_temporary.c_str()); // The file is incomplete.
    }
    throw std::runtime_error("cannot write capture " + m_path + ": " + std::strerror(error));
}

} // namespace ns3::rdma
