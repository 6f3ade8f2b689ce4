// SPDX-License-Identifier: GPL-2.0-only

#include "mpi-rank-group.h"

#include "ns3/stop-signals.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <stdexcept>

#ifdef ROCELAB_HAS_MPI
#include <array>
#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>
#include <chrono>
#include <limits>
#include <sched.h>
#include <thread>
#include <utility>
#endif

namespace ns3::rdma
{

namespace
{

/// Open MPI; MPICH and others with Hydra or PMI-2; Slurm's srun with PMIx, which counts in its own.
constexpr const char* COUNTS[]{"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"};
constexpr const char* SLURM_MARK{"PMIX_RANK"};

/// @return the number of ranks that the launcher of this process has announced, if there is one.
std::optional<uint32_t>
FindStarted()
{
    for (const char* name : COUNTS)
    {
        const bool isSlurm = name == COUNTS[2];
        const char* count = std::getenv(name);
        if (count && (!isSlurm || std::getenv(SLURM_MARK)))
        {
            return static_cast<uint32_t>(std::max(1L, std::strtol(count, nullptr, 10)));
        }
    }
    return std::nullopt;
}

} // namespace

bool
MpiRankGroup::IsStartedByLauncher()
{
    return FindStarted().has_value();
}

uint32_t
MpiRankGroup::CountStarted()
{
    return FindStarted().value_or(1);
}

#ifdef ROCELAB_HAS_MPI

namespace
{
using Clock = std::chrono::steady_clock;

/// All exchanges come in the same order on all ranks: one tag is enough.
constexpr int TAG{0};

/// How long to wait for others once this rank was signalled to stop. They are signalled, too, and
/// answer within milliseconds, unless they are gone; mpirun kills a second after it has asked.
constexpr std::chrono::milliseconds PATIENCE{500};

/**
 * @brief Lets another process have this core, if one wants it.
 *
 * After a yield that took as long as another process keeps a core, a rank sleeps shortly instead:
 * it is awake again before it would come back among many that are busy.
 *
 * @param[in,out] sleeps how many times to sleep before the next yield
 */
void
GiveWay(uint32_t& sleeps)
{
    constexpr std::chrono::microseconds TAKEN{500};
    constexpr uint32_t SLEEPS{256};
    if (sleeps > 0)
    {
        --sleeps;
        std::this_thread::sleep_for(std::chrono::microseconds(1)); // With the kernel's slack 50 us.
        return;
    }
    const auto begin = Clock::now();
    sched_yield();
    sleeps = Clock::now() - begin > TAKEN ? SLEEPS : 0;
}

/// @return the size of a message as MPI counts it.
int
GetMessageSize(const ByteBuffer& buffer)
{
    constexpr auto LARGEST{static_cast<std::size_t>(std::numeric_limits<int>::max())};
    if (buffer.GetSize() > LARGEST)
    {
        throw std::runtime_error("a message to another rank has " +
                                 std::to_string(buffer.GetSize()) + " bytes, and MPI takes " +
                                 std::to_string(LARGEST) + ": use more ranks");
    }
    return static_cast<int>(buffer.GetSize());
}
} // namespace

struct MpiRankGroup::Mpi
{
    /// Messages under way.
    struct Departure
    {
        std::vector<ByteBuffer> buffers;
        std::vector<std::pair<uint32_t, boost::mpi::request>> sends; ///< With their receivers.
    };

    boost::mpi::environment environment;
    boost::mpi::communicator world;
    std::array<Departure, 2> departures;
    std::size_t next{0}; ///< Place of the next one.
    uint32_t sleeps{0};  ///< See GiveWay().
};

MpiRankGroup::MpiRankGroup()
    : m_mpi(std::make_unique<Mpi>())
{
}

MpiRankGroup::~MpiRankGroup() = default;

uint32_t
MpiRankGroup::GetRank() const
{
    return static_cast<uint32_t>(m_mpi->world.rank());
}

uint32_t
MpiRankGroup::GetCount() const
{
    return static_cast<uint32_t>(m_mpi->world.size());
}

void
MpiRankGroup::Send(std::vector<ByteBuffer>& outgoing)
{
    WaitForSends(m_mpi->next);
    Mpi::Departure& departure = m_mpi->departures[m_mpi->next];
    m_mpi->next = (m_mpi->next + 1) % m_mpi->departures.size();
    departure.buffers.resize(outgoing.size());
    departure.buffers.swap(outgoing);
    for (uint32_t rank = 0; rank < GetCount(); ++rank)
    {
        if (rank != GetRank())
        {
            const ByteBuffer& buffer = departure.buffers[rank];
            const int bytes = GetMessageSize(buffer);
            departure.sends.emplace_back(
                rank,
                m_mpi->world.isend(static_cast<int>(rank), TAG, buffer.GetData(), bytes));
            m_traffic.bytes += buffer.GetSize();
        }
    }
}

void
MpiRankGroup::Receive(std::vector<ByteBuffer>& incoming)
{
    for (uint32_t rank = 0; rank < GetCount(); ++rank)
    {
        if (rank != GetRank())
        {
            ReceiveFrom(rank, incoming[rank]);
        }
    }
    ++m_traffic.exchanges;
}

void
MpiRankGroup::Exchange(std::vector<ByteBuffer>& outgoing, std::vector<ByteBuffer>& incoming)
{
    RankGroup::Exchange(outgoing, incoming);
    for (std::size_t place = 0; place < m_mpi->departures.size(); ++place)
    {
        WaitForSends(place);
    }
}

void
MpiRankGroup::WaitForSends(std::size_t place)
{
    auto& sends = m_mpi->departures[place].sends;
    for (auto& [rank, send] : sends)
    {
        WaitFor(rank, [&request = send] { return request.test().has_value(); });
    }
    sends.clear();
}

void
MpiRankGroup::ReceiveFrom(uint32_t rank, ByteBuffer& buffer)
{
    const int source = static_cast<int>(rank);
    boost::optional<boost::mpi::status> status;
    WaitFor(rank, [&] {
        status = m_mpi->world.iprobe(source, TAG);
        return status.has_value();
    });
    const int bytes = status->count<char>().value();
    buffer.Clear();
    char* const place = buffer.Extend(static_cast<std::size_t>(bytes));
    m_mpi->world.recv(source, TAG, place, bytes);
}

void
MpiRankGroup::WaitFor(uint32_t rank, const std::function<bool()>& isDone)
{
    if (isDone())
    {
        return;
    }
    const auto begin = Clock::now();
    Poll(rank, isDone);
    m_traffic.waitSeconds += std::chrono::duration<double>(Clock::now() - begin).count();
}

void
MpiRankGroup::Poll(uint32_t rank, const std::function<bool()>& isDone)
{
    constexpr uint32_t POLLS{64};
    Clock::time_point stopRequestedAt;
    for (uint32_t poll = 1; !isDone(); ++poll)
    {
        if (poll % POLLS != 0)
        {
            continue;
        }
        GiveWay(m_mpi->sleeps);
        if (StopSignals::GetCount() > 0)
        {
            const auto now = Clock::now();
            stopRequestedAt = stopRequestedAt == Clock::time_point() ? now : stopRequestedAt;
            if (now - stopRequestedAt > PATIENCE)
            {
                throw std::runtime_error("rank " + std::to_string(rank) +
                                         " does not answer any more");
            }
        }
    }
}

void
MpiRankGroup::Abort(int status)
{
    m_mpi->environment.abort(status);
    std::abort(); // MPI does not come back.
}

#else

struct MpiRankGroup::Mpi
{
};

MpiRankGroup::MpiRankGroup()
{
    throw std::runtime_error(
        "this rocelab was built without Boost.MPI (Debian package libboost-mpi-dev)");
}

MpiRankGroup::~MpiRankGroup() = default;

uint32_t
MpiRankGroup::GetRank() const
{
    return 0;
}

uint32_t
MpiRankGroup::GetCount() const
{
    return 1;
}

void
MpiRankGroup::Send(std::vector<ByteBuffer>&)
{
}

void
MpiRankGroup::Receive(std::vector<ByteBuffer>&)
{
}

void
MpiRankGroup::Exchange(std::vector<ByteBuffer>&, std::vector<ByteBuffer>&)
{
}

void
MpiRankGroup::ReceiveFrom(uint32_t, ByteBuffer&)
{
}

void
MpiRankGroup::WaitForSends(std::size_t)
{
}

void
MpiRankGroup::WaitFor(uint32_t, const std::function<bool()>&)
{
}

void
MpiRankGroup::Poll(uint32_t, const std::function<bool()>&)
{
}

void
MpiRankGroup::Abort(int)
{
    std::abort();
}

#endif

} // namespace ns3::rdma
