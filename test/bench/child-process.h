// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_CHILD_PROCESS_H
#define RDMA_CHILD_PROCESS_H

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <functional>
#include <stdexcept>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <type_traits>
#include <unistd.h>

namespace ns3::rdma
{

/// What a child process returned, and what it needed for that.
template <typename Result>
struct ChildResult
{
    Result value{};
    uint64_t peakRssBytes{0}; ///< Of the child; a fresh child counts what its parent holds.
};

/// The child's part of RunInChild().
template <typename Result>
[[noreturn]] void
WriteResultAndExit(const std::function<Result()>& function, int pipeEnd)
{
    int status = 1;
    try
    {
        const Result result = function();
        const auto size = static_cast<ssize_t>(sizeof result);
        status = write(pipeEnd, &result, sizeof result) == size ? 0 : 1;
    }
    catch (const std::exception& error)
    {
        std::fprintf(stderr, "%s\n", error.what());
    }
    std::fflush(nullptr);
    _exit(status);
}

/**
 * Runs a function in a process of its own, so that its peak memory is its own and ns-3's one
 * simulator per process is fresh.  The parent should be small and have one thread.
 *
 * @param function whose exception is printed by the child
 * @throws std::runtime_error if the child does not come to its end
 */
template <typename Result>
ChildResult<Result>
RunInChild(const std::function<Result()>& function)
{
    static_assert(std::is_trivially_copyable_v<Result>, "the result travels through a pipe");
    int ends[2];
    std::fflush(nullptr); // Or the child would print what the parent has not printed yet.
    const pid_t child = pipe(ends) == 0 ? fork() : -1;
    if (child < 0)
    {
        throw std::runtime_error("cannot start a process");
    }
    if (child == 0)
    {
        WriteResultAndExit(function, ends[1]);
    }
    close(ends[1]);
    ChildResult<Result> result;
    // A result is shorter than PIPE_BUF: it comes whole or not at all.
    ssize_t count = 0;
    do
    {
        count = read(ends[0], &result.value, sizeof result.value);
    } while (count < 0 && errno == EINTR);
    close(ends[0]);
    int status = 0;
    rusage usage{};
    while (wait4(child, &status, 0, &usage) < 0 && errno == EINTR)
    {
    }
    if (count != static_cast<ssize_t>(sizeof result.value) || status != 0)
    {
        throw std::runtime_error("a child process ended with wait status " +
                                 std::to_string(status));
    }
    constexpr uint64_t BYTES_PER_KIB{1024};
    result.peakRssBytes = static_cast<uint64_t>(usage.ru_maxrss) * BYTES_PER_KIB;
    return result;
}

} // namespace ns3::rdma

#endif // RDMA_CHILD_PROCESS_H
