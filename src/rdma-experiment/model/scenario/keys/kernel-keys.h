// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_KERNEL_KEYS_H
#define RDMA_KERNEL_KEYS_H

#include "ns3/flow-services.h"
#include "ns3/keys.h"
#include "ns3/offload-kernel.h"
#include "ns3/scenario.h"

#include <vector>

namespace ns3::rdma
{

/// Reads "kernels": the name of a group to a list of kernels. @throws InputError
KernelsOfGroups ReadKernels(const JsonValue& value, const ServerGroups& groups);

/// Declares "kernels".
void VisitKernels(Keys& keys, KernelsOfGroups& kernels);

/// @param value the same object @throws InputError if a NIC of a group runs no kernels
void CheckKernels(const Scenario& scenario, const JsonValue& value);

/// @return the kernels of a server, new ones; none if it is in no group that has some.
std::vector<Ptr<OffloadKernel>> MakeKernels(const Scenario& scenario, uint32_t server);

/// @return the kernels that the payload of flows passes ("slots").
std::vector<FlowService> ListFlowServices(const Scenario& scenario);

/// @return the descriptions of those kernels; null: there are none.
const std::vector<KernelSpec>* FindKernels(const Scenario& scenario, uint32_t server);

/// @return whether all of the servers have a kernel of that type.
bool HaveKernel(const Scenario& scenario,
                const std::vector<uint32_t>& servers,
                const std::string& type);

} // namespace ns3::rdma

#endif // RDMA_KERNEL_KEYS_H
