// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/scenario-reader.h"

#include "../test-files.h"
#include "scenario-fixture.h"

#include "ns3/scenario-builder.h"
#include "ns3/scenario-writer.h"

#include <nlohmann/json.hpp>

using namespace ns3;
using namespace ns3::rdma;

class ScenarioReader : public FolderTest
{
};

namespace
{

/// A change of GOOD_SCENARIO, and what its message has after the file name.
struct BadCase
{
    std::vector<std::string> sets;
    const char* message; ///< Its begin.
};

const char* const POISSON{R"(workload={"type": "poisson", "sizes": "s.cdf", "load": 0.5,
                                      "duration": "1ms"})"};
const char* const GRAPH{R"(workload={"type": "graph", "operations": [
    {"id": "a", "src": 0, "dst": 1, "bytes": 1}, {"id": "b", "src": 1, "dst": 2, "bytes": 1, "after": ["a"]},
    {"id": "c", "src": 2, "dst": 3, "bytes": 1, "after": ["b"]}]})"};
const char* const INCAST{R"(workload={"type": "incast", "senders": 3, "bytes": "1MB"})"};

const BadCase BAD_CASES[] = {
    // Keys.
    {{"fabrics=1"}, "$.fabrics: expected a known key (nearest: fabric), got the unknown key"},
    {{"workload.class=3"},
     "$.workload.class: expected a known key (nearest: priority), got the unk"},
    {{"fabric.sevrers=4"}, "$.fabric.sevrers: expected a known key (nearest: servers)"},
    {{"fabric.fabricRate=1Gbps"}, "$.fabric.fabricRate: expected a known key"}, // Not of a star.
    {{"run.sed=1"}, "$.run.sed: expected a known key (nearest: seed)"},
    {{"workload.flows[0].dest=1"}, "$.workload.flows[0].dest: expected a known key (nearest: dst)"},
    // Types.
    {{"name=5"}, "$.name: expected a string, got 5"},
    {{"fabric=\"star\""}, "$.fabric: expected an object, got \"star\""},
    {{"fabric.servers=\"4\""},
     "$.fabric.servers: expected a whole number from 2 to 65536, got \"4\""},
    {{"fabric.servers=-4"}, "$.fabric.servers: expected a whole number"},
    {{"fabric.pfc=\"on\""}, "$.fabric.pfc: expected true or false, got \"on\""},
    {{"nics=irn"}, "$.nics: expected a list, got \"irn\""},
    {{"nics=[]"}, "$.nics: expected a list of at least 1, got 0"},
    {{"nics=[3]"}, "$.nics[0]: expected a text or an object, got 3"},
    {{"run.seed=1.5"}, "$.run.seed: expected a whole number"},
    {{"run.drain=1"}, "$.run.drain: expected true or false, got 1"},
    // Units and ranges.
    {{"fabric.hostRate=100Gbit"}, "$.fabric.hostRate: expected a rate above zero such as"},
    {{"fabric.hostRate=-1Gbps"}, "$.fabric.hostRate: expected a rate above zero such as"},
    {{"fabric.hostRate=100GBps"},
     "$.fabric.hostRate: expected a rate above zero such as \"100Gbps\", got \"100GBps\", which "
     "counts"},
    {{"fabric.hostRate=.5Gbps"}, "$.fabric.hostRate: expected a rate above zero such as"},
    {{"fabric.hostRate=nanGbps"}, "$.fabric.hostRate: expected a rate above zero such as"},
    {{"fabric.buffer=16EiB"},
     "$.fabric.buffer: expected a size above zero such as \"32MiB\", got \"16EiB\", which is too "
     "large"},
    {{"fabric.linkDelay=9223373s"},
     "$.fabric.linkDelay: expected a time such as \"1us\", got \"9223373s\", which is too large "
     "(at"},
    {{"workload.flows[0].bytes=18446744073709551615"},
     "$.workload.flows[0].bytes: expected a number of bytes, such as 1000 or \"1MB\", "
     "got "
     "18446744073709551615, which is too large"},
    {{"workload.flows[0].start=1000001s"}, "$.workload.flows[0].start: expected a time such as"},
    {{"run.stallLimit=1e3s"}, "$.run.stallLimit: expected a time above zero such as"},
    {{"run.seed=1e400"}, "$.run.seed: expected a whole number"},
    {{"run.seed=-1"}, "$.run.seed: expected a whole number"},
    {{"run.seed=18446744073709551616"}, "$.run.seed: expected a whole number"},
    {{"fabric.hostRate=0Gbps"}, "$.fabric.hostRate: expected a rate above zero such as"},
    {{"fabric.linkDelay=1"}, "$.fabric.linkDelay: expected a time such as \"1us\", got 1"},
    {{"fabric.buffer=32"}, "$.fabric.buffer: expected a size above zero such as \"32MiB\", got 32"},
    // Of four 100 Gb/s ports with 1 us: reserve 4096 and headroom 3 x 12500 bytes each.
    {{"fabric.buffer=166384B", "fabric.pfc=true"},
     "$.fabric.buffer: expected more than the 166384 bytes"},
    {{"fabric.buffer=65535B"}, "$.fabric.buffer: expected at least 64KiB, got \"65535B\""},
    {{"fabric.mtu=10"}, "$.fabric.mtu: expected at least 64B, got 10"},
    {{"fabric.lossRate=1"}, "$.fabric.lossRate: expected a number from 0 to below 1, got 1"},
    {{"fabric.framing=atm"}, "$.fabric.framing: expected one of ethernet or none"},
    {{"run.stallLimit=0s"}, "$.run.stallLimit: expected a time above zero"},
    {{"run.fluidStart=0s"}, "$.run.fluidStart: expected a time above zero"},
    {{POISSON, "run.fluidStart=1ms"},
     "$.run.fluidStart: expected an end before that of the workload, 1ms, got 1ms"},
    {{POISSON, "run.warmup=1us"},
     "$.run.warmup: expected no warmup without precision, got \"1us\""},
    {{POISSON, "run.precision=0.1"}, "$.run: expected a key \"warmup\", got none"},
    {{POISSON, "run.precision=0"}, "$.run.precision: expected a number above 0 and below 1, got 0"},
    {{POISSON, "run.precision=1"}, "$.run.precision: expected a number above 0 and below 1, got 1"},
    {{POISSON, "run.precision=\"2%\""}, "$.run.precision: expected a number"},
    {{POISSON, "run.precision=0.1", "run.drain=true", "run.warmup=1us"},
     "$.run.drain: expected false beside precision, which ends a run at once, got true"},
    {{POISSON, "run.precision=0.1", "run.fluidStart=1us", "run.warmup=999us"},
     "$.run.warmup: expected an end before that of the workload, 1ms, got 1ms"},
    {{"run.precision=0.1", "run.warmup=1us"},
     "$.run.precision: expected a workload of random arrivals with it, got flows"},
    // Marking and buffers.
    {{R"(fabric.ecn={"100Gbps": {"kmin": "2kB", "kmax": "1kB", "pmax": 1}})"},
     "$.fabric.ecn.100Gbps.kmax: expected at least kmin, 2kB, got \"1kB\""},
    {{R"(fabric.ecn={"100Gbps": {"kmin": "1kB", "kmax": "2kB", "pmax": 2}})"},
     "$.fabric.ecn.100Gbps.pmax: expected a probability from 0 to 1, got 2"},
    {{R"(fabric.ecn={"100Gbps": {"kmin": "1kB", "kmax": "2kB"}})"},
     "$.fabric.ecn.100Gbps: expected a key \"pmax\", got none"},
    {{R"(fabric.ecn={"100": "off"})"}, "$.fabric.ecn.100: expected a link rate above zero"},
    {{R"(fabric.ecn={"7Gbps": "off"})"},
     "$.fabric.ecn.7Gbps: expected the rate of a link, such as \"100Gbps\", got \"7Gbps\""},
    {{R"(fabric.ecn={"100Gbps": "off", "0.1Tbps": "off"})"},
     "$.fabric.ecn.100Gbps: expected each link rate once"},
    {{"fabric.ecn=on"}, "$.fabric.ecn: expected \"off\" or thresholds by link rate, got \"on\""},
    {{R"(fabric.bufferAlpha={"100Gbps": 0})"},
     "$.fabric.bufferAlpha.100Gbps: expected a factor above zero, at most 1048576, got 0"},
    {{R"(fabric.bufferAlpha={"100Gbps": 1048577})"},
     "$.fabric.bufferAlpha.100Gbps: expected a factor above zero, at most 1048576, got 1048577"},
    {{R"(fabric.bufferAlpha={"100Gbps": 1e300})"},
     "$.fabric.bufferAlpha.100Gbps: expected a factor above zero, at most 1048576, got 1e+300"},
    {{"fabric.buffer=2TiB"}, "$.fabric.buffer: expected at most 1TiB, got \"2TiB\""},
    // Names.
    {{"name="}, "$.name: expected a plain folder name"},
    {{"name=.."}, "$.name: expected a plain folder name"},
    {{"name=.hidden"}, "$.name: expected a plain folder name"},
    {{"name=../up"}, "$.name: expected a plain folder name"},
    {{"name=/etc"}, "$.name: expected a plain folder name"},
    {{"name=a/b"}, "$.name: expected a plain folder name"},
    {{R"(nics=[{"preset": "irn", "name": "../x"}])"}, "$.nics[0].name: expected a plain folder"},
    {{R"(nics=[{"preset": "irn", "name": "plots"}])"},
     "$.nics[0].name: expected a name that no file of results has, got \"plots\""},
    {{R"(nics=[{"preset": "irn", "name": "compare.csv"}])"},
     "$.nics[0].name: expected a name that"},
    {{R"(nics=[{"preset": "irn", "name": "flows.csv"}])"}, "$.nics[0].name: expected a name that"},
    {{R"(nics=[{"preset": "irn", "name": "host-3.pcap"}])"},
     "$.nics[0].name: expected a name that"},
    {{"name=runs"}, "$.name: expected a name that no file of results has, got \"runs\""},
    {{"nics=[\"irn\", \"irn\"]"}, "$.nics[1]: expected a name of its own for each NIC"},
    {{"nics=[\"srnik\"]"}, "$.nics[0]: expected a NIC preset (nearest: srnic), got \"srnik\""},
    {{R"(nics=[{"preset": "conectx6"}])"},
     "$.nics[0].preset: expected a NIC preset (nearest: connectx6, connectx5 or connectx7)"},
    {{R"(nics=[{"preset": "irn", "congestionControl": "ns3::rdma::Dcqc"}])"},
     "$.nics[0].congestionControl: expected a type below ns3::rdma::CongestionControl (nearest: "
     "ns3::rdma::Dcqcn"},
    {{R"(nics=[{"preset": "irn", "parameters": "nvida"}])"},
     "$.nics[0].parameters: expected a parameter set (nearest: nvidia), got \"nvida\""},
    {{R"(nics=[{"preset": "srnic", "parameters": "nvidia"}])"},
     "$.nics[0].parameters: expected a NIC with ns3::rdma::Dcqcn, which \"nvidia\" is for, got "
     "ns3::rdma::WindowDctcp"},
    {{R"(nics=[{"preset": "irn", "parameters": 4}])"}, "$.nics[0].parameters: expected a string"},
    {{R"(nics=[{"preset": "irn", "lossDetector": "ns3::Node"}])"},
     "$.nics[0].lossDetector: expected a type below ns3::rdma::LossDetector"},
    {{R"(nics=[{"preset": "irn", "retransmissionTimeout": "ns3::rdma::GoBackN"}])"},
     "$.nics[0].retransmissionTimeout: expected a type below ns3::rdma::RetransmissionTimeout"},
    // Former names.
    {{R"(nics=[{"preset": "irn", "lossRecovery": "ns3::rdma::GoBackN"}])"},
     "$.nics[0].lossRecovery: expected the key lossDetector, and retransmissionTimeout for how "
     "long "
     "to wait, got the former key lossRecovery"},
    {{R"(nics=[{"preset": "irn", "lossDetector": "ns3::rdma::AdaptiveGoBackN"}])"},
     "$.nics[0].lossDetector: expected ns3::rdma::AdaptiveTimeout, a class below "
     "ns3::rdma::RetransmissionTimeout, got the former name ns3::rdma::AdaptiveGoBackN"},
    {{"attributes.ns3::rdma::RdmaNic::LossRecovery=ns3::rdma::GoBackN"},
     "$.attributes.ns3::rdma::RdmaNic::LossRecovery: expected ns3::rdma::RdmaNic::LossDetector, "
     "and "
     "ns3::rdma::RdmaNic::RetransmissionTimeout for how long to wait, got the former name "},
    {{"attributes.ns3::rdma::GoBackN::Timeout=1ms"},
     "$.attributes.ns3::rdma::GoBackN::Timeout: expected ns3::rdma::FixedTimeout::Timeout, got the "
     "former name ns3::rdma::GoBackN::Timeout"},
    {{"attributes.ns3::rdma::TimerArrayGoBackN::QueuePairs=4"},
     "$.attributes.ns3::rdma::TimerArrayGoBackN::QueuePairs: expected "
     "ns3::rdma::TimerArrayTimeout::QueuePairs, got the former name "},
    {{R"(nics=[{"preset": "irn", "hardware": "yes"}])"},
     "$.nics[0].hardware: expected one of off or on"},
    {{"fabric.loadBalancer=ns3::Node"},
     "$.fabric.loadBalancer: expected a type below ns3::rdma::LoadBalancer"},
    {{"fabric.admissionPolicy=ns3::rdma::EcmpBalancer"},
     "$.fabric.admissionPolicy: expected a type below ns3::rdma::AdmissionPolicy"},
    {{"fabric.markingPolicy=ns3::rdma::TailDrop"},
     "$.fabric.markingPolicy: expected a type below ns3::rdma::MarkingPolicy"},
    {{R"(nics=[{"preset": "irn", "hardware": "on",
                "attributes": {"ns3::rdma::PcieLink::Lanes": 3}}])"},
     "$.nics[0]: expected hardware that can be built, got PCIe has 1, 2, 4, 8 or 16 lanes, not 3"},
    {{R"(nics=[{"preset": "irn", "hardware": "on",
                "attributes": {"ns3::rdma::TranslationCache::PageSize": 8192}}])"},
     "$.nics[0]: expected hardware that can be built, got ns3::rdma::TranslationCache::PageSize: "
     "expected 4096 (4 KiB), 2097152 (2 MiB) or 1073741824 (1 GiB), got 8192"},
    {{R"(nics=[{"preset": "irn", "hardware": "on",
                "attributes": {"ns3::rdma::NicHardware::TransmitBlocks": "rubbish"}}])"},
     "$.nics[0]: expected hardware that can be built, got pipeline block \"rubbish\": no \"=\""},
    {{"attributes.ns3::rdma::RdmaNic::Hardware=true"},
     "$.attributes.ns3::rdma::RdmaNic::Hardware: expected the scenario's key $.nics[N].hardware"},
    {{"attributes.ns3::rdma::RdmaNic::PathMtu=512"},
     "$.attributes.ns3::rdma::RdmaNic::PathMtu: expected the scenario's key $.fabric.mtu instead"},
    {{"attributes.ns3::rdma::FabricSwitch::PfcEnabled=true"},
     "$.attributes.ns3::rdma::FabricSwitch::PfcEnabled: expected the scenario's key $.fabric.pfc "
     "instead"},
    // A longer header, more headroom at short delay: 8 x (4096 + 2 x 125 + 4 x (78 + 16 + 1024)).
    {{"fabric.servers=8",
      "fabric.linkDelay=10ns",
      "attributes.ns3::rdma::RdmaNic::Ipv6=true",
      "fabric.buffer=70000B",
      "fabric.pfc=true"},
     "$.fabric.buffer: expected more than the 70544 bytes"},
    // PFC without a priority that it could pause.
    {{"fabric.attributes.ns3::rdma::FabricSwitch::LosslessPriorities=0", "fabric.pfc=true"},
     "$.fabric.attributes.ns3::rdma::FabricSwitch::LosslessPriorities: expected at least one "
     "priority, since irn is run with PFC, got 0; \"pfc\": false turns PFC off"},
    {{"fabric.attributes.ns3::rdma::FabricSwitch::LosslessPriorities=0", "nics=[\"connectx6\"]"},
     "$.fabric.attributes.ns3::rdma::FabricSwitch::LosslessPriorities: expected at least one "
     "priority, since connectx6 is run with PFC"},
    // The reserve of each port counts, wherever it is said: 4 x 90 MB alone.
    {{"fabric.buffer=32MiB", "fabric.attributes.ns3::rdma::FabricSwitch::QueueReserve=90000000"},
     "$.fabric.buffer: expected more than the 360"},
    {{"fabric.buffer=32MiB", "attributes.ns3::rdma::FabricSwitch::QueueReserve=90000000"},
     "$.fabric.buffer: expected more than the 360"},
    {{"attributes.ns3::rdma::Dcqcn::Gian=1"},
     "$.attributes.ns3::rdma::Dcqcn::Gian: expected an attribute of ns3::rdma::Dcqcn"},
    {{"attributes.ns3::rdma::Dcqcn::Gain=7"},
     "$.attributes.ns3::rdma::Dcqcn::Gain: expected a ns3::DoubleValue"},
    {{"attributes.ns3::rdma::Dcqcn::Gain=[1]"},
     "$.attributes.ns3::rdma::Dcqcn::Gain: expected a string, a number, true or false"},
    // Attributes without effect.
    {{R"(nics=[{"preset": "irn", "attributes": {"ns3::rdma::FixedTimeout::Timeout": "1ms"}}])"},
     "$.nics[0].attributes.ns3::rdma::FixedTimeout::Timeout: expected an attribute that has an "
     "effect on irn, which has ns3::rdma::BackoffTimeout, ns3::rdma::Dcqcn, ns3::rdma::FixedPath, "
     "ns3::rdma::IrnFormat, "
     "ns3::rdma::RdmaNic, "
     "ns3::rdma::RoundRobinScheduler, ns3::rdma::SelectiveRepeat, got "
     "ns3::rdma::FixedTimeout::Timeout, "
     "which is for connectx5, "},
    {{R"(nics=["irn", {"preset": "srnic", "attributes": {"ns3::rdma::Dcqcn::Gain": 0.5}}])"},
     "$.nics[1].attributes.ns3::rdma::Dcqcn::Gain: expected an attribute that has an effect on "
     "srnic, which has ns3::rdma::FixedPath, ns3::rdma::RdmaNic, "
     "ns3::rdma::RoundRobinScheduler, ns3::rdma::RttTimeout, "
     "ns3::rdma::SelectiveRepeat, ns3::rdma::SrnicFormat, ns3::rdma::WindowDctcp, got "
     "ns3::rdma::Dcqcn::Gain, which is for connectx5, "},
    {{R"(nics=[{"preset": "srnic", "attributes": {"ns3::rdma::PcieLink::ReadLatency": "1us"}}])"},
     "$.nics[0].attributes.ns3::rdma::PcieLink::ReadLatency: expected an attribute that has an "
     "effect on srnic"},
    {{R"(nics=[{"preset": "srnic", "attributes": {"ns3::rdma::RdmaNic::CnpInterval": "1us"}}])"},
     "$.nics[0].attributes.ns3::rdma::RdmaNic::CnpInterval: expected an attribute that has an "
     "effect on srnic"},
    {{R"(nics=[{"preset": "irn", "attributes": {"ns3::rdma::KernelTcp::SystemCall": "1us"}}])"},
     "$.nics[0].attributes.ns3::rdma::KernelTcp::SystemCall: "},
    {{R"(nics=[{"preset": "irn", "attributes": {"ns3::rdma::FabricSwitch::ResumeMargin": 1}}])"},
     "$.nics[0].attributes.ns3::rdma::FabricSwitch::ResumeMargin: expected an attribute that has "
     "an effect on irn, which has ns3::rdma::BackoffTimeout, ns3::rdma::Dcqcn, "
     "ns3::rdma::FixedPath, ns3::rdma::IrnFormat, "
     "ns3::rdma::RdmaNic, "
     "ns3::rdma::RoundRobinScheduler, ns3::rdma::SelectiveRepeat, got "
     "ns3::rdma::FabricSwitch::ResumeMargin, which belongs in $.fabric.attributes"},
    {{"nics=[\"srnic\"]", "attributes.ns3::rdma::Dcqcn::Gain=0.5"},
     "$.attributes.ns3::rdma::Dcqcn::Gain: expected an attribute that has an effect on a NIC of "
     "the scenario, got ns3::rdma::Dcqcn::Gain, which is for connectx5, "},
    {{R"(fabric={"topology": "star", "servers": 4,
                 "attributes": {"ns3::rdma::RdmaNic::AckInterval": 2}})"},
     "$.fabric.attributes.ns3::rdma::RdmaNic::AckInterval: expected an attribute of the switches "
     "or their policies"},
    // Topology.
    {{"fabric.topology=ring"},
     "$.fabric.topology: expected one of back-to-back, dragonfly, dumbbell, fat-tree"},
    {{R"(fabric={"topology": "fat-tree", "servers": 65})"}, "$.fabric: "},
    {{R"(fabric={"topology": "hpcc-file", "file": "no.txt"})"},
     "$.fabric.file: expected a file beside the scenario file"},
    // Workload.
    {{POISSON}, "$.workload.sizes: expected a file beside the scenario file"},
    {{POISSON, "workload.load=1.01"}, "$.workload.load: expected a number above 0 and at most 1"},
    {{POISSON, "workload.load=0"}, "$.workload.load: expected a number above 0 and at most 1"},
    {{POISSON, "workload.duration=0us"}, "$.workload.duration: expected a time above zero"},
    {{R"(workload={"type": "hpcc-trace", "file": "no.txt"})"},
     "$.workload.file: expected a file beside the scenario file"},
    {{R"(workload={"type": "trace"})"}, "$.workload.type: expected one of"},
    {{"workload.flows=[]"}, "$.workload.flows: expected a list of at least 1, got 0"},
    {{"workload.flows[1].dst=2"}, "$.workload.flows[1]: "},
    {{"workload.flows[1].dst=4"}, "$.workload.flows[1]: "}, // The switch.
    {{"workload.flows[1].src=99"}, "$.workload.flows[1]: "},
    {{"workload.flows[0].bytes=-1"}, "$.workload.flows[0].bytes: expected a number of bytes,"},
    {{INCAST, "workload.senders=4"}, "$.workload: "}, // There are four servers, one receives.
    {{INCAST, "workload.receiver=4"}, "$.workload: "},
    {{INCAST, "workload.at=9223372036854775807ps"},
     "$.workload.at: expected a time such as \"1us\", got \"9223372036854775807ps\", which is too"},
    {{INCAST, "workload.at=1s", "workload.repeats=2", "workload.period=999999.5s"},
     "$.workload: incast: expected a last round at 1000000 s or before, got one that is too late"},
    {{INCAST, "workload.repeats=4294967295", "workload.period=1000000s"}, "$.workload: incast: "},
    {{INCAST, "workload.repeats=2"}, "$.workload: expected a key \"period\", got none"},
    // Graphs.
    {{R"(workload={"type": "graph"})"},
     "$.workload: expected one of the keys operations, file, got none"},
    {{GRAPH, "workload.file=x.json"}, "$.workload.file: expected no file beside operations, got "},
    {{GRAPH, "workload.operations=[]"}, "$.workload.operations: expected a list of at least 1"},
    {{GRAPH, "workload.operations[1].id=a"},
     "$.workload.operations[1].id: expected an id of its own for each operation, got \"a\" again"},
    {{GRAPH, "workload.operations[2].after=[\"a\", \"d\"]"},
     "$.workload.operations[2].after[1]: expected the id of an operation (nearest: "},
    {{GRAPH, "workload.operations[0].after=[\"c\"]"},
     "$.workload.operations[0]: expected operations that do not wait for themselves, got \"a\" "
     "after \"c\" after \"b\" after \"a\""},
    {{GRAPH, "workload.operations[1].after=[\"b\"]"},
     "$.workload.operations[1]: expected operations that do not wait for themselves, got \"b\" "
     "after \"b\""},
    {{GRAPH, "workload.operations[1].src=2"},
     "$.workload.operations[1]: expected two different servers, got a flow from server 2"},
    {{GRAPH, "workload.operations[1].dst=4"}, "$.workload.operations[1]: expected a server as"},
    {{GRAPH, "workload.operations[1].bytes=3GB"},
     "$.workload.operations[1]: expected at most 2147483648 bytes, got 3000000000"},
    {{GRAPH, "workload.operations[1].operation=pull"},
     "$.workload.operations[1].operation: expected one of write, read or send"},
    {{GRAPH, "workload.operation=0"}, "$.workload.operation: expected one of write, read or send"},
    {{GRAPH, "fabric.mtu=256B", "workload.operations[2].bytes=2GiB"},
     "$.workload.operations[2]: expected at most 2147483136 bytes, the longest message with an MTU "
     "of 256, got 2147483648"},
    {{GRAPH, "workload.operations[1].then=x"},
     "$.workload.operations[1].then: expected a known key"},
    {{GRAPH, "workload.operations[0].queuePair=q", "workload.operations[1].queuePair=q"},
     "$.workload.operations[1]: expected queue pair \"q\" from server 0 to 1, as operation \"a\" "
     "has it, got 1 to 2"},
    {{GRAPH, "run.fluidStart=1us"},
     "$.run.fluidStart: expected a workload whose flows depend on nothing with it, got a graph"},
    {{R"(workload={"type": "graph", "file": "no.json"})"},
     "$.workload.file: expected a file beside the scenario file"},
    // Link events.
    {{R"(linkEvents=[{"at": "1ms", "link": [0, 1], "state": "down"}])"},
     "$.linkEvents[0].link: expected two nodes with a link between them, got [0,1]"},
    {{R"(linkEvents=[{"at": "1ms", "link": [0], "state": "down"}])"},
     "$.linkEvents[0].link: expected two node ids, got 1"},
    {{R"(linkEvents=[{"at": "1ms", "link": [0, 4], "state": "gone"}])"},
     "$.linkEvents[0].state: expected one of down, up or half-open"},
};

} // namespace

TEST_F(ScenarioReader, AnswersEachBadInputWithOneLineThatNamesThePlace)
{
    const std::string file = (m_folder / "s.json").string();
    for (const BadCase& bad : BAD_CASES)
    {
        const std::string message = GetInputError([&] { ReadChanged(bad.sets); });
        const std::string begin = file + ": " + bad.message;
        EXPECT_EQ(message.substr(0, begin.size()), begin) << bad.sets.back();
        EXPECT_EQ(message.find('\n'), std::string::npos) << bad.sets.back();
    }
}

TEST_F(ScenarioReader, PassesOnWhatIsWrongInAFileThatItNames)
{
    const std::string cdf = WriteFile("s.cdf", "100 0\n200 0.5\n150 1\n");
    EXPECT_EQ(GetInputError([this] { ReadChanged({POISSON}); }).rfind(cdf + ":3: ", 0), 0U);
    const std::string trace = WriteFile("f.txt", "2\n0 1 3 100 1000 2.0\n");
    const std::string message = GetInputError(
        [this] { ReadChanged({R"(workload={"type": "hpcc-trace", "file": "f.txt"})"}); });
    EXPECT_EQ(message.rfind(trace + ":", 0), 0U) << message;
}

TEST_F(ScenarioReader, RefusesAWorkloadWithoutFlows)
{
    WriteFile("s.cdf", "1000 0\n2000 1\n");
    const std::string message = GetInputError([this] {
        ReadChanged({POISSON, "workload.duration=1ns"});
    });
    EXPECT_NE(message.find("$.workload: expected at least one flow"), std::string::npos) << message;
}

TEST_F(ScenarioReader, RefusesAFluidThatLeavesNoFlow)
{
    // The longest flow has 1 MB, three of them meet at the incast's receiver: with headers and
    // acknowledgments they take 93 and 280 us at 100 Gb/s. The trace's flow starts at 0.
    WriteFile("f.txt", "1\n0 1 3 100 1000000 2.0\n");
    WriteFile("s.cdf", "1000 0\n2000 1\n");
    const std::string trace = R"(workload={"type": "hpcc-trace", "file": "f.txt"})";
    const std::string lonely = R"(workload={"type": "poisson", "sizes": "s.cdf", "load": 0.001,
                                           "duration": "1ms"})";
    const std::pair<std::vector<std::string>, const char*> cases[] = {{{}, "50us"},
                                                                      {{INCAST}, "200us"},
                                                                      {{trace}, "50us"},
                                                                      {{lonely}, ""}};
    for (const auto& [sets, shortEnough] : cases)
    {
        std::vector<std::string> all = sets;
        all.push_back(std::string("run.fluidStart=") + (*shortEnough ? "400us" : "999us"));
        const std::string message = GetInputError([&] { ReadChanged(all); });
        EXPECT_EQ(message,
                  (m_folder / "s.json").string() +
                      ": $.run.fluidStart: expected a time before the last flow has ended, got \"" +
                      all.back().substr(all.back().find('=') + 1) + "\"");
        if (*shortEnough)
        {
            all.back() = std::string("run.fluidStart=") + shortEnough;
            EXPECT_NO_THROW(ReadChanged(all)) << all.back();
        }
    }
}

TEST_F(ScenarioReader, ARunThatEndsByPrecisionDoesNotDrain)
{
    WriteFile("s.cdf", "0 0\n1000 1\n");
    const Scenario scenario =
        ReadChanged({POISSON, "run.precision=0.02", "run.warmup=0s", "run.fluidStart=20us"});
    EXPECT_EQ(scenario.run.precision, 0.02);
    EXPECT_EQ(scenario.run.fluidStart, MicroSeconds(20));
    EXPECT_EQ(scenario.run.warmup, Seconds(0));
    EXPECT_FALSE(scenario.run.drain);
}

TEST_F(ScenarioReader, FillsInDefaults)
{
    const Scenario scenario = Read(GOOD_SCENARIO);
    EXPECT_EQ(scenario.name, "small");
    EXPECT_EQ(scenario.baseDirectory, m_folder.string());
    EXPECT_EQ(scenario.fabric.bufferBytes, 33'554'432U);
    EXPECT_EQ(scenario.fabric.mtuBytes, 1024U);
    EXPECT_TRUE(scenario.fabric.isEthernetFramed);
    EXPECT_FALSE(scenario.fabric.pfc);
    EXPECT_EQ(scenario.fabric.lossRate, 0);
    EXPECT_EQ(scenario.run.seed, 1U);
    EXPECT_TRUE(scenario.run.drain);
    EXPECT_EQ(scenario.run.stallLimit, Seconds(1));
    EXPECT_EQ(scenario.run.precision, 0);
    EXPECT_EQ(scenario.run.fluidStart, Seconds(0));
    ASSERT_EQ(scenario.nics.size(), 2U);
    EXPECT_EQ(scenario.nics[1].name, "srnic");
    const TopologyGraph graph = MakeTopology(scenario); // Outlives the flows.
    const auto flows = MakeFlowSource(scenario, graph);
    EXPECT_EQ(flows->GetFlowCount(), 2U);
    flows->Next();
    const auto second = flows->Next();
    EXPECT_EQ(second->bytes, 1'000'000U);
    EXPECT_EQ(second->startPs, 1'000'000);
}

TEST_F(ScenarioReader, MarksByTheHpccRuleWhereTheScenarioIsSilent)
{
    // 4 kB and 16 kB per Gb/s: 400 kB and 1600 kB at 100 Gb/s.
    const auto ecn = Read(GOOD_SCENARIO).fabric.ecn;
    ASSERT_EQ(ecn.count(100'000'000'000), 1U);
    EXPECT_EQ(ecn.at(100'000'000'000).kminBytes, 400'000U);
    EXPECT_EQ(ecn.at(100'000'000'000).kmaxBytes, 1'600'000U);
    EXPECT_EQ(ecn.at(100'000'000'000).pmax, 0.2);
    for (const char* off : {"fabric.ecn=off", R"(fabric.ecn={"100Gbps": "off"})"})
    {
        const auto none = ReadChanged({off}).fabric.ecn;
        EXPECT_EQ(none.at(100'000'000'000).kminBytes, ECN_OFF.kminBytes);
    }
}

TEST_F(ScenarioReader, KeepsListedMarkingAndCompletesTheOtherRates)
{
    const auto ecn = ReadChanged({R"(fabric={"topology": "fat-tree", "servers": 64,
                                   "ecn": {"100Gbps": {"kmin": "5kB", "kmax": "5kB", "pmax": 1}}})"})
                         .fabric.ecn;
    ASSERT_EQ(ecn.size(), 2U);
    EXPECT_EQ(ecn.at(100'000'000'000).kmaxBytes, 5'000U);
    EXPECT_EQ(ecn.at(400'000'000'000).kminBytes, 1'600'000U);
}

TEST_F(ScenarioReader, SetsNoHeadroomAsideInALossyFabric)
{
    // 64 ports of 100 Gb/s have 64 x (4096 + 37,500) = 2,662,144 bytes of reserve and headroom.
    const std::vector<std::string> fabric{
        R"(fabric={"topology": "star", "servers": 64, "buffer": "2MiB"})"};
    const auto read = [&](const std::string& nics, const std::string& pfc) {
        std::vector<std::string> sets = fabric;
        sets.push_back("nics=[\"" + nics + "\"]");
        if (!pfc.empty())
        {
            sets.push_back("fabric.pfc=" + pfc);
        }
        return GetInputError([&] { ReadChanged(sets); });
    };
    EXPECT_EQ(read("srnic", ""), "");
    EXPECT_EQ(read("connectx6", "false"), "");
    EXPECT_NE(read("connectx6", "").find("expected more than the 2662144 bytes"),
              std::string::npos);
    EXPECT_NE(read("srnic", "true").find("expected more than the 2662144 bytes"),
              std::string::npos);
}

TEST_F(ScenarioReader, GivesALargeSwitchABufferThatHoldsItsOwnHeadroom)
{
    for (const char* nic : {"srnic", "connectx6"})
    {
        // 1024 x 100 Gb/s x 5 kB per Gb/s: 512 MB, that is 488.3 MiB.
        const std::string nics = std::string("nics=[\"") + nic + "\"]";
        const Scenario scenario =
            ReadChanged({R"(fabric={"topology": "star", "servers": 1024})", nics});
        EXPECT_EQ(scenario.fabric.bufferBytes, uint64_t{489} << 20);
    }
    // 1024 x (4096 + 37,500) bytes.
    const std::string error = GetInputError([&] {
        ReadChanged({R"(fabric={"topology": "star", "servers": 1024, "buffer": "32MiB"})",
                     "nics=[\"connectx6\"]"});
    });
    EXPECT_NE(error.find("$.fabric.buffer: expected more than the 42594304 bytes that a switch "
                         "sets aside as reserve and headroom, got 33554432"),
              std::string::npos);
}

TEST_F(ScenarioReader, LaysAttributesOfScenarioAndNicOverThePreset)
{
    const Scenario scenario = ReadChanged(
        {"attributes={\"ns3::rdma::Dcqcn::Gain\": 0.25}",
         R"(nics=["irn", {"preset": "irn", "name": "mine", "congestionControl": "ns3::rdma::WindowDctcp",
                          "attributes": {"ns3::rdma::WindowDctcp::Gain": "0.5"}}])"});
    ASSERT_EQ(scenario.nics.size(), 2U);
    EXPECT_EQ(scenario.nics[0].attributes.at("ns3::rdma::Dcqcn::Gain"), "0.25");
    EXPECT_EQ(scenario.nics[1].attributes.at("ns3::rdma::WindowDctcp::Gain"), "0.5");
    EXPECT_EQ(scenario.nics[1].attributes.count("ns3::rdma::Dcqcn::Gain"), 0U);
    EXPECT_EQ(scenario.nics[1].name, "mine");
    EXPECT_EQ(scenario.nics[1].preset, "irn");
    EXPECT_EQ(scenario.nics[1].attributes.at("ns3::rdma::RdmaNic::CongestionControl"),
              "ns3::rdma::WindowDctcp");
}

TEST_F(ScenarioReader, GivesAttributesOfSwitchesToTheFabric)
{
    const Scenario own = ReadChanged({R"(fabric={"topology": "star", "servers": 4,
                    "attributes": {"ns3::rdma::FabricSwitch::ResumeMargin": 5000}})"});
    EXPECT_EQ(own.fabric.attributes.at("ns3::rdma::FabricSwitch::ResumeMargin"), "5000");
    const Scenario shared = ReadChanged({"attributes.ns3::rdma::FabricSwitch::ResumeMargin=5000"});
    EXPECT_EQ(shared.fabric.attributes, own.fabric.attributes);
    EXPECT_EQ(shared.nics[0].attributes.count("ns3::rdma::FabricSwitch::ResumeMargin"), 0U);
}

TEST_F(ScenarioReader, SelectsNicsByNameAndTakesPresetsThatAreNotListed)
{
    ScenarioChanges changes;
    changes.nics = {"balboa", "srnic", "srnic"};
    const auto nics = Read(GOOD_SCENARIO, changes).nics;
    ASSERT_EQ(nics.size(), 2U);
    EXPECT_EQ(nics[0].name, "balboa");
    EXPECT_EQ(nics[1].name, "srnic");
    changes.nics = {"srnik"};
    EXPECT_EQ(GetInputError([&] { Read(GOOD_SCENARIO, changes); }),
              "--nic: expected a NIC of the scenario or a preset (nearest: srnic), got \"srnik\"");
}

TEST_F(ScenarioReader, TakesTheSeedOfTheCommandLine)
{
    ScenarioChanges changes;
    changes.seed = 18'446'744'073'709'551'615ULL;
    EXPECT_EQ(Read(GOOD_SCENARIO, changes).run.seed, 18'446'744'073'709'551'615ULL);
}

TEST_F(ScenarioReader, ReadsLinkEventsInTheOrderOfTheFile)
{
    const auto events = ReadChanged({R"(linkEvents=[
        {"at": "2ms", "link": [4, 0], "state": "up"}, {"at": "1ms", "link": [0, 4], "state": "down"}])"})
                            .linkEvents;
    ASSERT_EQ(events.size(), 2U);
    EXPECT_EQ(events[0].at, MilliSeconds(2));
    EXPECT_EQ(events[0].state, LinkState::UP);
    EXPECT_EQ(events[1].link->from, 0U);
    EXPECT_EQ(events[1].state, LinkState::DOWN);
}

TEST_F(ScenarioReader, RunsTheComparisonExample)
{
    const auto file = GetCheckout() / "examples/start/compare/as-designed.json";
    const Scenario scenario = ReadScenario(file.string());
    EXPECT_EQ(scenario.name, "as-designed");
    EXPECT_EQ(scenario.nics.size(), 6U);
    EXPECT_EQ(MakeTopology(scenario).GetServerCount(), 64U);
    EXPECT_EQ(MakeScenarioJson(scenario, {})["workload"]["load"], 0.7);
}
