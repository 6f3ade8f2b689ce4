# SPDX-License-Identifier: GPL-2.0-only
"""Scenarios run in process: the program's bytes, its messages as exceptions, arrays, Ctrl-C."""

import ast
import json
import os
import signal
import subprocess
import sys
import typing

import numpy
import pandas
import pytest
from binding import BUILD, ROOT, make_incast, needs_module, read_program_flows, run_program
from program import TIME_LIMIT, get_memory, read_json, wait_for

import rocelab

pytestmark = needs_module

COMPARE = ROOT / "examples" / "start" / "compare" / "as-designed.json"
SHORT = {"workload.duration": "100us"}


def test_runs_after_each_other_have_the_bytes_of_processes_of_their_own(tmp_path):
    incast = make_incast("connectx6", run={"seed": 3})
    file = tmp_path / "incast.json"
    file.write_text(json.dumps(incast))
    wanted_compare = read_program_flows(
        COMPARE, tmp_path / "a", "srnic", "--set", "workload.duration=100us"
    )
    wanted_incast = read_program_flows(file, tmp_path / "b", "connectx6")

    def run(scenario, **arguments):
        result = rocelab.run(scenario, **arguments).only  # Its folder is there as long as it is.
        return (result.folder / "flows.csv").read_bytes()

    first = run(COMPARE, nics="srnic", sets=SHORT)
    second = run(incast)
    third = run(COMPARE, nics="srnic", sets=SHORT)
    assert len(wanted_compare) > 1000
    assert first == wanted_compare
    assert second == wanted_incast
    assert third == wanted_compare


def test_all_nics_with_hardware_and_series_leave_the_files_of_the_program(tmp_path):
    scenario = make_incast(
        "irn", {"preset": "srnic", "name": "timed", "hardware": "on"}, series={"interval": "5us"}
    )
    file = tmp_path / "incast.json"
    file.write_text(json.dumps(scenario))
    assert run_program("run", file, "--out", tmp_path / "program", "--quiet") == (0, "")
    results = rocelab.run(file, out=tmp_path / "python")
    assert list(results) == ["irn", "timed"]
    for nic in results:
        folder = tmp_path / "program" / "incast" / nic
        names = sorted(str(path.relative_to(folder)) for path in folder.rglob("*.*"))
        assert "series/queue.csv" in names and ("hosts.csv" in names) == (nic == "timed")
        for name in names:
            if name != "summary.json":  # Has times of the wall clock.
                wanted = (folder / name).read_bytes()
                assert (tmp_path / "python" / "incast" / nic / name).read_bytes() == wanted, name


def test_results_are_frames():
    scenario = make_incast({"preset": "srnic", "hardware": "on"}, series={"interval": "5us"})
    result = rocelab.run(scenario).only
    assert result.status == "done" and result.messages == []
    assert result.flows["bytes"].tolist() == [200_000] * 3
    assert result.flows["src"].dtype == numpy.int64
    assert len(result.completed) == 3
    # 600 kB over the receiver's link of 100 Gb/s take 48 us without headers.
    assert result.completed["fct_ns"].max() > 48_000
    hosts = result.table("hosts")
    assert hosts["server"].tolist() == [0, 1, 2, 3]
    assert hosts["wqes_fetched"].sum() > 0
    queue = result.table("queue")
    assert queue["max_bytes"].max() > 100_000  # Three into one.
    assert result.summary["flows"]["completed"] == 3
    assert result.scenario["name"] == "incast"
    with pytest.raises(AttributeError, match=r"'frame': expected table\(NAME\)$"):
        result.frame("hosts")
    with pytest.raises(rocelab.InputError, match="table: expected nearest: queue, got 'queues'"):
        result.table("queues")


def test_a_temporary_folder_goes_with_its_last_result():
    results = rocelab.run(make_incast("irn"))
    result = results.only
    folder = result.folder
    assert folder.exists()
    del results
    assert len(result.flows) == 3
    del result
    assert not folder.exists()


def test_a_fabric_and_designs_make_the_scenario_that_a_file_would():
    fabric = rocelab.Fabric("star", servers=4, linkDelay="1us", lossRate=numpy.float64(0.001))
    fabric.set("ns3::rdma::FabricSwitch::QueueReserve", 8192)
    slow = rocelab.NicDesign("connectx6", name="slow").set("ns3::rdma::FixedTimeout::Timeout", "1ms")
    scenario = rocelab.Scenario(
        "made",
        fabric,
        [slow, "irn"],
        {"type": "flows", "flows": [{"src": 0, "dst": 1, "bytes": numpy.int64(5000)}]},
        run={"seed": 7},
    )
    resolved = rocelab.check(scenario)
    assert resolved["fabric"]["lossRate"] == 0.001
    assert resolved["nics"][0]["attributes"]["ns3::rdma::FixedTimeout::Timeout"] == "1ms"
    assert [nic["name"] for nic in resolved["nics"]] == ["slow", "irn"]
    assert resolved["run"]["seed"] == 7
    assert rocelab.check(scenario, seed=9)["run"]["seed"] == 9
    loaded = rocelab.Scenario.load(COMPARE)  # Its paths go on being beside the file.
    loaded["workload"]["load"] = 0.5
    assert rocelab.check(loaded, nics=["irn"])["workload"]["load"] == 0.5
    assert loaded.copy() == loaded and loaded.copy().base == loaded.base


BAD = {
    "file": ("nothing.json", {}),
    "key": (make_incast("irn", speed=1), {}),
    "preset": (make_incast("irnn"), {}),
    "set": (make_incast("irn"), {"sets": ["workload.load"]}),
    "nic": (make_incast("irn"), {"nics": ["srnik"]}),
    "plugin": (make_incast("irn"), {"plugins": ["nothing.so"]}),
}


@pytest.mark.parametrize("what", BAD)
def test_bad_input_is_the_line_of_the_program(what, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    scenario, arguments = BAD[what]
    with pytest.raises(rocelab.InputError) as caught:
        rocelab.run(scenario, out=tmp_path / "out", **arguments)
    assert isinstance(caught.value, ValueError)
    file = scenario
    if isinstance(scenario, dict):
        file = "scenario"  # As messages call what is no file.
        (tmp_path / file).write_text(json.dumps(scenario))
    options = [f"--{key[:-1]}={value}" for key, values in arguments.items() for value in values]
    status, text = run_program("run", file, "--out", tmp_path / "program", *options)
    assert (status, text) == (2, f"rocelab: {caught.value}\n")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "scenario, line",
    [
        (5, "scenario: expected a file, a dict or a Scenario, got int"),
        ({"name": {1, 2}}, "scenario: expected values that JSON has, got set {1, 2}"),
        ({"name": float("nan")}, "scenario: expected values that JSON has, got: Out of range"),
    ],
)
def test_what_no_file_could_hold_is_one_line(scenario, line):
    with pytest.raises(rocelab.InputError, match="^" + line.replace("{", r"\{")):
        rocelab.check(scenario)


@pytest.mark.parametrize("seed", [-1, 1 << 64, "1", 0.5, True])
def test_a_seed_that_is_none_is_refused(seed):
    with pytest.raises(rocelab.InputError, match="seed: expected a whole number from 0 to 2"):
        rocelab.check(make_incast("irn"), seed=seed)


def test_designs_and_fabrics_name_the_nearest_at_once():
    with pytest.raises(rocelab.InputError, match="srnic"):
        rocelab.NicDesign("srnik")
    with pytest.raises(rocelab.InputError, match="ns3::rdma::Dcqcn::Gain: expected .*got \"-1\""):
        rocelab.NicDesign("connectx6").set("ns3::rdma::Dcqcn::Gain", -1)
    with pytest.raises(rocelab.InputError, match="Dcqcn"):
        rocelab.NicDesign("connectx6").set("ns3::rdma::Dcqcm::Gain", 0.1)


def test_a_failed_run_is_one_line_and_the_next_run_is_sound(tmp_path):
    plugin = BUILD / "test" / "nonsense.so"
    if not plugin.is_file():
        pytest.skip("test/nonsense.so is not built")
    nonsense = {
        "preset": "balboa",
        "name": "nonsense",
        "congestionControl": "ns3::rdma::NonsenseControl",
        "attributes": {"ns3::rdma::NonsenseControl::Fault": "rate 0"},
    }
    before = rocelab.run(make_incast("irn")).only.flows
    line = (
        "nonsense: ns3::rdma::NonsenseControl: GetLimit\\(\\): expected a rate above zero, got 0 bit/s"
    )
    with pytest.raises(rocelab.RunError, match=f"^{line}$") as caught:
        rocelab.run(make_incast(nonsense), plugins=[plugin], out=tmp_path / "out")
    assert isinstance(caught.value, RuntimeError)
    assert not (tmp_path / "out").exists()
    assert rocelab.run(make_incast("irn")).only.flows.equals(before)


def test_flows_that_stall_are_a_warning_with_results():
    scenario = make_incast("irn", run={"stallLimit": "1ms"})
    scenario["linkEvents"] = [{"at": "10us", "link": [0, 4], "state": "down"}]
    with pytest.warns(rocelab.RunWarning, match="^irn: flow "):
        result = rocelab.run(scenario).only
    assert result.status == "stalled"
    assert len(result.flows) == 3 and len(result.completed) < 3


def test_progress_is_reported_and_its_exception_ends_the_run():
    calls = []

    def stop(nic, done, total, simulated, hops):
        calls.append((nic, done, total, simulated, hops))
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        rocelab.run(COMPARE, nics=["irn"], progress=stop)
    assert calls[0][0] == "irn" and calls[0][3] > 0 and calls[0][4] > 0
    assert len(rocelab.run(make_incast("irn")).only.completed) == 3


def test_a_second_run_at_the_same_time_is_refused():
    def again(*_):
        rocelab.run(make_incast("irn"))

    with pytest.raises(rocelab.RunError, match="expected one run at a time in a process"):
        rocelab.run(COMPARE, nics=["irn"], progress=again)


INTERRUPTED = """
import sys
sys.path.insert(0, {utils!r})
import rocelab
incast = {incast!r}
before = rocelab.run(incast).only.flows
print("ready", flush=True)
try:
    rocelab.run({scenario!r}, nics=["irn"], sets={{"workload.duration": "1s"}}, out={out!r})
except KeyboardInterrupt:
    print("interrupted", flush=True)
print(rocelab.run(incast).only.flows.equals(before), flush=True)
"""


def test_ctrl_c_raises_keyboard_interrupt_and_leaves_a_process_that_can_run(tmp_path):
    program = INTERRUPTED.format(
        utils=str(ROOT / "utils"),
        incast=make_incast("irn"),
        scenario=str(COMPARE),
        out=str(tmp_path),
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, encoding="utf-8"
    ) as process:
        assert process.stdout.readline() == "ready\n"
        # Into the run, which would take minutes.
        wait_for(lambda: any(b"completed" in path.read_bytes() for path in tmp_path.glob("*/.irn.*.part/flows.csv")), process)
        process.send_signal(signal.SIGINT)
        assert process.stdout.read() == "interrupted\nTrue\n"
    assert process.returncode == 0
    assert read_json(tmp_path / "as-designed" / "irn" / "summary.json")["partial"] is True


FILLING = """
import sys
sys.path.insert(0, {utils!r})
import rocelab
print("ready", flush=True)
try:
    rocelab.run({scenario!r}, out={out!r})
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


def test_ctrl_c_is_obeyed_while_stores_are_being_filled(tmp_path):
    scenario = {
        "name": "n",
        "fabric": {"topology": "star", "servers": 2},
        "groups": {"stores": [0], "clients": [1]},
        "nics": ["kv-direct"],
        "kernels": {"stores": ["ns3::rdma::KvDirectKernel"]},
        "workload": {
            "type": "kv",
            "clients": "clients",
            "servers": "stores",
            "get": 0.5,
            "keyBytes": 8,
            "valueBytes": 54,
            "memory": "8GiB",  # Filling it takes minutes.
            "duration": "1us",
        },
    }
    (tmp_path / "n.json").write_text(json.dumps(scenario))
    program = FILLING.format(
        utils=str(ROOT / "utils"), scenario=str(tmp_path / "n.json"), out=str(tmp_path / "out")
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, encoding="utf-8"
    ) as process:
        assert process.stdout.readline() == "ready\n"
        before = get_memory(process.pid)
        wait_for(lambda: get_memory(process.pid) > before + 300_000_000)  # Of 8 GiB.
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "interrupted\n"
    assert process.returncode == 0
    assert not list(tmp_path.glob("out/n/*/summary.json"))


def test_stubs_name_what_is_there_and_hints_resolve():
    def names(stub):
        tree = ast.parse((ROOT / "utils" / "rocelab" / stub).read_text())
        found = {alias.asname for node in tree.body if hasattr(node, "names") for alias in node.names}
        return {name for name in found if name} | {
            node.target.id if isinstance(node, ast.AnnAssign) else node.name
            for node in tree.body
            if isinstance(node, (ast.AnnAssign, ast.FunctionDef, ast.ClassDef))
        }

    assert names("__init__.pyi") == set(rocelab.__all__)
    from rocelab import _core

    assert names("_core.pyi") == {name for name in vars(_core) if not name.startswith("__")}
    for name in rocelab.__all__:
        one = getattr(rocelab, name)
        assert one.__doc__, name
        if callable(one) and not isinstance(one, type):
            assert typing.get_type_hints(one, localns={"pandas": pandas, "Scenario": rocelab.Scenario})["return"]


BAD_TEXTS = [
    (lambda: rocelab.NicDesign(5), "preset: expected text, got 5"),
    (lambda: rocelab.NicDesign("irn", name=5), "name: expected text, got 5"),
    (lambda: rocelab.NicDesign("irn\ud800"), "preset: expected Unicode text, got 'irn\\ud800'"),
    (lambda: rocelab.NicDesign("irn", attributes=5), "attributes: expected a dict, got 5"),
    (lambda: rocelab.NicDesign("irn").set("a\0b", 1), "attribute: expected text without NUL, got 'a\\x00b'"),
    (lambda: rocelab.NicDesign("irn").set(5, 1), "attribute: expected text, got 5"),
    (lambda: rocelab.NicDesign("irn").set("x", 10**5000), "x: expected text, a number or a class, got an object of int"),
    (lambda: rocelab.check("a\ud800.json"), "scenario: expected Unicode text, got 'a\\ud800.json'"),
    (lambda: rocelab.Scenario.load("a\0.json"), "scenario: expected text without NUL, got 'a\\x00.json'"),
    (lambda: rocelab.check(make_incast("irn"), seed=10**5000), "seed: expected a whole number from 0 to 2^64 - 1, got an object of int"),
    (lambda: rocelab.check(make_incast("irn"), nics=["\udcff"]), "nics: expected Unicode text, got '\\udcff'"),
    (lambda: rocelab.check(make_incast("irn"), nics=5), "nics: expected text or a list of texts, got 5"),
    (lambda: rocelab.check(make_incast("irn"), sets={5: 1}), "sets: expected text, got 5"),
    (lambda: rocelab.check(make_incast("irn", x=10**5000)), "scenario: expected values that JSON has"),
    (lambda: rocelab.run(make_incast("irn"), out=5), "out: expected text, got 5"),
    (lambda: type("A", (rocelab.LoadBalancer,), {}, name="A\ud800"), "name: expected Unicode text, got 'A\\ud800'"),
]


@pytest.mark.parametrize("call, expected", BAD_TEXTS)
def test_what_the_module_cannot_take_is_one_line(call, expected):
    with pytest.raises(rocelab.InputError) as error:
        call()
    assert expected in str(error.value) and "\n" not in str(error.value)


AT_EXIT = """
import sys, threading, time
sys.path.insert(0, {utils!r})
import rocelab
begun = threading.Event()
def run():
    rocelab.run({scenario!r}, nics=["irn"], sets={{"workload.duration": "1s"}}, progress=lambda *_: begun.set())
threading.Thread(target=run, daemon=True).start()
begun.wait()
print("begun", flush=True)
"""


@pytest.mark.parametrize("attempt", [0, *(pytest.param(more, marks=pytest.mark.slow) for more in (1, 2))])
def test_the_interpreter_ends_while_a_thread_runs_a_scenario(attempt, tmp_path):
    program = AT_EXIT.format(utils=str(ROOT / "utils"), scenario=str(COMPARE))
    result = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "TMPDIR": str(tmp_path)},
        capture_output=True,
        encoding="utf-8",
        timeout=TIME_LIMIT,
        check=False,
    )
    assert (result.returncode, result.stdout, result.stderr) == (0, "begun\n", "")
    assert list(tmp_path.iterdir()) == []  # The results of the run have gone with it.


def test_a_forked_child_leaves_the_results_of_its_parent(tmp_path):
    results = rocelab.run(make_incast("irn"))
    folder = results.only.folder
    number = os.fork()
    if number == 0:
        # As at the exit of an interpreter, without the end of the test runner.
        import weakref

        weakref.finalize._exitfunc()
        os._exit(0)
    assert os.waitpid(number, 0)[1] == 0
    assert (folder / "flows.csv").is_file()
    del results
