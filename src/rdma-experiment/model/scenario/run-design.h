// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RUN_DESIGN_H
#define RDMA_RUN_DESIGN_H

#include "ns3/nic-design.h"
#include "ns3/scenario.h"

#include <vector>

namespace ns3::rdma
{

/// @return the designs of a run's servers: the default, if any, and those of the groups.
std::vector<const DesignSpec*> GetDesigns(const NicSpec& nic);

/// @return the design that a server has in a run; null if it is in none of the NIC's groups and
/// there is no default.
const DesignSpec* FindDesign(const Scenario& scenario, const NicSpec& nic, uint32_t server);

/// @return the design that a part of "nics" describes, at the scenario's path MTU.
NicDesign MakeNicDesign(const Scenario& scenario, const DesignSpec& spec);

/// @return whether queue pairs of a run have reports of their receivers, or packets with entropy
/// values of their own (Flight).
bool HasFlights(const Scenario& scenario, const NicSpec& nic);

/// @return the fabric with the keys that the NIC's entry has in place of those of the scenario.
FabricSpec ChangeFabric(const Scenario& scenario, const NicSpec& nic);

/// @return whether the fabric has PFC: what the NIC's entry or the scenario says, else whether any
/// design needs it.
bool HasPfc(const Scenario& scenario, const NicSpec& nic);

/// A class of the switches that a key of its own names.
struct SwitchPolicy
{
    const char* key;
    const char* name; ///< Of the attribute, and of the class above.
    std::string FabricSpec::*type;
};

constexpr SwitchPolicy SWITCH_POLICIES[]{
    {"loadBalancer", "LoadBalancer", &FabricSpec::loadBalancer},
    {"admissionPolicy", "AdmissionPolicy", &FabricSpec::admissionPolicy},
    {"markingPolicy", "MarkingPolicy", &FabricSpec::markingPolicy},
    {"scheduler", "EgressScheduler", &FabricSpec::scheduler}};

/// @return class by full attribute name, of those that the fabric names.
std::map<std::string, std::string> GetSwitchPolicies(const FabricSpec& fabric);

/// @return whether a marking policy has thresholds of its own, so that it uses "off" of the ECN
/// thresholds of a fabric or a class only.
/// @param policy TypeId name; empty: the switch's own default
bool HasOwnThresholds(const std::string& policy);

/// @return whether the fabric or one of its classes has a marking policy that uses the thresholds
/// of the fabric. @param fabric with its marking policy, as of ResolveFabric()
bool UsesEcn(const FabricSpec& fabric);

/// @return whether a link rate has thresholds other than "off".
bool HasThresholds(const std::map<uint64_t, EcnProfile>& ecn);

/// @return the TypeId name of a run's load balancer; empty: the switch's own default.
const std::string& GetLoadBalancer(const Scenario& scenario, const NicSpec& nic);

/// @return attributes of switches and links in a run with a NIC.
AttributeValues MakeFabricAttributes(const Scenario& scenario, const NicSpec& nic);

/// @return the fabric as a run with a NIC has it: with what the presets set in the switches,
/// without marking thresholds that the marking policy does not use. The NIC's own load balancer is
/// not in it.
FabricSpec ResolveFabric(const Scenario& scenario, const NicSpec& nic);

} // namespace ns3::rdma

#endif // RDMA_RUN_DESIGN_H
