// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/stream-data.h"

#include "ns3/input-error.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace ns3::rdma
{

namespace
{

constexpr uint64_t MAX_STREAM{uint64_t{1} << 30U};
constexpr uint64_t MAX_STREAM_MESSAGES{1'000'000};
constexpr uint64_t USUAL_MESSAGES{64};

/// @throws InputError
std::vector<uint8_t>
ReadStreamFile(const std::string& path)
{
    std::error_code error;
    const uint64_t size = std::filesystem::file_size(path, error);
    std::vector<uint8_t> bytes(error ? 0 : std::min(size, MAX_STREAM));
    std::ifstream file(path, std::ios::binary);
    file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    if (bytes.empty() || !file)
    {
        throw InputError("measure: data: expected a file with bytes that can be read, "
                         "got " +
                         path + (error ? ": " + error.message() : ""));
    }
    return bytes;
}

} // namespace

void
StreamDataOptions::Visit(Keys& keys)
{
    keys.Bytes("size", bytes, "data of each message").Between(uint64_t{1}, MAX_STREAM);
    keys.Count("messages", messages, "messages of a call")
        .Between(uint64_t{1}, MAX_STREAM_MESSAGES)
        .Otherwise("64, or as many as data needs");
    keys.File("data", file, "file whose bytes are sent, repeated if they are too few")
        .Otherwise("random bytes");
    const uint64_t count = messages.value_or(USUAL_MESSAGES);
    keys.Check(count <= MAX_STREAM / bytes,
               "",
               "at most 1 GiB in all",
               std::to_string(count) + " times " + std::to_string(bytes) + " bytes");
}

StreamData::StreamData(const StreamDataOptions& options,
                       OffloadHosts& hosts,
                       uint8_t lowest,
                       uint8_t highest)
    : m_hosts(hosts),
      m_messageBytes(options.bytes)
{
    const std::vector<uint8_t> given =
        options.file.empty() ? std::vector<uint8_t>() : ReadStreamFile(options.file);
    uint64_t total = given.size();
    if (given.empty() || options.messages)
    {
        total = options.messages.value_or(USUAL_MESSAGES) * options.bytes;
    }
    m_messages = (total + options.bytes - 1) / options.bytes;
    m_bytes.resize(total);
    RandomStream random = hosts.MakeRandom(0);
    const uint64_t values = uint64_t{highest} - lowest + 1;
    for (uint64_t i = 0; i < total; ++i)
    {
        m_bytes[i] = given.empty() ? static_cast<uint8_t>(lowest + random.Next() % values)
                                   : given[i % given.size()];
    }
    m_source = hosts.Allocate(OffloadHosts::CLIENT, total);
    m_target = hosts.Allocate(OffloadHosts::SERVER, total);
    hosts.Get(OffloadHosts::CLIENT).memory->Write(m_source, m_bytes.data(), m_bytes.size());
}

void
StreamData::SendToGpu(const MemoryRegion& region, uint64_t offset)
{
    m_target = region.address + offset;
    m_gpu = region;
}

uint32_t
StreamData::GetBytes(uint64_t message) const
{
    const uint64_t begin = message * m_messageBytes;
    return static_cast<uint32_t>(std::min(m_messageBytes, m_bytes.size() - begin));
}

void
StreamData::Post(uint64_t message, OffloadHosts::Ended ended)
{
    const uint64_t offset = message * m_messageBytes;
    m_hosts.Write(OffloadHosts::CLIENT,
                  m_source + offset,
                  m_target + offset,
                  GetBytes(message),
                  std::move(ended),
                  m_gpu ? std::optional(m_gpu->remoteKey) : std::nullopt);
}

void
StreamData::Fetch(uint64_t message, OffloadHosts::Ended ended)
{
    const uint64_t offset = message * m_messageBytes;
    m_hosts.Read(OffloadHosts::SERVER,
                 m_source + offset,
                 m_target + offset,
                 GetBytes(message),
                 std::move(ended),
                 m_gpu ? std::optional(m_gpu->localKey) : std::nullopt);
}

std::optional<uint64_t>
StreamData::FindEnd(const Frame& frame) const
{
    const bool isEnd = opcode::GetKind(frame.opcode) == OpcodeKind::WRITE &&
                       opcode::IsLast(frame.opcode) && frame.remoteAddress >= m_target &&
                       frame.remoteAddress < m_target + m_bytes.size();
    return isEnd ? std::optional<uint64_t>((frame.remoteAddress - m_target) / m_messageBytes)
                 : std::nullopt;
}

std::vector<uint8_t>
StreamData::ReadTarget() const
{
    std::vector<uint8_t> bytes(m_bytes.size());
    m_hosts.Get(OffloadHosts::SERVER).memory->Read(m_target, bytes.data(), bytes.size());
    return bytes;
}

} // namespace ns3::rdma
