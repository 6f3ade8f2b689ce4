// SPDX-License-Identifier: GPL-2.0-only

#include "command-set.h"
#include "early-stop.h"
#include "mpi-rank-group.h"
#include "program-output.h"
#include "rank-link.h"

#include "ns3/environment-check.h"
#include "ns3/exit-status.h"
#include "ns3/input-error.h"
#include "ns3/nstime.h"
#include "ns3/plugin-loader.h"
#include "ns3/verbs-error.h"

#include <memory>
#include <new>
#include <optional>

namespace
{

using namespace ns3::rdma;

/// Runs the command of the command line, together with other ranks if there are any. @return an
/// ExitStatus
int
Dispatch(int argc, char** argv, RankGroup& ranks)
{
    CommandSet commands(argc > 1 ? argv[1] : "");
    Command* command = ranks.GetCount() == 1 ? commands.FindUnparsed(argc, argv) : nullptr;
    if (!command)
    {
        ranks.Try([&] {
            CheckEnvironment();
            command = commands.Parse(argc, argv, ranks.GetRank() == 0);
            if (command)
            {
                LoadPlugins(command->GetPlugins());
            }
            if (command && !command->IsForRanks() && ranks.GetCount() > 1)
            {
                throw InputError("expected only \"run\" on more than one rank (mpirun -n)");
            }
        });
    }
    return command ? command->Run({ranks, argc, argv}) : EXIT_GOOD;
}

/// A launcher of another MPI starts processes that are not connected.
void
CheckLauncher(const MpiRankGroup& ranks)
{
    const uint32_t started = MpiRankGroup::CountStarted();
    if (ranks.GetCount() != started)
    {
        throw RankError(0,
                        "expected " + std::to_string(started) +
                            " ranks, as many as were started, got " +
                            std::to_string(ranks.GetCount()) +
                            ": is this the mpirun of the MPI that rocelab was built with?",
                        true);
    }
}

/// No rank ends before all ignore the signal that mpirun sends to the others then.
void
EndTogether(RankGroup& ranks)
{
    IgnoreTermination();
    ranks.Share("");
}

/// To the program that has started this rank, if a user's mpirun has not.
int
ReportEnd(RankLink* link, int status)
{
    if (link)
    {
        link->Send(RankNotice::END, std::to_string(status));
    }
    return status;
}

/// Of this rank alone. Without a RankLink the rank prints it.
void
ReportFailure(RankLink* link, const std::string& text)
{
    if (link)
    {
        link->Send(RankNotice::FAILURE, text);
        return;
    }
    PrintError(text);
}

/// As one of several ranks. The first one prints for all, unless one fails alone. @return an
/// ExitStatus
int
DispatchOnRanks(int argc, char** argv)
{
    // Outlives the exceptions: MPI that ends while one is thrown kills the process.
    std::optional<MpiRankGroup> ranks;
    std::unique_ptr<RankLink> link;
    try
    {
        link = RankLink::Open();
        ranks.emplace();
        CheckLauncher(*ranks);
        const bool isFirst = ranks->GetRank() == 0;
        StopAtOnceOnSignals(!isFirst || link);
        int status = Dispatch(argc, argv, *ranks);
        status = isFirst ? CheckOutput(status) : status;
        EndTogether(*ranks);
        return ReportEnd(link.get(), status);
    }
    catch (const RankError& error)
    {
        if (ranks->GetRank() == 0)
        {
            PrintError(error.what());
        }
        EndTogether(*ranks);
        return ReportEnd(link.get(), error.IsInput() ? EXIT_BAD_INPUT : EXIT_ERROR);
    }
    catch (const std::exception& error)
    {
        if (!ranks)
        {
            ReportFailure(link.get(), error.what());
            return EXIT_ERROR;
        }
        ReportFailure(link.get(),
                      "rank " + std::to_string(ranks->GetRank()) + ": " + error.what() +
                          "; all ranks are stopped, no results");
        ranks->Abort(EXIT_ERROR);
    }
}

} // namespace

int
main(int argc, char** argv)
{
    // Links of 400 Gb/s send a byte in 20 ps.
    ns3::Time::SetResolution(ns3::Time::PS);
    if (MpiRankGroup::CountStarted() > 1)
    {
        return DispatchOnRanks(argc, argv);
    }
    StopAtOnceOnSignals(false);
    try
    {
        return CheckOutput(Dispatch(argc, argv, RankGroup::GetSolo()));
    }
    catch (const InputError& error)
    {
        PrintError(error.what());
        return EXIT_BAD_INPUT;
    }
    catch (const VerbsError& error)
    {
        PrintError(error.what()); // More queue pairs than the NIC has room for.
        return EXIT_BAD_INPUT;
    }
    catch (const std::bad_alloc&)
    {
        PrintError("out of memory");
        return EXIT_ERROR;
    }
    catch (const std::exception& error)
    {
        PrintError(error.what());
        return EXIT_ERROR;
    }
    catch (...)
    {
        PrintError("something was thrown that is no std::exception, perhaps by a plug-in");
        return EXIT_ERROR;
    }
}
