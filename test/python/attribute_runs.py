# SPDX-License-Identifier: GPL-2.0-only
"""For each class with attributes a short run in which it works, and values at and beyond all bounds."""

import copy
import json

P = "ns3::rdma::"
STAR = {
    "topology": "star",
    "servers": 4,
    "hostRate": "100Gbps",
    "linkDelay": "1us",
    "lossRate": 0.01,
    "ecn": {"100Gbps": {"kmin": "5kB", "kmax": "20kB", "pmax": 1}},
}
SPRAYED = {key: value for key, value in STAR.items() if key != "ecn"} | {
    "admissionPolicy": P + "TrimmingAdmission",
    "markingPolicy": P + "RoleMarking",
}
LOSSLESS = {key: value for key, value in STAR.items() if key != "lossRate"}
INCAST = {"type": "incast", "senders": 3, "bytes": "40kB"}
STREAMS = {
    "type": "one-to-one",
    "queuePairs": 3,
    "messageBytes": 4096,
    "duration": "100us",
    "warmup": "20us",
    "cooldown": "10us",
    "sampleInterval": "10us",
}
RPC = {
    "type": "rpc",
    "clients": "clients",
    "servers": "stores",
    "outstanding": 2,
    "keys": 100,
    "valueBytes": "300B",
    "duration": "30us",
    "warmup": "5us",
}
KV = {
    "type": "kv",
    "clients": "clients",
    "servers": "stores",
    "get": 0.5,
    "keyBytes": 8,
    "valueBytes": 54,
    "memory": "256KiB",
    "duration": "20us",
    "warmup": "5us",
    "batch": 4,
    "outstanding": 4,
}

#: Load balancers with attributes.
BALANCERS = ["AdaptiveBalancer", "CongaBalancer", "DrillBalancer", "FlowletBalancer", "RoundRobinBalancer"]

#: Policies of the switches of the preset "uet".
SPRAYING_SWITCHES = ["TrimmingAdmission", "RoleMarking"]

#: Classes that no command and no scenario makes with attributes: for C++ programs alone.
#: AttributeBounds.* of the C++ tests sets theirs.
NOT_RUN = {
    "ChannelMemory",
    "FabricDevice",
    "HostFallback",
    "KvIntegerFunction",
    "SendStreamKernel",
    "ServiceSlots",
    "TrafficSniffer",
}

#: Attributes that a key of the scenario sets, or that no text can set.
NOT_SET = {
    "CreditLink::Credits",
    "FabricSwitch::AdmissionPolicy",
    "FabricSwitch::BufferSize",
    "FabricSwitch::LoadBalancer",
    "FabricSwitch::MarkingPolicy",
    "FabricSwitch::PfcEnabled",
    "RdmaNic::Hardware",
    "RdmaNic::HardwareClass",
    "RdmaNic::PathMtu",
}

HARDWARE = (
    "CardMemory ContextCache HostCpu NicHardware PcieLink ReceiveBuffer ReceiveWqeCache TranslationCache WqeFetcher"
).split()


def make_nic(preset="srnic", hardware="on", **more):
    """Return an entry of "nics"."""
    return {"preset": preset, "hardware": hardware, "name": "x", **more}


def make_scenario(nic, fabric=STAR, workload=INCAST, **more):
    """Return a scenario of one NIC."""
    return {
        "name": "n",
        "fabric": fabric,
        "nics": [nic],
        "workload": workload,
        "run": {"stallLimit": "20ms"},
        **more,
    }


def make_stores(kernel, nic, workload):
    """Return a scenario of three clients and a store with a kernel."""
    return make_scenario(
        nic,
        {"topology": "star", "servers": 4},
        workload,
        groups={"stores": [0], "clients": [[1, 3]]},
        kernels={"stores": [{"type": P + kernel, "attributes": {}}]},
    )


def make_served(kernel, attributes=()):
    """Return a scenario in which what senders transmit passes a service."""
    entry = {"type": P + kernel, "slots": ["transmit"], "attributes": dict(attributes)}
    return make_scenario(
        make_nic("balboa"), LOSSLESS, groups={"senders": [[1, 3]]}, kernels={"senders": [entry]}
    )


def make_fat_tree(balancer):
    """Return a scenario in which four flows cross a fat-tree with a load balancer."""
    fabric = {"topology": "fat-tree", "servers": 16, "loadBalancer": P + balancer}
    flows = [{"src": i, "dst": i + 8, "bytes": "40kB", "start": "0us"} for i in range(4)]
    return make_scenario(make_nic("srnic", "off"), fabric, {"type": "flows", "flows": flows})


def make_runs():
    """Return by class a scenario, or the arguments of a command without the attribute's own."""
    runs = {}
    for name in "AckClockedCredits BalboaDcqcn Dcqcn Hpcc PowerTcp Smartt Swift ThetaPowerTcp Timely WindowDctcp".split():
        runs[name] = make_scenario(make_nic(congestionControl=P + name))
    runs["SelectiveRepeat"] = make_scenario(
        make_nic("connectx6", congestionControl=P + "NoCongestionControl", lossDetector=P + "SelectiveRepeat")
    )
    for name in "AdaptiveTimeout BackoffTimeout FixedTimeout RttTimeout TimerArrayTimeout".split():
        runs[name] = make_scenario(
            make_nic("connectx6", congestionControl=P + "NoCongestionControl", retransmissionTimeout=P + name)
        )
    for name in "Nscc Sleek SackReceiver UetFormat".split():
        runs[name] = make_scenario(make_nic("uet", "off"))
    for name in SPRAYING_SWITCHES:
        runs[name] = make_scenario(make_nic("uet", "off"), SPRAYED)
    runs["OutOfOrderPool"] = make_scenario(
        make_nic("irn", "off", attributes={P + "RdmaNic::OutOfOrderAdmission": P + "OutOfOrderPool"})
    )
    runs["RoundRobinCredits"] = make_scenario(make_nic("uet-rccc", "off"))
    selectors = {"MrcEntropy": "MrcEntropy", "PlbEntropy": "PlbEntropy", "RepsEntropy": "RepsEntropy"}
    for name, selector in {**selectors, "WalkingEntropy": "BitmapEntropy"}.items():
        runs[name] = make_scenario(
            make_nic("uet", "off", attributes={P + "RdmaNic::EntropySelector": P + selector})
        )
    for name, scheduler in {"ClassScheduler": "StrictScheduler", "WeightedScheduler": "WeightedScheduler"}.items():
        runs[name] = make_scenario(make_nic(attributes={P + "RdmaNic::SendScheduler": P + scheduler}))
    for name in HARDWARE:
        runs[name] = make_scenario(make_nic())
    runs["RdmaNic"] = make_scenario(make_nic("connectx6"))
    runs["HpccFormat"] = make_scenario(make_nic(attributes={P + "RdmaNic::WireFormat": P + "HpccFormat"}))
    runs["IngressMeter"] = make_scenario(make_nic("cx5-measured"))
    runs["GpuPath"] = make_scenario(
        make_nic("balboa", attributes={P + "GpuPath::BarBytes": str(1 << 30)}),
        LOSSLESS,
        {**STREAMS, "memory": "gpu"},
    )
    for name in ("FailoverPath", "FailbackPath"):
        runs[name] = make_scenario(make_nic(attributes={P + "RdmaNic::PathSelector": P + name}))
    for name in "HostCosts HostCores HostNoise CacheHierarchy".split():
        runs[name] = make_scenario(make_nic("connectx6"), workload=STREAMS)
    runs["FabricSwitch"] = make_scenario(
        make_nic("connectx6", "off"), {**LOSSLESS, "pfc": True, "buffer": "200kB"}
    )
    for name in BALANCERS:
        runs[name] = make_fat_tree(name)
    classes = {"3": {"weight": 1}, "0": {"weight": 1}}
    runs["DwrrScheduler"] = make_scenario(make_nic("connectx6", "off"), {**STAR, "classes": classes})
    runs["RedMarking"] = make_scenario(make_nic("connectx6", "off"), STAR)
    for name in "GilbertElliottLoss LinkImpairment ScriptedLoss UniformLoss".split():
        fabric = {**LOSSLESS, "losses": [{"model": P + name, "attributes": {}}]}
        runs[name] = make_scenario(make_nic("srnic", "off"), fabric)
    for name, link in {"CreditLink": {"credits": "64KiB"}, "LinkRetry": {"retry": True}}.items():
        fabric = {**STAR, "links": [{**link, "attributes": {}}]}
        runs[name] = make_scenario(make_nic("srnic", "off"), fabric)
    runs["PassThroughService"] = make_served("PassThroughService")
    runs["AesService"] = make_served(
        "AesService", {P + "AesService::Key": "000102030405060708090a0b0c0d0e0f"}
    )
    runs["CallKernel"] = make_stores("GetKernel", make_nic("strom100g"), {**RPC, "request": "get-kernel"})
    runs["GetKernel"] = runs["CallKernel"]
    runs["TraversalKernel"] = make_stores(
        "TraversalKernel", make_nic("strom100g"), {**RPC, "request": "traversal-kernel"}
    )
    runs["KvDirectKernel"] = make_stores("KvDirectKernel", make_nic("kv-direct"), KV)
    offload = {
        "ConsistencyKernel": "consistency",
        "HyperLogLogKernel": "hyperloglog",
        "InspectionService": "inspection nic=balboa",
        "KernelHost": "get",
        "PreprocessingService": "preprocessing nic=balboa",
        "SendShuffleKernel": "shuffle method=send",
        "ShuffleKernel": "shuffle",
        "SoftwareCosts": "get method=read",
        "Tlb": "get",
    }
    for name, task in offload.items():
        runs[name] = ["measure", *f"offload-{task}".split(), "calls=2"]
    runs["KernelTcp"] = ["measure", "tcp-lat"]
    runs["KernelUdp"] = ["measure", "udp-bw"]
    return runs


RUNS = make_runs()


def get_command(attribute, value, folder):
    """Write the scenario, if there is one, and return the arguments of the program."""
    name = attribute["type"].rsplit("::", 1)[-1]
    full = f"{attribute['type']}::{attribute['name']}"
    run = copy.deepcopy(RUNS[name])
    if isinstance(run, list):
        return [*run, "--set", f"{full}={value}"]
    if "kernels" in run:
        holder = next(iter(run["kernels"].values()))[0]
    elif "losses" in run["fabric"]:
        holder = run["fabric"]["losses"][0]
    elif "links" in run["fabric"]:
        holder = run["fabric"]["links"][0]
    elif name in ("DwrrScheduler", "FabricSwitch", "RedMarking", *BALANCERS, *SPRAYING_SWITCHES):
        holder = run["fabric"]
    else:
        holder = run["nics"][0]
    holder.setdefault("attributes", {})[full] = value
    path = folder / "n.json"
    path.write_text(json.dumps(run))
    return ["run", path, "--out", folder / "out", "--quiet"]


def get_values(attribute):
    """Return texts at the bounds, beyond them, and at zero."""
    bounds = attribute["bounds"]
    low, _, high = bounds.removeprefix("from ").partition(" to ")
    values = [low, high]
    kind = attribute["value"]
    if kind in ("Uinteger", "Integer"):
        values += ["0", "1", "3", "-1", "256", str(1 << 31), str((1 << 32) - 1), str(1 << 32), str((1 << 64) - 1)]
        values += [str(int(low) - 1)] if low else []
        values += [str(int(high) + 1)] if high else []
    elif kind == "Double":
        values += ["0", "0.05", "0.5", "-1", "-0.5", "1e-300", "1e308", "-1e308", "nan", "inf"]
        values += [str(float(high) + 1)] if high else []
    elif kind == "Time":
        values += ["0ps", "1ps", "1ns", "1s", "-1ns", "9000000s", "9223372036854775807ps", "1e30s"]
    elif kind == "DataRate":
        values += ["0bps", "1bps", "-1bps", "1000000Gbps", "18446744073709551615bps"]
    elif kind == "Boolean":
        values += ["true", "false", "2"]
    else:
        values += ["", "x", "0"]
    return list(dict.fromkeys(value for value in values if value or kind == "String"))


