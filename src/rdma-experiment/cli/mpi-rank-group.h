// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_MPI_RANK_GROUP_H
#define RDMA_MPI_RANK_GROUP_H

#include "ns3/rank-group.h"

#include <functional>
#include <memory>

namespace ns3::rdma
{

/**
 * @brief Ranks that mpirun, srun or the like has started, talking by Boost.MPI.
 *
 * A process that was started without them never touches MPI.
 */
class MpiRankGroup : public RankGroup
{
  public:
    /// @return how many ranks the launcher of this process has announced; 1 without one.
    static uint32_t CountStarted();

    /// @return whether mpirun, srun or the like has started this process, perhaps alone.
    static bool IsStartedByLauncher();

    /// Joins the others, who must do so too. Once in a process.
    MpiRankGroup();
    ~MpiRankGroup() override;

    uint32_t GetRank() const override;
    uint32_t GetCount() const override;

    /// @throws std::runtime_error if a rank is silent after a signal to stop
    void Send(std::vector<ByteBuffer>& outgoing) override;
    void Receive(std::vector<ByteBuffer>& incoming) override;
    void Exchange(std::vector<ByteBuffer>& outgoing, std::vector<ByteBuffer>& incoming) override;

    /// Ends all ranks at once.
    [[noreturn]] void Abort(int status);

  private:
    struct Mpi;

    void ReceiveFrom(uint32_t rank, ByteBuffer& buffer);
    void WaitForSends(std::size_t place);
    void WaitFor(uint32_t rank, const std::function<bool()>& isDone);
    void Poll(uint32_t rank, const std::function<bool()>& isDone);

    std::unique_ptr<Mpi> m_mpi;
};

} // namespace ns3::rdma

#endif // RDMA_MPI_RANK_GROUP_H
