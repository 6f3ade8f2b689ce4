// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kernel-keys.h"

#include "rpc-fixture.h"

#include "ns3/get-kernel.h"
#include "ns3/kernel-deployment.h"
#include "ns3/scenario-writer.h"
#include "ns3/uinteger.h"

namespace ns3::rdma
{
namespace
{

class KernelKeys : public RpcTest
{
};

TEST_F(KernelKeys, EachServerOfTheGroupGetsKernelsOfItsOwn)
{
    const Scenario scenario = ReadGets();
    const auto first = MakeKernels(scenario, 0);
    const auto second = MakeKernels(scenario, 1);
    ASSERT_EQ(first.size(), 2U);
    EXPECT_EQ(first[0]->GetInstanceTypeId().GetName(), "ns3::rdma::GetKernel");
    EXPECT_EQ(first[1]->GetInstanceTypeId().GetName(), "ns3::rdma::TraversalKernel");
    EXPECT_NE(first[0], second[0]);
    EXPECT_TRUE(MakeKernels(scenario, 2).empty());
    EXPECT_TRUE(HaveKernel(scenario, {0, 1}, "ns3::rdma::GetKernel"));
    EXPECT_FALSE(HaveKernel(scenario, {0, 2}, "ns3::rdma::GetKernel"));
    EXPECT_FALSE(HaveKernel(scenario, {0, 1}, "ns3::rdma::ConsistencyKernel"));
}

TEST_F(KernelKeys, AttributesAreThoseOfTheKernel)
{
    const Scenario scenario = ReadGets({R"(kernels.stores=[{"type": "ns3::rdma::GetKernel",
        "attributes": {"ns3::rdma::CallKernel::MaxCalls": 3}}])"});
    UintegerValue calls;
    MakeKernels(scenario, 1).front()->GetAttribute("MaxCalls", calls);
    EXPECT_EQ(calls.Get(), 3U);
}

TEST_F(KernelKeys, TheResolvedScenarioReadsTheSame)
{
    for (const char* set : {"kernels.stores=[\"ns3::rdma::GetKernel\"]",
                            R"(kernels.stores=[{"type": "ns3::rdma::GetKernel", "attributes":
                                {"ns3::rdma::CallKernel::MaxCalls": 3}}])",
                            R"(kernels.stores=["ns3::rdma::GetKernel",
                                {"type": "ns3::rdma::AesService", "attributes":
                                   {"ns3::rdma::AesService::Key":
                                    "000102030405060708090a0b0c0d0e0f"},
                                 "slots": ["transmit", "receive-parallel"], "peers": "clients"}])"})
    {
        const std::string once = WriteScenario(ReadGets({set}));
        EXPECT_EQ(WriteScenario(Read(once)), once);
        EXPECT_NE(once.find("ns3::rdma::GetKernel"), std::string::npos);
    }
}

TEST_F(KernelKeys, KernelsHaveTheClockOfTheirNicsHardware)
{
    // 3.106 ns per cycle of strom100g: 1e12 / 3106 = 321,957,501 Hz.
    const Scenario scenario = ReadGets({R"(nics=[{"preset": "strom100g", "hardware": "on"}])"});
    SimulationRun run(scenario, scenario.nics[0]);
    KernelDeployment deployment;
    const auto nic = run.GetFabric().GetNode(2)->GetObject<RdmaNic>();
    deployment.Deploy(2, nic, {CreateObject<GetKernel>()});
    UintegerValue frequency;
    deployment.Find(2)->GetAttribute("Frequency", frequency);
    EXPECT_EQ(frequency.Get(), 321'957'501U);
    EXPECT_EQ(deployment.Find(3), nullptr);
    EXPECT_EQ(deployment.GetMemory(2), deployment.GetMemory(2));
    deployment.Dispose();
}

TEST_F(KernelKeys, BadInputIsOneLine)
{
    const std::pair<const char*, const char*> cases[]{
        {"kernels=[]", "$.kernels: expected an object, got an empty list"},
        {R"(kernels={"stroes": ["ns3::rdma::GetKernel"]})",
         "$.kernels.stroes: expected a group of $.groups (nearest: stores"},
        {"kernels.stores=[]", "$.kernels.stores: expected a list of at least 1, got 0"},
        {R"(kernels.stores=["ns3::rdma::GteKernel"])",
         "$.kernels.stores[0]: expected a type below ns3::rdma::OffloadKernel (nearest: "
         "ns3::rdma::GetKernel"},
        {R"(kernels.stores=["ns3::rdma::Dcqcn"])",
         "$.kernels.stores[0]: expected a type below ns3::rdma::OffloadKernel"},
        {R"(kernels.stores=["ns3::rdma::OffloadKernel"])",
         "$.kernels.stores[0]: expected a type below ns3::rdma::OffloadKernel"},
        {R"(kernels.stores=["ns3::rdma::GetKernel", "ns3::rdma::GetKernel"])",
         "$.kernels.stores[1]: expected kernels with codes of their own, got ns3::rdma::GetKernel "
         "with code 16 of ns3::rdma::GetKernel"},
        {R"(kernels.stores=[{"type": "ns3::rdma::GetKernel", "speed": 1}])",
         "$.kernels.stores[0].speed: expected a known key (nearest: peers, slots or type"},
        {R"(kernels.stores=[{"type": "ns3::rdma::GetKernel",
                             "attributes": {"ns3::rdma::TraversalKernel::MaxElements": 1}}])",
         "$.kernels.stores[0].attributes.ns3::rdma::TraversalKernel::MaxElements: expected an "
         "attribute of ns3::rdma::GetKernel"},
        {R"(kernels.stores=[{"type": "ns3::rdma::GetKernel",
                             "attributes": {"ns3::rdma::CallKernel::MaxCalls": 0}}])",
         "$.kernels.stores[0].attributes.ns3::rdma::CallKernel::MaxCalls: expected"},
        {R"(nics=["irn"])",
         "$.kernels.stores: expected a group whose NICs run kernels (connectx5, connectx6, "
         "connectx7, srnic, balboa, kv-direct, strom100g, strom10g), got irn in \"irn\""},
        {R"(nics=["strom100g", {"name": "mixed", "groups": {"stores": "irn"},
                                "default": "strom100g"}])",
         "$.kernels.stores: expected a group whose NICs run kernels (connectx5, connectx6, "
         "connectx7, srnic, balboa, kv-direct, strom100g, strom10g), got irn in \"mixed\""},
        {R"(kernels.stores=[{"type": "ns3::rdma::AesService", "slots": []}])",
         "$.kernels.stores[0].slots: expected at least one slot, got an empty list"},
        {R"(kernels.stores=[{"type": "ns3::rdma::AesService", "slots": ["recieve"]}])",
         "$.kernels.stores[0].slots[0]: expected "},
        {R"(kernels.stores=[{"type": "ns3::rdma::AesService", "slots": ["receive", "receive"]}])",
         "$.kernels.stores[0].slots[1]: expected each slot once, got receive"},
        {R"(kernels.stores=[{"type": "ns3::rdma::GetKernel", "slots": ["transmit"]}])",
         "$.kernels.stores[0].slots: expected a type below ns3::rdma::StreamService in the slot "
         "\"transmit\", got ns3::rdma::GetKernel"},
        {R"(kernels.stores=[{"type": "ns3::rdma::AesService", "slots": ["receive"],
                             "peers": "clinets"}])",
         "$.kernels.stores[0].peers: expected a group of $.groups (nearest: clients"},
        {R"(kernels.stores=[{"type": "ns3::rdma::AesService", "peers": "clients"}])",
         "$.kernels.stores[0].peers: expected \"slots\" beside \"peers\""},
        {R"(kernels.stores=[{"type": "ns3::rdma::AesService", "attributes":
            {"ns3::rdma::AesService::Key": "1234"}}])",
         "$.kernels.stores[0].attributes"},
        {R"(kernels.stores=[{"type": "ns3::rdma::AesService", "slots": ["receive"]}])",
         "$.kernels.stores[0]: expected attributes with ns3::rdma::AesService::Key, 32 hexadecimal "
         "digits, got none"},
        {R"(kernels.stores=[{"type": "ns3::rdma::AesService", "slots": ["receive"], "attributes":
            {"ns3::rdma::AesService::Latency": 12}}])",
         "$.kernels.stores[0].attributes: expected attributes with ns3::rdma::AesService::Key"},
    };
    for (const auto& [set, message] : cases)
    {
        const std::string found = FindFault(set);
        EXPECT_EQ(found.rfind(message, 0), 0U) << found;
    }
}

} // namespace
} // namespace ns3::rdma
