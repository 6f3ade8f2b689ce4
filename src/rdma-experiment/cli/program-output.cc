// SPDX-License-Identifier: GPL-2.0-only

#include "program-output.h"

#include "one-line.h"

#include "ns3/exit-status.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <poll.h>
#include <unistd.h>

namespace ns3::rdma
{

void
PrintError(const std::string& message)
{
    std::cerr << "rocelab: " + ShortenWords(MakeOneLine(message)) + '\n';
}

int
CheckOutput(int status)
{
    errno = 0;
    std::cout.flush();
    const bool hasFailed = !std::cout || std::fflush(stdout) != 0;
    pollfd output{STDOUT_FILENO, POLLOUT, 0};
    const bool hasReaderLeft = poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
    if (!hasFailed || hasReaderLeft)
    {
        return status; // A reader that closes its pipe, as head does, has read enough.
    }
    PrintError("standard output: cannot be written" +
               (errno != 0 ? std::string(": ") + std::strerror(errno) : ""));
    return status == EXIT_GOOD ? EXIT_ERROR : status;
}

} // namespace ns3::rdma
