// SPDX-License-Identifier: GPL-2.0-only

#include "rank-link.h"

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <system_error>
#include <unistd.h>

namespace ns3::rdma
{

namespace
{

/// Of the rank: Open MPI; MPICH and others.
constexpr std::array NUMBERS{"OMPI_COMM_WORLD_RANK", "PMI_RANK"};

std::string
FindNumber()
{
    for (const char* name : NUMBERS)
    {
        if (const char* const number = std::getenv(name))
        {
            return number;
        }
    }
    return "0";
}

[[noreturn]] void
Fail(const char* action)
{
    throw std::system_error(errno, std::generic_category(), action);
}

} // namespace

bool
RankLink::IsExpected()
{
    return std::getenv(VARIABLE) != nullptr;
}

std::unique_ptr<RankLink>
RankLink::Open()
{
    const char* const name = std::getenv(VARIABLE);
    if (!name)
    {
        return nullptr;
    }
    const int socket = ::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (socket < 0)
    {
        Fail("socket");
    }
    std::unique_ptr<RankLink> link(new RankLink(socket));
    // The name is abstract: it begins with a zero byte.
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path + 1, name, sizeof address.sun_path - 2);
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 +
                                             std::strlen(address.sun_path + 1));
    if (connect(socket, reinterpret_cast<const sockaddr*>(&address), size) != 0)
    {
        Fail("the program that started this rank");
    }
    link->Send(RankNotice::HELLO, FindNumber());
    link->TakeOutputs();
    return link;
}

RankLink::RankLink(int socket)
    : m_socket(socket)
{
}

RankLink::~RankLink()
{
    close(m_socket);
}

void
RankLink::Send(RankNotice kind, const std::string& text)
{
    constexpr std::size_t LARGEST{4096};
    const std::string message = static_cast<char>(kind) + text.substr(0, LARGEST);
    // The message is lost if the launcher has ended.
    const auto ignored = send(m_socket, message.data(), message.size(), MSG_NOSIGNAL);
    static_cast<void>(ignored);
}

void
RankLink::TakeOutputs()
{
    char byte = 0;
    iovec data{&byte, 1};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(2 * sizeof(int))> control{};
    msghdr message{};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    if (recvmsg(m_socket, &message, MSG_CMSG_CLOEXEC) != 1)
    {
        Fail("the program that started this rank");
    }
    const cmsghdr* const header = CMSG_FIRSTHDR(&message);
    if (!header || header->cmsg_type != SCM_RIGHTS)
    {
        return;
    }
    std::array<int, 2> outputs{};
    std::memcpy(outputs.data(), CMSG_DATA(header), sizeof outputs);
    // Open MPI reports the death of another rank by lines of its own: they go to mpirun's pipe.
    const int pipe = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    setenv("OPAL_OUTPUT_STDERR_FD", std::to_string(pipe).c_str(), 1);
    dup2(outputs[0], STDOUT_FILENO);
    dup2(outputs[1], STDERR_FILENO);
    close(outputs[0]);
    close(outputs[1]);
}

} // namespace ns3::rdma
