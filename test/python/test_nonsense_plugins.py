# SPDX-License-Identifier: GPL-2.0-only
"""Policies that answer nonsense: one line, and no results (test/plugins/nonsense*.cc)."""

import pytest
from program import call, find_run_error, needs_plugins, read_json, write_json

# What the line must say, by what is wrong. Several names for one policy: the table of a class.
CONTROL = {
    "fork null": "Fork(): expected a new object, got null",
    "fork itself": "Fork(): expected a new object, got one that is in use",
    "fork the same": "Fork(): expected a new object, got one that is in use",
    "fork another class": "Fork(): expected an object of ns3::rdma::NonsenseControl, "
    "got one of ns3::rdma::NoCongestionControl",
    "feedback 42": "GetNeededFeedback(): expected NONE, CNP, ECN_ECHO or INT, got 42",
    "rate 0": "GetLimit(): expected a rate above zero, got 0 bit/s",
    "rate 0 later": "GetLimit(): expected a rate above zero, got 0 bit/s",
    "rate negative": "GetLimit(): expected a rate above zero, got a negative number or none",
    "rate -1": "GetLimit(): expected a rate above zero, got a negative number or none",
    "rate not a number": "GetLimit(): expected a rate above zero, got a negative number or none",
    "rate 0 after a loss": "GetLimit(): expected a rate above zero, got 0 bit/s",
    "window 0 after a timeout": "GetLimit(): expected a window of at least 1 byte, got 0",
    "window 0": "GetLimit(): expected a window of at least 1 byte, got 0",
    "deadline now": "GetLimit(): expected a deadline after now, ",
    "deadline past": "GetLimit(): expected a deadline after now, ",
    "deadline negative": "GetLimit(): expected a deadline after now, ",
    "deadline overflow": "GetLimit(): expected a deadline after now, ",
}
DETECTOR = {
    "fork null": "Fork(): expected a new object, got null",
    "fork itself": "Fork(): expected a new object, got one that is in use",
    "fork the same": "Fork(): expected a new object, got one that is in use",
    "fork another class": "Fork(): expected an object of ns3::rdma::NonsenseDetector, "
    "got one of ns3::rdma::GoBackN",
    "bitmap too long": "GetTraits(): expected outOfOrderWindow at most 4194304, "
    "got 4000000000",
    "never sent on ack": "OnReport(): expected packets of the window, PSN ",
    "never sent on nak": "OnReport(): expected packets of the window, PSN ",
    "acknowledged before": "OnReport(): expected packets of the window, PSN ",
    "end before first": "OnReport(): expected packets of the window, PSN ",
    "never sent on deadline": "OnTrigger(): expected packets of the window, PSN ",
    "loss deadline past": "GetNextLook(): expected a deadline after now, ",
}
TIMEOUT = {
    "timeout 0": "Get(): expected a time above zero, got 0 ps",
    "timeout negative": "Get(): expected a time above zero, got -5 ps",
}
SCHEDULER = {
    "add nothing": "GetNextReady(): expected now or later, and never if and only if no queue pair "
    "waits, got never at ",
    "pick 77777": "Pick(): expected a queue pair that waits, got number 77777",
    "pick none": "GetNextReady(): expected later than now after Pick() has given none, got ",
    "pick twice": "",
    "pick too early": "Pick(): expected a queue pair that is ready, got number ",
    "ready in the past": "GetNextReady(): expected now or later, ",
    "ready never": "GetNextReady(): expected now or later, ",
    "ready although none waits": "GetNextReady(): expected now or later, ",
    "ready now, then none": "GetNextReady(): expected ",
}
BALANCER = {
    "one too many": "Choose(): expected a number below 4, got 4",
    "minus one": "Choose(): expected a number below 4, got 4294967295",
    "one too many for a flow": "ChooseForFlow(): expected a number below 4, got 4",
}
ADMISSION = {"admission 7": "Decide(): expected QUEUE, TRIM, DROP, TRIM_NEWEST or DROP_NEWEST, got 7"}
MARKING = {"point 9": "GetPoint(): expected ENQUEUE or DEQUEUE, got 9"}
LOSS = {
    "arrivals 3": "GetImpairment(): expected at most 2 arrivals, got 3",
    "arrivals minus one": "GetImpairment(): expected at most 2 arrivals, got 4294967295",
    "delay negative": "GetImpairment(): expected a delay from 0 to 1000000000000000000 ps, got -1 ps",
    "delay endless": "GetImpairment(): expected a delay from 0 to 1000000000000000000 ps, got never",
}
WORKLOAD = {
    "make null": "Make(): expected flows, got null",
    "unknown source": "Next(): expected a server as source (0 to 3), got 77",
    "switch as source": "Next(): expected a server as source, got ",
    "unknown destination": "Next(): expected a server as destination (0 to 3), got 1000000",
    "to itself": "Next(): expected two different servers, got a flow from server 0 to itself",
    "bytes overflow": "Next(): expected at most 9223372036854775807 bytes, none of them sent before, "
    "got 18446744073709551615 bytes, 0 of them sent",
    "sent before": "Next(): expected at most 9223372036854775807 bytes, none of them sent before, "
    "got 1000 bytes, 10 of them sent",
    "start negative": "Next(): expected a start at 0 or later, got -5 ps",
    "start falling": "Next(): expected a start not before that of the flow before, 1000000 ps, got 0 ps",
    "start endless": "Next(): expected a start at 1000000 s or before, got ",
    "more than said": "Next(): expected 2 flows, as GetFlowCount() has it, got one more",
    "endless at one time": "Next(): expected at most 1048576 flows at one time without GetFlowCount(), "
    "got more at 0 ps",
    "no traffic": "MakeTraffic(): expected traffic, as HasTraffic() has it, got null",
}
FORMAT = {"header 200": "GetHeaders(0): expected headers of HeaderKind, got header 200"}

PATH = {
    "port 9": "ChoosePort(): expected a number below 2, got 9",
    "nic 9": "ChooseNic(): expected a number below 2, got 9",
    "move to 9": "Move(): expected a number below 2, got 9",
}
ENTROPY = {
    "fork null": "Fork(): expected a new object, got null",
    "probe again now": "GetProbeTime(): expected a time after that of TakeProbe(), ",
    "probe every picosecond": "GetProbeTime(): expected at most 100000 times of probes without a report, got one more",
}
CREDITS = {
    "grant without end": "GetNext(): expected after a demand at most two grants per queue pair that has all it needs, got one more",
    "grant nothing without end": "GetNext(): expected after a demand at most two grants per queue pair that has all it needs, got one more",
    "pause 0": "GetNext(): expected a pause above zero and at most 1 s, got 0 ps",
    "pause endless": "GetNext(): expected a pause above zero and at most 1 s, got never",
    "unknown queue pair": "GetNext(): expected a queue pair that has asked for credit, got queue pair 77777",
    "grant shrinks": "GetNext(): expected for queue pair ",
}
FLIGHT = {
    "deadline now": "Flight::OnDeadline(): expected the timer and GetDeadline() after now, ",
    "no routes": "Flight::FindRoutes(): expected routes, since the NIC has an EntropySelector and several ports, got null",
}
RECEIVER = {
    "fork null": "Fork(): expected a new object, got null",
    "acknowledgment": "OnPacket(): expected NONE, REPORT or TRIM_NOTICE, since SendsReports() is true, got kind 1",
    "kind 9": "OnPacket(): expected NONE, REPORT or TRIM_NOTICE, since SendsReports() is true, got kind 9",
}
KERNEL = {
    "kind 99": "OnPacket(): expected commands of KernelCommand::Kind, got kind 99",
    "time -5": "OnPacket(): expected commands at a time from 0 on, got -5 ps",
    "time never": "OnPacket(): expected commands at a time from 0 on, got never",
    "million commands": "OnPacket(): expected at most 65536 commands, got 100000",
    "ready at -5": "OnPacket(): expected readyAt from 0 on, got -5 ps",
    "wake at -5": "OnPacket(): expected wakeAt from 0 on, got -5 ps",
    "wake again now": "OnWake(): expected wakeAt after now, ",
    "wrong tag": "OnData(): expected the tag of a call under way, got 99999",
    "wrong tag of a fault": "OnFault(): expected the tag of a call under way, got 99999",
    "two lines": "FindFault(): expected one line of text, got several, or control characters",
}

#: Commands of a kernel that reach no memory or queue pair: OnFault(), and the run goes on.
HARMLESS_COMMANDS = [
    "read nothing",
    "read 4 GiB",
    "read beyond the memory",
    "read beyond the card",
    "write nothing",
    "write beyond the memory",
    "send by an unknown queue pair",
]

KEYS = {
    "NonsensePath": "ns3::rdma::RdmaNic::PathSelector",
    "NonsenseEntropy": "ns3::rdma::RdmaNic::EntropySelector",
    "NonsenseFlightFactory": "ns3::rdma::RdmaNic::Flight",
    "NonsenseCredits": "ns3::rdma::RdmaNic::CreditScheduler",
    "NonsenseReceiver": "ns3::rdma::RdmaNic::ReceiverControl",
    "NonsenseControl": "ns3::rdma::RdmaNic::CongestionControl",
    "NonsenseDetector": "ns3::rdma::RdmaNic::LossDetector",
    "NonsenseTimeout": "ns3::rdma::RdmaNic::RetransmissionTimeout",
    "NonsenseScheduler": "ns3::rdma::RdmaNic::SendScheduler",
    "NonsenseFormat": "ns3::rdma::RdmaNic::WireFormat",
}
SWITCH_KEYS = {"NonsenseAdmission": "admissionPolicy", "NonsenseMarking": "markingPolicy"}
PLUGINS = ("nonsense", "nonsense-fabric", "nonsense-kernel", "nonsense-multipath")

# Calls in which a policy throws; those that no scenario makes are left out.
CALLS = {
    "NonsenseControl": "Fork GetNeededFeedback UsesOwnPath Start OnAck OnCnp OnSent NeedsOnSent "
    "OnLoss OnTimeout OnDeadline GetLimit",
    "NonsenseDetector": "Fork GetTraits OnSent OnReport GetNextLook OnTrigger",
    "NonsenseTimeout": "Get NeedsRtt GetMaxQueuePairs",
    "NonsenseScheduler": "Add Pick GetNextReady",
    "NonsenseBalancer": "Start Choose ChooseForFlow",
    "NonsenseAdmission": "Start Decide",
    "NonsenseMarking": "Start GetPoint ShouldMark",
    "NonsenseFormat": "GetHeaders HasPsnOffset",
    "NonsenseLoss": "IsLost GetImpairment",
    "NonsenseWorkload": "Read Make Next GetFlowCount MakeTraffic",
    "NonsensePath": "ChooseNic ChoosePort Move",
    "NonsenseEntropy": "Fork Start GetNext OnFeedback GetProbeTime",
    "NonsenseCredits": "Start OnDemand GetNext",
    "NonsenseReceiver": "Fork SendsReports OnPacket",
    "NonsenseKernel": "GetRpcCode FindFault OnPacket OnData OnFault OnWake",
}

CASES = [
    (name, fault, f"ns3::rdma::{name}: {line}")
    for name, table in {
        "NonsenseControl": CONTROL,
        "NonsenseDetector": DETECTOR,
        "NonsenseTimeout": TIMEOUT,
        "NonsenseScheduler": SCHEDULER,
        "NonsenseBalancer": BALANCER,
        "NonsenseAdmission": ADMISSION,
        "NonsenseMarking": MARKING,
        "NonsenseFormat": FORMAT,
        "NonsenseLoss": LOSS,
        "NonsenseWorkload": WORKLOAD,
        "NonsensePath": PATH,
        "NonsenseEntropy": ENTROPY,
        "NonsenseFlightFactory": FLIGHT,
        "NonsenseCredits": CREDITS,
        "NonsenseReceiver": RECEIVER,
        "NonsenseKernel": KERNEL,
    }.items()
    for fault, line in table.items()
]
CASES += [
    (name, f"throw in {call}", f'ns3::rdma::{name}: {call}(): expected it to return, got the exception "nonsense in {call}"')
    for name, calls in CALLS.items()
    for call in calls.split()
]
CASES += [
    ("NonsenseFlightFactory", f"throw in {call.split(':')[-1]}", f'ns3::rdma::NonsenseFlightFactory: {call}(): expected it to return, got ')
    for call in ("Make", *(f"Flight::{name}" for name in "CanSend Prepare OnSent UpdateTimer OnDeadline".split()))
]
CASES += [
    (name, f"throw a number in {call}", f"ns3::rdma::{name}: {call}(): expected it to return, got something that is no ")
    for name, call in (("NonsenseControl", "OnAck"), ("NonsenseLoss", "IsLost"), ("NonsenseWorkload", "Next"), ("NonsensePath", "Move"))
]
CASES += [
    ("NonsenseControl", "events at once without end", "simulated time stands still at 0 ps: 1000000 "),
]


pytestmark = needs_plugins(*PLUGINS)


def make_scenario(name, fault):
    """Return a scenario of a policy: senders beyond what a link and its switch can take."""
    if name == "NonsenseKernel":
        return make_kernel_scenario(fault)
    nic = {"preset": "balboa", "name": "nonsense", "attributes": {}}
    fabric = {"topology": "star", "servers": 4, "linkDelay": "1us", "lossRate": 0.02}
    fabric["ecn"] = {"100Gbps": {"kmin": "1kB", "kmax": "2kB", "pmax": 1}}
    workload = {"type": "incast", "senders": 3, "bytes": "200kB"}
    if name == "NonsenseWorkload":
        workload = {"type": "nonsense", "fault": fault}
    elif name == "NonsenseLoss":
        fabric["lossRate"] = 0
        fabric["losses"] = [{"model": "ns3::rdma::NonsenseLoss", "attributes": {"ns3::rdma::NonsenseLoss::Fault": fault}}]
    elif name == "NonsenseBalancer":
        fabric = {"topology": "fat-tree", "servers": 64, "loadBalancer": "ns3::rdma::" + name}
        fabric["attributes"] = {f"ns3::rdma::{name}::Fault": fault}
        flows = [{"src": i, "dst": i + 32, "bytes": "4kB", "start": "0us"} for i in range(4)]
        workload = {"type": "flows", "flows": flows}
    elif name in SWITCH_KEYS:
        fabric[SWITCH_KEYS[name]] = "ns3::rdma::" + name
        fabric["attributes"] = {f"ns3::rdma::{name}::Fault": fault}
    else:
        nic["attributes"] = {KEYS[name]: "ns3::rdma::" + name, f"ns3::rdma::{name}::Fault": fault}
        nic["preset"] = {"NonsensePath": "connectx5", "NonsenseEntropy": "mrc"}.get(name, nic["preset"])
        if name == "NonsenseFlightFactory":
            nic["preset"] = "irn"
            nic["attributes"]["ns3::rdma::RdmaNic::EntropySelector"] = "ns3::rdma::ObliviousEntropy"
            fabric["portsPerNic"] = 2
        if name in ("NonsenseCredits", "NonsenseReceiver"):
            nic["preset"] = "uet-rccc"
        if name == "NonsensePath":
            fabric = {"topology": "star", "servers": 4, "linkDelay": "1us", "lossRate": 0.02}
            fabric["nicsPerServer" if "nic 9" in fault or "ChooseNic" in fault else "portsPerNic"] = 2
    if fault == "pick too early":
        # A rate below the line's: queue pairs wait for their time.
        nic["congestionControl"] = "ns3::rdma::NonsenseControl"
    return {"name": "n", "fabric": fabric, "nics": [nic], "workload": workload}


def make_kernel_scenario(fault):
    """Return a scenario whose clients call the kernel."""
    kernel = {"type": "ns3::rdma::NonsenseKernel", "attributes": {"ns3::rdma::NonsenseKernel::Fault": fault}}
    workload = {"type": "rpc", "clients": "clients", "servers": "stores", "request": "get-kernel"}
    workload |= {"kernel": "ns3::rdma::NonsenseKernel", "keys": 100, "valueBytes": "64B", "duration": "50us"}
    return {
        "name": "n",
        "fabric": {"topology": "star", "servers": 3, "linkDelay": "1us"},
        "groups": {"stores": [0, 0], "clients": [1, 2]},
        "nics": [{"preset": "strom100g", "name": "nonsense"}],
        "kernels": {"stores": [kernel]},
        "workload": workload,
    }


@pytest.mark.parametrize("name, fault, line", CASES, ids=[f"{n}-{f}" for n, f, _ in CASES])
def test_nonsense_is_one_line_that_names_type_call_and_value(tmp_path, name, fault, line):
    text = find_run_error(make_scenario(name, fault), tmp_path / "out", PLUGINS)
    # What a workload says of its flows is found before there is a NIC.
    assert text.startswith((f"rocelab: nonsense: {line}", f"rocelab: {line}")), text
    assert text.count("\n") == 1 and text.endswith("\n")
    assert not (tmp_path / "out" / "n").exists()


def test_the_program_ends_with_that_line_and_status_1(tmp_path):
    path = write_json(tmp_path / "n.json", make_scenario("NonsenseControl", "rate 0"))
    ended = call("run", path, "--out", tmp_path / "out", "--quiet", plugins=PLUGINS)
    line = f"rocelab: nonsense: ns3::rdma::NonsenseControl: {CONTROL['rate 0']}\n"
    assert (ended.returncode, ended.stdout, ended.stderr) == (1, "", line)
    assert not (tmp_path / "out" / "n").exists()


def read_summary(folder, scenario):
    """Run a scenario to its good end; returns its summary."""
    assert find_run_error(scenario, folder / "out", PLUGINS) == ""
    return read_json(folder / "out" / "n" / "nonsense" / "summary.json")


@pytest.mark.parametrize("name", CALLS)
def test_the_same_policies_without_a_fault_are_let_through(tmp_path, name):
    summary = read_summary(tmp_path, make_scenario(name, ""))
    if name == "NonsenseKernel":
        assert summary["rpc"]["status"]["ok"] == summary["rpc"]["requests"] > 0
    else:
        assert summary["flows"]["completed"] == summary["flows"]["started"] > 0


@pytest.mark.parametrize("fault", HARMLESS_COMMANDS)
def test_a_command_of_a_kernel_that_reaches_nothing_is_a_fault_of_that_command(tmp_path, fault):
    rpc = read_summary(tmp_path, make_scenario("NonsenseKernel", fault))["rpc"]
    assert rpc["status"]["ok"] == rpc["requests"] > 0


def test_a_type_whose_constructor_makes_something_else_is_refused(tmp_path):
    scenario = make_scenario("NonsenseControl", "")
    scenario["nics"][0] |= {"attributes": {}, "congestionControl": "ns3::rdma::NonsenseType"}
    assert find_run_error(scenario, tmp_path / "out", PLUGINS) == (
        "rocelab: nonsense: ns3::rdma::NonsenseType: AddConstructor(): expected the class of a "
        "ns3::rdma::CongestionControl, got ns3::rdma::GoBackN\n"
    )
