// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_RANK_LINK_H
#define RDMA_RANK_LINK_H

#include <cstdint>
#include <memory>
#include <string>

namespace ns3::rdma
{

/// What a rank reports to the program that started it: one datagram, the kind and then a text.
enum class RankNotice : char
{
    HELLO = 'h',   ///< The number of the rank.
    FAILURE = 'f', ///< Why the rank stops all ranks.
    END = 'e',     ///< Its exit status.
};

/**
 * @brief A rank's connection to the "rocelab run --ranks" that has started it.
 *
 * The rank takes over that program's standard output and error, so that mpirun's own lines and
 * those of the ranks have different ways.
 */
class RankLink
{
  public:
    /// Environment variable with the name of the RankHub's socket.
    static constexpr const char* VARIABLE{"ROCELAB_RANK_SOCKET"};

    /// @return whether "rocelab run --ranks" has started this process.
    static bool IsExpected();

    /// Connects. @return nothing if a user's mpirun has started this process
    /// @throws std::system_error
    static std::unique_ptr<RankLink> Open();

    ~RankLink();
    RankLink(const RankLink&) = delete;
    RankLink& operator=(const RankLink&) = delete;

    void Send(RankNotice kind, const std::string& text);

  private:
    explicit RankLink(int socket);

    void TakeOutputs();

    int m_socket;
};

} // namespace ns3::rdma

#endif // RDMA_RANK_LINK_H
