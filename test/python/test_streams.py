# SPDX-License-Identifier: GPL-2.0-only
"""Workload "streams": what the program writes, ranks, and bad input."""

import csv
import json

import pytest
from program import find_fault
from ranks import FABRIC, NEEDS, POISSON, compare, run

pytestmark = NEEDS

STREAMS = [
    {"sender": 0, "receiver": 16, "queuePairs": 3, "messageBytes": "4KiB"},
    {"sender": 1, "receiver": 16, "queuePairs": 2, "messageBytes": "10000B", "rate": "20Gbps"},
    {"sender": 16, "receiver": 2, "messageBytes": "16KiB", "rate": "5Gbps"},
]
SCENARIO = {
    "name": "ranks",
    "fabric": FABRIC,
    "nics": [{"preset": "connectx6", "hardware": "on"}],
    "workload": {
        "type": "streams",
        "streams": STREAMS,
        "solicited": True,
        "duration": "300us",
        "warmup": "100us",
        "cooldown": "50us",
        "sampleInterval": "10us",
    },
    "run": {"seed": 3},
}
BACK_TO_BACK = {"topology": "back-to-back", "hostRate": "100Gbps", "linkDelay": "500ns", "mtu": 4096}
ONE = [{"sender": 0, "receiver": 1, "messageBytes": "16KiB"}]


def write(folder, fabric=FABRIC, **workload):
    path = folder / "scenario.json"
    workload = {**SCENARIO["workload"], **workload}
    path.write_text(json.dumps({**SCENARIO, "fabric": fabric, "workload": workload}))
    return path


def run_good(folder, path):
    """Return the result folder of a run that ends well."""
    status, _, errors = run(1, "run", path, "--out", folder)
    assert status == 0, errors
    return folder / "ranks" / "connectx6"


def read(folder, name):
    with (folder / name).open() as file:
        return list(csv.DictReader(file))


def test_an_fpga_sends_at_its_rate_without_hardware_times(tmp_path):
    # 29.3 million messages per second, 34 ns each: a host's thread takes 182 ns to look up the region of one.
    streams = [{"sender": 0, "receiver": 1, "messageBytes": "256B", "rate": "60Gbps"}]
    workload = {"type": "streams", "service": "UC", "streams": streams, "duration": "100us"}
    nics = [{"name": "connectx6", "preset": "fpga-sender", "hardware": "off"}]
    path = tmp_path / "scenario.json"
    path.write_text(json.dumps({"name": "ranks", "fabric": BACK_TO_BACK, "nics": nics, "workload": workload}))
    (stream,) = read(run_good(tmp_path, path), "streams.csv")
    assert float(stream["goodput_gbps"]) == pytest.approx(60, rel=0.01)


@pytest.mark.parametrize("shared", [pytest.param(False, marks=pytest.mark.slow), True])
def test_two_ranks_give_the_same_bytes(tmp_path, shared):
    path = write(tmp_path, sharedReceiveQueue=shared)
    scenario = json.loads(path.read_text())
    background = {"name": "background", **POISSON, "duration": "300us", "load": 0.1}
    # Named after its type, a workload has the random numbers that it has alone.
    scenario["workloads"] = [{"name": "streams", **scenario.pop("workload")}, background]
    path.write_text(json.dumps(scenario))
    (files,) = compare(tmp_path, path, [2]).values()
    assert files["streams.csv"].count(b"\n") == 7
    # A shared queue of this NIC has too few requests per second for messages of 4 KiB at this rate.
    summary = files["summary.json"]["workloads"]["streams"]["streams"]
    assert (summary["lost"] > 0) == shared
    assert summary["received"] > 500
    assert files["samples.csv"].count(b"receiver") == 2 * 30
    assert files["threads.csv"].count(b"receiver") == (2 if shared else 6)


def test_the_summary_is_that_of_the_rows(tmp_path):
    folder = run_good(tmp_path, write(tmp_path))
    summary = json.loads((folder / "summary.json").read_text())["streams"]
    streams = read(folder, "streams.csv")
    assert [int(row["stream"]) for row in streams] == list(range(6))
    assert summary["received"] == sum(int(row["received"]) for row in streams)
    assert summary["goodput_gbps"] == pytest.approx(sum(float(row["goodput_gbps"]) for row in streams), rel=1e-4)
    # A list of ten 16 KiB messages takes 262 us at 5 Gb/s: a part of one at first, then a whole one.
    assert 10 < int(streams[5]["sent"]) <= 20
    measured = [
        row
        for row in read(folder, "samples.csv")
        if row["server"] == "16" and row["role"] == "receiver" and 100_000 < float(row["time_ns"]) <= 250_000
    ]
    (host,) = [one for one in summary["hosts"] if one["server"] == 16 and one["role"] == "receiver"]
    assert host["samples"] == len(measured) == 15
    mean = sum(float(row["goodput_gbps"]) for row in measured) / 15
    assert host["goodput_gbps"]["mean"] == pytest.approx(mean, rel=1e-4)
    use = sum(
        float(row["use_percent"])
        for row in read(folder, "threads.csv")
        if row["server"] == "16" and row["role"] == "receiver"
    )
    assert host["use_percent"]["mean"] == pytest.approx(use, rel=1e-3)
    # By task, the step in progress counts as a whole: ten completions of 0.15 us in 150 us are 1 % of a core.
    assert sum(host["use_percent_by_task"].values()) == pytest.approx(use, abs=1)


def test_goodput_counts_messages_when_they_arrive_not_lists_when_they_are_taken(tmp_path):
    # A list of 100 messages takes 137 us at 97.9 Gb/s; samples of 50 us hold 37.3 messages, so 36 to 38.
    workload = {"linked": 100, "duration": "2500us", "warmup": "1ms", "cooldown": "100us", "sampleInterval": "50us"}
    folder = run_good(tmp_path, write(tmp_path, BACK_TO_BACK, streams=ONE, **workload))
    summary = json.loads((folder / "summary.json").read_text())["streams"]
    (receiver,) = (host for host in summary["hosts"] if host["role"] == "receiver")
    message_gbps = 16384 * 8 / 50e3
    assert receiver["goodput_gbps"]["min"] >= 35.9 * message_gbps
    assert receiver["goodput_gbps"]["max"] <= 38.1 * message_gbps
    # Interrupts of 200 ns, once a list: 0.15 % of a core.
    assert receiver["interrupt_percent"] == pytest.approx(0.15, abs=0.02)


@pytest.mark.parametrize("service", ["UC", "RC"])
def test_losses_of_unreliable_streams_are_told_and_reliable_ones_have_none(tmp_path, service):
    lossy = {**BACK_TO_BACK, "lossRate": 0.001}
    folder = run_good(tmp_path, write(tmp_path, lossy, streams=ONE, service=service, duration="2ms"))
    (row,) = read(folder, "streams.csv")
    lost = int(row["lost"])
    if service == "RC":
        assert lost == 0
    else:
        assert lost > 3
        # Blocks that nothing has come after are not known to be missing.
        assert 0 < int(row["missing_blocks"]) <= lost
        assert int(row["incomplete_regions"]) > 0


def test_the_page_size_has_no_effect_as_the_thesis_finds(tmp_path):
    results = []
    for page in (4096, 1 << 21, 1 << 30):
        path = write(tmp_path, BACK_TO_BACK, streams=ONE, duration="1ms")
        scenario = json.loads(path.read_text())
        scenario["attributes"] = {"ns3::rdma::TranslationCache::PageSize": str(page)}
        path.write_text(json.dumps(scenario))
        results.append(json.loads((run_good(tmp_path, path) / "summary.json").read_text())["streams"])
    goodput = [result["goodput_gbps"] for result in results]
    assert max(goodput) - min(goodput) < 0.01 * max(goodput)


def test_the_numa_node_has_no_effect_while_queues_fit_into_caches(tmp_path):
    results = []
    for remote in ("false", "true"):
        path = write(tmp_path, BACK_TO_BACK, streams=ONE, duration="1ms")
        scenario = json.loads(path.read_text())
        # 100 ns more to the memory of the other socket, for the NIC too.
        latencies = {"Read": 700, "Write": 300, "Store": 300} if remote == "true" else {}
        scenario["attributes"] = {
            "ns3::rdma::HostCores::RemoteMemory": remote,
            **{f"ns3::rdma::PcieLink::{name}Latency": f"{ns}ns" for name, ns in latencies.items()},
        }
        path.write_text(json.dumps(scenario))
        results.append(json.loads((run_good(tmp_path, path) / "summary.json").read_text())["streams"])
    near, far = results
    assert far["goodput_gbps"] == pytest.approx(near["goodput_gbps"], rel=0.01)


def test_a_receive_queue_that_is_never_refilled_is_told(tmp_path):
    path = write(tmp_path, BACK_TO_BACK, streams=ONE, refill=False, solicited=False)
    status, output, errors = run(1, "run", path, "--out", tmp_path)
    assert status == 3
    line = (
        "server 1: the receive queue of thread 0 was used up and never refilled: "
        "what came after its 1000 messages is lost"
    )
    assert line in output + errors


def test_reliable_messages_without_receive_requests_stall_the_run_after_its_duration(tmp_path):
    path = write(tmp_path, BACK_TO_BACK, streams=ONE, refill=False, solicited=False, service="RC", receiveQueue=100)
    scenario = json.loads(path.read_text())
    scenario["run"]["stallLimit"] = "4ms"
    path.write_text(json.dumps(scenario))
    status, output, errors = run(1, "run", path, "--out", tmp_path)
    assert status == 3
    assert "the receive queue of thread 0 was used up and never refilled" in output + errors
    summary = json.loads((tmp_path / "ranks" / "connectx6" / "summary.json").read_text())
    # 100 messages of 16 KiB take 140 us of the duration of 300 us. The run looks every millisecond, a quarter of
    # the limit: the look at 1 ms finds the last progress, and the one at 5 ms the limit. RNR NAKs go on until then.
    assert summary["simulated_ms"] == pytest.approx(5, abs=0.01)


def test_rates_beyond_a_link_are_warned_of_by_its_name(tmp_path):
    streams = [{**ONE[0], "queuePairs": 2, "rate": "99Gbps"}]
    status, _, errors = run(1, "check", write(tmp_path, BACK_TO_BACK, streams=streams))
    assert status == 0
    assert "$.workload: warning: the link from server 0 to server 1 carries " in errors
    assert "of payload, streams ask for 99.00 Gb/s" in errors
    assert errors.count("\n") == 1  # Once, though it is the link of both.
    status, _, errors = run(1, "check", write(tmp_path, BACK_TO_BACK, streams=ONE))
    assert (status, errors) == (0, "")


@pytest.mark.parametrize(
    ("nic", "owner"), [("strom100g", "ns3::rdma::TimerArrayTimeout"), ("balboa", "ns3::rdma::RdmaNic")]
)
def test_more_queue_pairs_than_the_nic_has_are_one_clear_error_before_the_run(tmp_path, nic, owner):
    path = write(tmp_path, BACK_TO_BACK, streams=[{**ONE[0], "queuePairs": 501}])
    settings = ["--set", f'nics=[{{"preset": "{nic}", "hardware": "on"}}]']
    status, _, errors = run(1, "check", path, *settings)
    assert (status, errors) == (
        2,
        f"rocelab: {path}: $.workload: expected streams for whose queue pairs the NICs have room,"
        f' got 501 at server 0, where "{nic}" holds at most 500, the limit of {owner}\n',
    )
    assert run(1, "check", path, *settings, "--set", f"workload.streams={json.dumps(ONE)}")[0] == 0


@pytest.mark.parametrize(
    ("pattern", "needed"),
    # 4 + 1, 1 + 4, 126 FPGAs + 24 nodes, 12 + 4, 1,872 on either side (docs/models/host.md).
    [("many-to-one", 5), ("one-to-many", 5), ("lofar", 150), ("aartfaac", 16), ("alma", 3744)],
)
def test_a_pattern_says_how_many_servers_it_needs(tmp_path, pattern, needed):
    path = write(tmp_path, {"topology": "star", "servers": 4, "linkDelay": "1us"})
    document = json.loads(path.read_text())
    document["workload"] = {"type": pattern, "duration": "1ms"}
    path.write_text(json.dumps(document))
    assert run(1, "check", path)[::2] == (
        2,
        f"rocelab: {path}: $.workload: expected a fabric that is large enough: the pattern needs {needed}"
        " servers, the fabric has 4\n",
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"streams": []}, "$.workload.streams: expected a list of at least 1"),
        ({"streams": [{**ONE[0], "receiver": 0}]}, "expected another server than the sender"),
        ({"streams": [{**ONE[0], "receiver": 7}]}, "expected streams between servers, got node 7"),
        ({"streams": [{**ONE[0], "size": 3}]}, "size"),
        ({"linked": 1025}, "$.workload.linked"),
        ({"receiveQueue": 5}, "$.workload.receiveQueue: expected a receive queue that holds a list of 10"),
        ({"sendQueue": 15, "signaledEvery": 8}, "$.workload.signaledEvery: expected a send queue of at least"),
        ({"polling": "lazy"}, "$.workload.polling"),
        ({"polling": "interval"}, "pollInterval"),
        ({"pollInterval": "1us"}, "$.workload.pollInterval: expected no such key"),
        ({"cooldown": "250us"}, "$.workload.cooldown"),
        ({"sampleInterval": "1ms"}, "$.workload.sampleInterval"),
    ],
)
def test_bad_input_is_one_clear_line(tmp_path, change, message):
    fault = find_fault(write(tmp_path, BACK_TO_BACK, **{"streams": ONE, **change}))
    assert message in fault and fault.count("\n") == 1


@pytest.mark.parametrize("polling", [{"polling": "interval", "pollInterval": "5us"}, {"polling": "event-once"}])
def test_the_resolved_scenario_reads_the_same(tmp_path, polling):
    path = write(tmp_path, signaledEvery=4, **polling)
    status, resolved, errors = run(1, "check", path)
    assert status == 0, errors
    again = tmp_path / "again.json"
    again.write_text(resolved)
    assert run(1, "check", again)[1] == resolved


def test_a_sender_that_asks_for_more_than_its_link_carries_goes_on(tmp_path):
    # Completions come while it waits for the next list's time; later its send queue is full.
    path = write(
        tmp_path, BACK_TO_BACK, streams=[{**ONE[0], "rate": "150Gbps"}], sendQueue=100, duration="3ms", warmup="2ms"
    )
    summary = json.loads((run_good(tmp_path, path) / "summary.json").read_text())
    # 4 x (4096 + 82) + 20 bytes on the wire for 16384: 97.9 Gb/s, give or take a list of 10 messages in 0.95 ms.
    assert 96 < summary["streams"]["goodput_gbps"] < 99.5


def test_a_run_shorter_than_a_list_of_each_queue_pair_shows_what_arrives(tmp_path):
    # 40 lists of 100 messages of 16 KiB are 65 MB, 5.4 ms: in a run of 3 ms hardly a thread is
    # notified twice. Counted when they are notified, receivers would show about a quarter.
    path = write(
        tmp_path,
        BACK_TO_BACK,
        streams=[{**ONE[0], "queuePairs": 40}],
        linked=100,
        duration="3ms",
        warmup="1ms",
        cooldown="0ms",
        sampleInterval="250us",
    )
    summary = json.loads((run_good(tmp_path, path) / "summary.json").read_text())["streams"]
    sender, receiver = summary["hosts"]
    assert sender["goodput_gbps"]["mean"] > 90
    assert receiver["goodput_gbps"]["mean"] == pytest.approx(sender["goodput_gbps"]["mean"], rel=0.03)
    for quantile in ("min", "max"):
        goodput = receiver["goodput_gbps"][quantile]
        assert goodput == pytest.approx(sender["goodput_gbps"]["mean"], rel=0.06)
    assert summary["goodput_gbps"] == pytest.approx(receiver["goodput_gbps"]["mean"], rel=0.03)


def test_a_run_that_ends_before_all_senders_have_begun(tmp_path):
    streams = [{**ONE[0], "queuePairs": 600}]
    path = write(tmp_path, BACK_TO_BACK, streams=streams, sendQueue=10, startInterval="10us")
    rows = read(run_good(tmp_path, path), "streams.csv")
    assert len(rows) == 600 and rows[-1]["sent"] == "0" and rows[0]["sent"] != "0"


LOFAR = {"topology": "fat-tree", "servers": 16, "linkDelay": "1us", "buffer": "32MiB", "mtu": 4096}
STATIONS = {
    "name": "ranks",
    "fabric": LOFAR,
    "groups": {"stations": list(range(8)), "nodes": [8, 9, 10, 11]},
    "nics": ["connectx6"],
    "workload": {"type": "lofar", "senders": "stations", "receivers": "nodes", "duration": "2ms"},
}


def run_stations(folder, count=8, **workload):
    """Return Gb/s of stations of 3 Gb/s, and what the run says on stderr."""
    groups = STATIONS["groups"] | {"stations": list(range(count))}
    path = folder / "stations.json"
    path.write_text(json.dumps(STATIONS | {"groups": groups, "workload": STATIONS["workload"] | workload}))
    status, _, errors = run(1, "run", path, "--out", folder)
    assert status == 0, errors
    summary = json.loads((folder / "ranks" / "connectx6" / "summary.json").read_text())
    return summary["streams"]["goodput_gbps"], errors


def test_stations_keep_their_rate_in_a_run_shorter_than_the_time_between_two_lists(tmp_path):
    # 3 Gb/s over 488 subbands: a list of 10 x 16 KiB every 213.21 ms of a queue pair, every 0.4369 ms
    # of a station, so 5 in 2 ms: 8 x 5 x 163840 x 8 bits / 2 ms = 26.21 Gb/s of the 24 asked for.
    gbps, errors = run_stations(tmp_path)
    assert gbps == pytest.approx(26.21, abs=0.01)
    assert "warning" not in errors


def test_a_run_that_cannot_keep_the_rate_says_so(tmp_path):
    # One list of each station in 0.3 ms: 8 x 163840 x 8 bits / 0.3 ms = 34.95 Gb/s, 1.46 x 24.
    gbps, errors = run_stations(tmp_path, duration="300us")
    assert gbps == pytest.approx(34.95, abs=0.01)
    text = "programs post 1.46 times the payload of their rate in the measured 0.3 ms: a queue pair posts a list"
    assert text + " of 10 every 213.2 ms (measure longer, or link fewer requests)" in errors
    # All 488 queue pairs of a station post one list each: 488 x 163840 x 8 bits in 2 ms are 107 x 3 Gb/s.
    _, errors = run_stations(tmp_path, 1, startInterval="1us")
    assert "programs post 107 times the payload" in errors and "or leave out startInterval)" in errors


@pytest.mark.parametrize(("cores", "queue_pairs"), [(1, 2), (16, 17)])
@pytest.mark.parametrize("losses", [0, 0.001])
def test_busy_polling_with_more_threads_than_cores_ends(tmp_path, cores, queue_pairs, losses):
    # Two threads of a core that find nothing would share it for ever, 3 ms at a time.
    streams = [{**ONE[0], "queuePairs": queue_pairs}]
    path = write(tmp_path, BACK_TO_BACK, streams=streams, polling="busy", service="RC")
    scenario = json.loads(path.read_text())
    scenario["fabric"]["lossRate"] = losses
    scenario["nics"][0].setdefault("attributes", {})["ns3::rdma::HostCores::Cores"] = cores
    path.write_text(json.dumps(scenario))
    rows = read(run_good(tmp_path, path), "streams.csv")
    assert len(rows) == queue_pairs
    assert all(row["sent"] == row["received"] and row["lost"] == "0" for row in rows)
    assert sum(int(row["sent"]) for row in rows) > 100


def test_interval_polling_takes_what_comes_long_after_the_load(tmp_path):
    # Resends of a lossy link take many ms; threads that stop looking would lose messages of a reliable connection.
    streams = [{**ONE[0], "queuePairs": 2}]
    workload = {"streams": streams, "polling": "interval", "pollInterval": "5us", "service": "RC"}
    path = write(tmp_path, {**BACK_TO_BACK, "lossRate": 0.005, "mtu": 1024}, **workload)
    folder = run_good(tmp_path, path)
    rows = read(folder, "streams.csv")
    assert sum(int(row["sent"]) for row in rows) > 100
    assert [row["received"] for row in rows] == [row["sent"] for row in rows]
    assert sum(int(row["retransmitted"]) for row in rows) > 100


def test_a_deadline_without_a_rate_is_refused(tmp_path):
    path = write(tmp_path, BACK_TO_BACK, streams=ONE, deadline="10us")
    status, _, errors = run(1, "run", path, "--out", tmp_path)
    assert status == 2
    assert errors.endswith("$.workload.deadline: expected streams with a rate, by which messages are due\n")


def run_balboa(folder, service, kernels=None, **workload):
    """Return the summary's streams and stderr of one stream between two of BALBOA's NICs."""
    path = write(folder, BACK_TO_BACK, streams=ONE, service=service, **workload)
    scenario = json.loads(path.read_text())
    scenario["nics"] = [{"preset": "balboa", "hardware": "on"}]
    scenario["attributes"] = {"ns3::rdma::AckClockedCredits::Budget": 262144}
    scenario["groups"] = {"senders": [0]}
    scenario["kernels"] = kernels or {}
    path.write_text(json.dumps(scenario))
    status, _, errors = run(1, "run", path, "--out", folder)
    assert status == 0, errors
    return json.loads((folder / "ranks" / "balboa" / "summary.json").read_text())["streams"], errors


def test_reliable_streams_pass_the_services_of_their_nics(tmp_path):
    # Two cycles of 4 ns per word of 64 bytes are 64 Gb/s; without the service it is more. One message in 1 ms is 0.13 Gb/s.
    slow = {"type": "ns3::rdma::PassThroughService", "slots": ["transmit"]}
    slow["attributes"] = {"ns3::rdma::PassThroughService::Interval": 2, "ns3::rdma::PassThroughService::Parallel": False}
    served, errors = run_balboa(tmp_path, "RC", {"senders": [slow]}, duration="1ms")
    assert "warning" not in errors
    assert 58 < served["goodput_gbps"] < 64.2 and served["lost"] == 0
    unserved, _ = run_balboa(tmp_path, "RC", duration="1ms")
    assert unserved["goodput_gbps"] > 80


def test_a_receiver_that_copies_takes_as_many_messages_as_its_core_copies(tmp_path):
    # 20 us and 16 KiB at 56 Gb/s, 2.34 us: 22.34 us per message and a little to take it: 5.87 Gb/s.
    workload = {"streams": ONE, "service": "RC", "duration": "20ms", "warmup": "10ms", "cooldown": "0us"}
    workload |= {"receiveQueue": 100, "sampleInterval": "1ms"}
    copy = {"time": "20us", "rate": "56Gbps"}
    folder = run_good(tmp_path, write(tmp_path, BACK_TO_BACK, **workload, copy=copy))
    summary = json.loads((folder / "summary.json").read_text())["streams"]
    assert 5.0 < summary["goodput_gbps"] < 6.0
    (host,) = [one for one in summary["hosts"] if one["role"] == "receiver"]
    # A poll takes 100 messages and is counted when it ends: four polls of 100 x 22.34 us end in 10 ms.
    assert host["use_percent_by_task"]["copy"] == pytest.approx(89.36, abs=0.01)
    resolved = json.loads((folder / "scenario.json").read_text())
    assert resolved["workload"]["copy"] == {"time": "20us", "rate": "56Gbps"}


@pytest.mark.parametrize(
    "changes, message",
    [
        ({"copy": {}}, '$.workload.copy: expected "time", "rate" or both'),
        ({"copy": {"speed": 1}}, "$.workload.copy.speed"),
        ({"copy": {"time": "1us"}, "memory": "gpu"}, 'no such key if memory is "gpu"'),
    ],
)
def test_a_copy_that_is_none_is_one_line(tmp_path, changes, message):
    assert message in find_fault(write(tmp_path, BACK_TO_BACK, streams=ONE, **changes))


def test_unreliable_streams_say_that_they_pass_no_service(tmp_path):
    path = write(tmp_path, BACK_TO_BACK, streams=ONE)
    scenario = json.loads(path.read_text())
    scenario["nics"] = [{"preset": "balboa", "hardware": "on"}]
    scenario["groups"] = {"senders": [0]}
    scenario["kernels"] = {"senders": [{"type": "ns3::rdma::PassThroughService", "slots": ["transmit"]}]}
    path.write_text(json.dumps(scenario))
    _, _, errors = run(1, "run", path, "--out", tmp_path)
    assert "warning: streams do not pass ns3::rdma::PassThroughService in the slots of senders: only flows and streams of service RC do" in errors


def measure_shared_queue(folder, message_bytes, attributes):
    """Return Gb/s of four queue pairs that share a receive queue, and the run's summary."""
    folder.mkdir()
    path = write(
        folder,
        fabric=BACK_TO_BACK,
        streams=[{"sender": 0, "receiver": 1, "queuePairs": 4, "messageBytes": message_bytes}],
        sharedReceiveQueue=True,
        receiveQueue=20000,
        duration="2ms",
        warmup="500us",
        linked=20,
    )
    scenario = json.loads(path.read_text())
    path.write_text(json.dumps({**scenario, "attributes": attributes, "run": {"drain": False}}))
    summary = json.loads((run_good(folder, path) / "summary.json").read_text())
    return summary["streams"]["goodput_gbps"], summary


def test_a_shared_queue_that_is_a_list_bounds_the_rate_of_messages(tmp_path):
    # One request per read of 600 ns and a few ns on the link: 4 KiB in 0.604 us are 54.3 Gb/s, 8
    # KiB would be 108. The link, paused before the receive buffer is full, carries 97.6 and 98.
    pauses = {
        "ns3::rdma::ReceiveBuffer::PauseAt": 262144,
        "ns3::rdma::ReceiveBuffer::ResumeAt": 131072,
    }
    small, summary = measure_shared_queue(tmp_path / "small", "4KiB", pauses)
    assert 53 < small < 54.5
    assert summary["pfc_pauses"] > 0
    assert not any(summary["drops"].values())
    assert measure_shared_queue(tmp_path / "large", "8KiB", pauses)[0] > 95
    ring = pauses | {"ns3::rdma::ReceiveWqeCache::SharedIsList": False}
    assert measure_shared_queue(tmp_path / "ring", "4KiB", ring)[0] > 95


def test_messages_that_wait_for_requests_fill_the_receive_buffer(tmp_path):
    summary = measure_shared_queue(tmp_path / "lossy", "4KiB", {})[1]
    assert {reason for reason, count in summary["drops"].items() if count} == {"receive-buffer-full"}
