// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/input-text.h"

#include "ns3/input-error.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace ns3::rdma
{

namespace
{

/// A file that is open for reading.
class Descriptor
{
  public:
    explicit Descriptor(const std::string& file)
        : m_number(open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY))
    {
        if (m_number >= 0)
        {
            fcntl(m_number, F_SETFL, 0); // Only open() must not block.
        }
    }

    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    ~Descriptor()
    {
        if (m_number >= 0)
        {
            close(m_number);
        }
    }

    /// @return how many bytes were read; -1 with errno set.
    ssize_t Read(char* buffer, size_t size) const
    {
        ssize_t got = -1;
        do
        {
            got = m_number < 0 ? -1 : read(m_number, buffer, size);
        } while (m_number >= 0 && got < 0 && errno == EINTR);
        return got;
    }

  private:
    int m_number;
};

} // namespace

std::string
ReadInputText(const std::string& file, const std::string& kind, uint64_t maxBytes)
{
    const auto fail = [&](const std::string& reason) {
        throw InputError(file + ": expected a readable " + kind + ", got: " + reason);
    };
    const Descriptor descriptor(file);
    std::string text;
    char buffer[1 << 16];
    ssize_t size = descriptor.Read(buffer, sizeof buffer);
    for (; size > 0; size = descriptor.Read(buffer, sizeof buffer))
    {
        const char* const end = buffer + size;
        const char* const null = std::find<const char*>(buffer, end, '\0');
        text.append(buffer, static_cast<size_t>(null - buffer));
        if (null != end)
        {
            const auto line = 1 + std::count(text.begin(), text.end(), '\n');
            throw InputError(file + ":" + std::to_string(line) + ": expected a " + kind +
                             ", got a NUL byte");
        }
        if (text.size() > maxBytes)
        {
            throw InputError(file + ": expected a " + kind + " of at most " +
                             std::to_string(maxBytes) + " bytes, got more");
        }
    }
    if (size < 0)
    {
        fail(std::strerror(errno));
    }
    if (text.empty())
    {
        fail("an empty file");
    }
    return text;
}

} // namespace ns3::rdma
