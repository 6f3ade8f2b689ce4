// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_TRACE_LISTENER_H
#define RDMA_TRACE_LISTENER_H

#include "ns3/callback.h"

#include <functional>
#include <utility>

namespace ns3::rdma
{

/// @return a callback for a trace source of these arguments. @param function called with them
template <typename... Arguments, typename Function>
Callback<void, Arguments...>
MakeListener(Function function)
{
    return Callback<void, Arguments...>(std::function<void(Arguments...)>(std::move(function)));
}

} // namespace ns3::rdma

#endif // RDMA_TRACE_LISTENER_H
