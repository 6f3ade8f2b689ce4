// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/job-channel.h"

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <unistd.h>
#include <utility>

namespace ns3::rdma
{

namespace
{

/// Both ends are the same program, so messages are plain memory: a tag, a size, the data.
constexpr char PROGRESS_TAG{'p'};

struct MessageHead
{
    char tag;
    uint32_t size;
};

void
WriteAll(int descriptor, const std::string& message)
{
    size_t sent = 0;
    while (sent < message.size())
    {
        const ssize_t written = write(descriptor, message.data() + sent, message.size() - sent);
        if (written < 0 && errno != EINTR)
        {
            return;
        }
        sent += written > 0 ? static_cast<size_t>(written) : 0;
    }
}

} // namespace

JobChannel::JobChannel(int descriptor, std::function<bool()> shouldStop)
    : JobChannel([descriptor](const std::string& message) { WriteAll(descriptor, message); },
                 std::move(shouldStop))
{
}

JobChannel::JobChannel(std::function<void(const std::string&)> write,
                       std::function<bool()> shouldStop)
    : m_write(std::move(write)),
      m_shouldStop(std::move(shouldStop))
{
}

void
JobChannel::SendProgress(const RunProgress& progress)
{
    Send(PROGRESS_TAG, &progress, sizeof progress);
}

void
JobChannel::SendLine(JobLine::Kind kind, const std::string& text)
{
    Send(static_cast<char>(kind), text.data(), text.size());
}

bool
JobChannel::ShouldStop() const
{
    return m_shouldStop();
}

void
JobChannel::Send(char tag, const void* data, size_t size)
{
    MessageHead head{};
    head.tag = tag;
    head.size = static_cast<uint32_t>(size);
    std::string message(reinterpret_cast<const char*>(&head), sizeof head);
    message.append(static_cast<const char*>(data), size);
    m_write(message);
}

JobMessageParser::JobMessageParser(ProgressHandler onProgress, LineHandler onLine)
    : m_onProgress(std::move(onProgress)),
      m_onLine(std::move(onLine))
{
}

void
JobMessageParser::Feed(const char* data, size_t size)
{
    m_pending.append(data, size);
    size_t done = 0;
    while (m_pending.size() - done >= sizeof(MessageHead))
    {
        MessageHead head{};
        std::memcpy(&head, m_pending.data() + done, sizeof head);
        if (m_pending.size() - done - sizeof head < head.size)
        {
            break;
        }
        const char* body = m_pending.data() + done + sizeof head;
        if (head.tag == PROGRESS_TAG)
        {
            RunProgress progress;
            std::memcpy(&progress, body, sizeof progress);
            m_onProgress(progress);
        }
        else
        {
            m_onLine({static_cast<JobLine::Kind>(head.tag), std::string(body, head.size)});
        }
        done += sizeof head + head.size;
    }
    m_pending.erase(0, done);
}

} // namespace ns3::rdma
