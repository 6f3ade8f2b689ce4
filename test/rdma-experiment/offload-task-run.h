// SPDX-License-Identifier: GPL-2.0-only
#ifndef OFFLOAD_TASK_RUN_H
#define OFFLOAD_TASK_RUN_H

#include "ns3/offload-run.h"

namespace ns3::rdma
{

/// A run of an offload task, as `rocelab measure offload-TASK method=METHOD KEY=VALUE ...`.
struct TaskRequest
{
    std::string task;
    std::string method;                  ///< Empty: the usual one.
    std::vector<std::string> keys;       ///< Beside the method.
    std::vector<std::string> settings{}; ///< --set.
};

inline Ptr<OffloadTask>
ReadTask(const TaskRequest& request)
{
    const Ptr<Measurement> task = MakeMeasurement("offload-" + request.task);
    std::vector<std::string> words = request.keys;
    if (!request.method.empty())
    {
        words.push_back("method=" + request.method);
    }
    ReadMeasurement(*task, words);
    task->SetAttributes(request.settings);
    return DynamicCast<OffloadTask>(task);
}

inline OffloadResult
RunTask(const TaskRequest& request)
{
    return OffloadRun(*ReadTask(request)).Run();
}

} // namespace ns3::rdma

#endif // OFFLOAD_TASK_RUN_H
