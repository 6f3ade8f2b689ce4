// SPDX-License-Identifier: GPL-2.0-only

#include "rank-hub.h"

#include "rank-link.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <random>
#include <sys/socket.h>
#include <sys/un.h>
#include <system_error>
#include <unistd.h>

namespace ns3::rdma
{

namespace
{

constexpr uint32_t UNKNOWN{UINT32_MAX};

/// @return a name of an abstract socket that no other process has.
std::string
MakeName()
{
    std::random_device random;
    return "rocelab-ranks-" + std::to_string(getpid()) + "-" + std::to_string(random());
}

/// Gives another process this one's standard output and error.
void
SendOutputs(int socket)
{
    const std::array outputs{STDOUT_FILENO, STDERR_FILENO};
    char byte = 0;
    iovec data{&byte, 1};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof outputs)> control{};
    msghdr message{};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    cmsghdr* const header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof outputs);
    std::memcpy(CMSG_DATA(header), outputs.data(), sizeof outputs);
    // The message is lost if the rank has ended. Outputs that the launcher has closed are not sent.
    if (sendmsg(socket, &message, MSG_NOSIGNAL) < 0)
    {
        message.msg_control = nullptr;
        message.msg_controllen = 0;
        const auto ignored = sendmsg(socket, &message, MSG_NOSIGNAL);
        static_cast<void>(ignored);
    }
}

} // namespace

RankHub::RankHub()
    : m_listener(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)),
      m_name(MakeName())
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path + 1, m_name.data(), m_name.size());
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + m_name.size());
    if (m_listener < 0 ||
        bind(m_listener, reinterpret_cast<const sockaddr*>(&address), size) != 0 ||
        listen(m_listener, SOMAXCONN) != 0)
    {
        const int error = errno;
        close(m_listener);
        throw std::system_error(error, std::generic_category(), "socket for ranks");
    }
}

RankHub::~RankHub()
{
    for (const Link& link : m_links)
    {
        if (link.socket >= 0)
        {
            close(link.socket);
        }
    }
    close(m_listener);
}

std::vector<pollfd>
RankHub::GetWaits() const
{
    std::vector<pollfd> waits{{m_listener, POLLIN, 0}};
    for (const Link& link : m_links)
    {
        waits.push_back({link.socket, POLLIN, 0}); // poll() ignores closed sockets.
    }
    return waits;
}

void
RankHub::Handle()
{
    Accept();
    for (Link& link : m_links)
    {
        Read(link);
    }
}

void
RankHub::Accept()
{
    int socket = -1;
    while ((socket = accept4(m_listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK)) >= 0)
    {
        ucred peer{};
        socklen_t size = sizeof peer;
        const bool isKnown = getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0;
        if (!isKnown || peer.uid != geteuid())
        {
            close(socket);
            continue;
        }
        SendOutputs(socket);
        m_links.push_back({socket, peer.pid, UNKNOWN, false});
    }
}

void
RankHub::Read(Link& link)
{
    std::array<char, 8192> buffer;
    while (link.socket >= 0)
    {
        const ssize_t size = recv(link.socket, buffer.data(), buffer.size(), 0);
        if (size > 0)
        {
            HandleMessage(link, std::string(buffer.data(), static_cast<std::size_t>(size)));
        }
        else if (size < 0 && (errno == EAGAIN || errno == EINTR))
        {
            return;
        }
        else
        {
            HandleClosing(link);
        }
    }
}

void
RankHub::HandleMessage(Link& link, const std::string& message)
{
    const std::string text = message.substr(1);
    switch (static_cast<RankNotice>(message[0]))
    {
    case RankNotice::HELLO:
        link.rank = static_cast<uint32_t>(std::strtoul(text.c_str(), nullptr, 10));
        return;
    case RankNotice::FAILURE:
        link.hasEnded = true;
        m_trouble = m_trouble.empty() ? text : m_trouble;
        return;
    case RankNotice::END:
        link.hasEnded = true;
        if (link.rank == 0)
        {
            m_status = static_cast<int>(std::strtol(text.c_str(), nullptr, 10));
        }
        return;
    }
}

void
RankHub::HandleClosing(Link& link)
{
    close(link.socket);
    link.socket = -1;
    if (!link.hasEnded && m_trouble.empty())
    {
        m_trouble = "rank " + std::to_string(link.rank);
        m_hasLostRank = true;
    }
}

bool
RankHub::HasOpenLinks() const
{
    return std::any_of(m_links.begin(), m_links.end(), [](const Link& link) {
        return link.socket >= 0;
    });
}

bool
RankHub::StopFirst() const
{
    const auto first = std::find_if(m_links.begin(), m_links.end(), [](const Link& link) {
        return link.rank == 0 && link.socket >= 0;
    });
    return first != m_links.end() && kill(first->process, SIGTERM) == 0;
}

void
RankHub::Kill() const
{
    for (const Link& link : m_links)
    {
        if (link.socket >= 0) // The process is there as long as its end is open.
        {
            kill(link.process, SIGKILL);
        }
    }
}

} // namespace ns3::rdma
