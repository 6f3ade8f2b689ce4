# SPDX-License-Identifier: GPL-2.0-only
"""Congestion controls and load balancers written in Python: twins of C++ classes, and nonsense."""

import json
import subprocess
import sys
import warnings

import pytest
from binding import BUILD, ROOT, make_incast, needs_module

import rocelab
from rocelab import PathInfo, SendLimit

pytestmark = needs_module

EXAMPLE = ROOT / "examples" / "start" / "own-congestion-control"


@pytest.fixture(scope="session")
def rtt_aimd():
    """The example's module."""
    sys.path.insert(0, str(EXAMPLE))
    try:
        import rtt_aimd
    finally:
        sys.path.remove(str(EXAMPLE))
    return rtt_aimd


def read_flows(results):
    return (results.only.folder / "flows.csv").read_bytes()


def test_a_python_class_decides_as_its_twin_in_cplusplus(rtt_aimd):
    plugin = BUILD / "test" / "rtt-aimd.so"
    if not plugin.is_file():
        pytest.skip("test/rtt-aimd.so is not built")
    scenario = rocelab.Scenario.load(EXAMPLE / "own-congestion-control.json")
    scenario["workload"]["duration"] = "200us"
    scenario["nics"] = [{"preset": "srnic", "name": "twin", "congestionControl": None}]

    def run(name, **arguments):
        nic = scenario["nics"][0]
        nic["congestionControl"] = name
        nic["attributes"] = {f"{name}::TargetQueueing": "5us", f"{name}::Step": "2048"}
        return rocelab.run(scenario, series=True, **arguments)

    python = run(rtt_aimd.RttAimd.typeName)
    cplusplus = run("ns3::rdma::RttAimd", plugins=[plugin])
    assert scenario["fabric"]["servers"] == 64 and len(python.only.flows) > 100
    assert read_flows(python) == read_flows(cplusplus)
    # Every window at every 10 us.
    rates = [(one.only.folder / "series" / "rate.csv").read_bytes() for one in (python, cplusplus)]
    assert rates[0] == rates[1] and len(rates[0].splitlines()) > 1000
    plain = rocelab.run(scenario, nics=["srnic"])
    assert read_flows(plain) != read_flows(python)


def test_a_policy_is_data_in_data_out_and_needs_no_run(rtt_aimd):
    control = rtt_aimd.RttAimd()
    assert control.TargetQueueing == 20_000_000 and control.Beta == 0.8  # Picoseconds.
    control.Start(PathInfo(100_000_000_000, 8_000_000, 1000), 0)  # 100,000 B in flight.
    control.OnAck(rocelab.AckEvent(56_000_000, 56_000_000, 1000, 0))
    # The round trip is 28 us longer than the target of 28 us: 1 - 0.8 x 28 / 56.
    assert control.GetLimit() == SendLimit(100_000_000_000, pytest.approx(60_000))


def make_fat_tree(balancer, **attributes):
    """Return four flows of 40 kB across a fat-tree of 64 servers."""
    flows = [{"src": i, "dst": i + 32, "bytes": "40kB", "start": "0us"} for i in range(4)]
    fabric = {"topology": "fat-tree", "servers": 64, "loadBalancer": balancer}
    return {
        "name": "balanced",
        "fabric": {**fabric, "attributes": attributes},
        "nics": ["irn"],
        "workload": {"type": "flows", "flows": flows},
    }


class PyEcmp(rocelab.LoadBalancer):
    """The hash of EcmpBalancer."""

    def Start(self, seed):
        self.seed = (seed ^ (seed >> 32)) & 0xFFFFFFFF

    def ChooseForFlow(self, entropy, count):
        hash = entropy ^ self.seed
        hash = ((hash ^ (hash >> 16)) * 0x85EBCA6B) & 0xFFFFFFFF
        hash = ((hash ^ (hash >> 13)) * 0xC2B2AE35) & 0xFFFFFFFF
        hash ^= hash >> 16
        return (hash * count) >> 32

    def Choose(self, frame, queueBytes, nowPs):
        assert nowPs >= 0 and frame.wireBytes > 0 and frame.src != frame.dst
        return self.ChooseForFlow(frame.entropy, len(queueBytes))


class PyPort(rocelab.LoadBalancer):
    """Always one port, or the shortest queue."""

    Port = rocelab.Attribute(-1, "Which; -1: that of the shortest queue", minimum=-1, maximum=3)

    def Choose(self, frame, queueBytes, nowPs):
        return queueBytes.index(min(queueBytes)) if self.Port < 0 else self.Port


def test_a_load_balancer_chooses_as_its_twin_in_cplusplus():
    python = rocelab.run(make_fat_tree(PyEcmp))
    cplusplus = rocelab.run(make_fat_tree("ns3::rdma::EcmpBalancer"))
    assert read_flows(python) == read_flows(cplusplus)


def test_a_load_balancer_sees_queues_and_has_attributes_of_the_fabric():
    one = rocelab.run(make_fat_tree(PyPort, **{"python::PyPort::Port": "2"})).only
    shortest = rocelab.run(make_fat_tree(PyPort)).only
    # Four flows of 100 Gb/s each fit into one port of 400 Gb/s, though not without waiting.
    assert shortest.completed["fct_ns"].mean() < one.completed["fct_ns"].mean()
    with pytest.raises(rocelab.InputError, match="python::PyPort::Port: expected .*, got \"?7"):
        rocelab.run(make_fat_tree(PyPort, **{"python::PyPort::Port": "7"}))


class Nonsense(rocelab.CongestionControl):
    """What is wrong is the attribute Fault; without one it sends at the line's rate."""

    Fault = rocelab.Attribute("", "What is wrong")

    LIMITS = {
        "rate negative": SendLimit(rateBps=-5.0),
        "rate 0": SendLimit(rateBps=0),
        "rate NaN": SendLimit(rateBps=float("nan")),
        "rate text": SendLimit(rateBps="100Gbps"),
        "rate -infinity": SendLimit(rateBps=float("-inf")),
        "window 0": SendLimit(windowBytes=0),
        "window negative": SendLimit(windowBytes=-(10**30)),
        "window NaN": SendLimit(windowBytes=float("nan")),
        "deadline past": SendLimit(deadlinePs=0),
        "deadline negative": SendLimit(deadlinePs=-1),
        "no limit": None,
        "a tuple": (1, 2, 3),
        "a short limit": tuple.__new__(SendLimit, (1,)),
        "windows without end": SendLimit(float("inf"), 10**30, 10**30),
    }

    def _check(self, call):
        if self.Fault == f"raise in {call}":
            raise ArithmeticError(f"nonsense\nin {call}")
        if self.Fault == f"exit in {call}":
            sys.exit(7)

    def GetNeededFeedback(self):
        self._check("GetNeededFeedback")
        faults = {"feedback 42": 42, "feedback text": "CNP", "feedback -1": -1}
        return faults.get(self.Fault, rocelab.Feedback.CNP)

    def __deepcopy__(self, memo):
        self._check("copy.deepcopy")
        if self.Fault == "copy itself":
            return self
        if self.Fault == "copy something else":
            return 5
        copy = Nonsense.__new__(Nonsense)
        copy.__dict__.update(self.__dict__)
        return copy

    def Start(self, path, nowPs):
        self._check("Start")
        self.acks = 0

    def OnAck(self, ack):
        self._check("OnAck")
        self.acks += 1

    def OnCnp(self, nowPs):
        self._check("OnCnp")

    def OnSent(self, wireBytes, nowPs):
        self._check("OnSent")
        return 5 if self.Fault == "sent 5" else True

    def OnLoss(self, loss):
        self._check("OnLoss")

    def OnTimeout(self, loss):
        self._check("OnTimeout")

    def GetLimit(self):
        self._check("GetLimit")
        if self.Fault == "window 0 later":
            return SendLimit(windowBytes=0 if self.acks > 3 else None)
        return self.LIMITS.get(self.Fault, SendLimit())


RATE = "GetLimit(): expected a rate above zero, got "
WINDOW = "GetLimit(): expected a window of at least 1 byte, got "
RAISED = ": expected it to return, got ArithmeticError: nonsense in {} (test_python_policies.py:"
FAULTS = {
    "rate negative": RATE + "-5.0",
    "rate 0": RATE + "0",
    "rate NaN": RATE + "nan",
    "rate text": RATE + "'100Gbps'",
    "rate -infinity": RATE + "-inf",
    "window 0": WINDOW + "0",
    "window 0 later": WINDOW + "0",
    "window negative": WINDOW + "-1000000000",
    "window NaN": WINDOW + "nan",
    "deadline past": "GetLimit(): expected a deadline after now, got 0 ps at ",
    "deadline negative": "GetLimit(): expected a deadline after now, got -1",
    "no limit": "GetLimit(): expected a SendLimit, got None",
    "a tuple": "GetLimit(): expected a SendLimit, got (1, 2, 3)",
    "a short limit": "GetLimit(): expected a SendLimit, got ",
    "feedback 42": "GetNeededFeedback(): expected NONE, CNP, ECN_ECHO or INT, got 42",
    "feedback text": "GetNeededFeedback(): expected NONE, CNP, ECN_ECHO or INT, got 'CNP'",
    "feedback -1": "GetNeededFeedback(): expected NONE, CNP, ECN_ECHO or INT, got -1",
    "sent 5": "OnSent(): expected True or False, got 5",
    "copy itself": "copy.deepcopy(): expected a new object, got ",
    "copy something else": "copy.deepcopy(): expected an object of the class, got 5",
    **{
        f"raise in {call}": f"{call}()" + RAISED.format(call)
        for call in (
            *("GetNeededFeedback", "copy.deepcopy", "Start", "OnAck", "OnCnp", "OnSent", "OnLoss"),
            *("OnTimeout", "GetLimit"),
        )
    },
}


def make_nonsense(fault):
    nic = {"preset": "balboa", "name": "n", "congestionControl": Nonsense}
    nic["attributes"] = {"python::Nonsense::Fault": fault}
    scenario = make_incast(nic)
    ecn = {"100Gbps": {"kmin": "1kB", "kmax": "2kB", "pmax": 1}}
    scenario["fabric"] = {**scenario["fabric"], "lossRate": 0.02, "ecn": ecn}
    return scenario


@pytest.mark.parametrize("fault", FAULTS)
def test_nonsense_is_one_line_that_names_class_call_and_value(fault, tmp_path):
    with pytest.raises(rocelab.RunError) as caught:
        rocelab.run(make_nonsense(fault), out=tmp_path)
    text = str(caught.value)
    line = "python::Nonsense: " + FAULTS[fault]
    # What is asked before any NIC is built has no name of a NIC before it.
    assert text.startswith("n: " + line) or text.startswith(line), text
    assert "\n" not in text
    assert isinstance(caught.value.__cause__, ArithmeticError) == fault.startswith("raise")
    assert not list(tmp_path.glob("**/*.csv"))


@pytest.mark.parametrize("fault", ["", "windows without end"])
def test_the_same_class_without_a_fault_is_let_through(fault):
    for _ in range(2):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert len(rocelab.run(make_nonsense(fault)).only.completed) == 3


def test_sys_exit_in_a_policy_ends_the_program_as_it_would_elsewhere():
    with pytest.raises(SystemExit, match="7"):
        rocelab.run(make_nonsense("exit in OnAck"))
    assert len(rocelab.run(make_incast("irn")).only.completed) == 3


class PyNonsenseBalancer(rocelab.LoadBalancer):
    """Answers what its attribute says."""

    Answer = rocelab.Attribute("0", "As Python")

    def Choose(self, frame, queueBytes, nowPs):
        return eval(self.Answer)


@pytest.mark.parametrize(
    "answer, got", [("4", "4"), ("-1", "-1"), ("None", "None"), ("0.5", "0.5"), ("2**70", "11805916")]
)
def test_a_choice_that_is_none_of_the_ports_is_one_line(answer, got):
    attributes = {"python::PyNonsenseBalancer::Answer": answer}
    line = r"^irn: python::PyNonsenseBalancer: Choose\(\): expected a number below 4, got " + got
    with pytest.raises(rocelab.RunError, match=line):
        rocelab.run(make_fat_tree(PyNonsenseBalancer, **attributes))


def test_an_exception_of_the_constructor_is_one_line():
    class PyUnmade(rocelab.CongestionControl):
        def __init__(self, more):
            self.more = more

    nic = {"preset": "srnic", "congestionControl": PyUnmade}
    with pytest.raises(rocelab.RunError, match=r"^python::PyUnmade: __init__\(\): expected it to return, "):
        rocelab.check(make_incast(nic))


def test_a_method_that_is_missing_is_named():
    class PyEmpty(rocelab.CongestionControl):
        pass

    nic = {"preset": "srnic", "congestionControl": PyEmpty}
    with pytest.raises(rocelab.RunError, match=r"Start\(\) is missing"):
        rocelab.run(make_incast(nic))


def test_a_class_defined_again_takes_the_place_of_the_first():
    def define(window, step=1):
        class PyAgain(rocelab.CongestionControl):
            Step = rocelab.Attribute(step, "Unused")

            def Start(self, path, nowPs):
                pass

            def GetLimit(self):
                return SendLimit(windowBytes=window)

        return {"preset": "srnic", "name": "again", "congestionControl": PyAgain}

    def get_mean(nic):
        return rocelab.run(make_incast(nic)).only.completed["fct_ns"].mean()

    narrow = get_mean(define(1000))
    assert get_mean(define(100_000)) < narrow / 2
    with pytest.raises(rocelab.InputError, match="^python::PyAgain: expected the base and the attrib"):
        define(1000, step=2)


@pytest.mark.parametrize(
    "arguments, line",
    [
        ((None,), "expected a bool, int, float or str as default, got None"),
        (("20",), None),
        (("20", "", None, None, "time"), 'expected a value of kind time within its bounds, got "20"'),
        (("100GBps", "", None, None, "rate"), 'expected a value of kind rate .* got "100GBps"'),
        ((0.5, "", 1), 'expected a value of kind double within its bounds, got "0.5"'),
        ((5, "", "1us"), "expected a number as bound, got '1us'"),
        ((5, "", 0.5), "expected a whole bound, got 0.5"),
        ((5, "", 1, 2, "length"), 'expected the unit "time" or "rate", got \'length\''),
        ((20, "", None, None, "time"), "expected text with a unit of time as default, got 20"),
    ],
)
def test_an_attribute_that_is_unsound_is_refused_when_the_class_is_defined(arguments, line):
    def define():
        class PyUnsound(rocelab.CongestionControl):
            Value = rocelab.Attribute(*arguments)

    if line is None:
        define()
        return
    with pytest.raises(rocelab.InputError, match=line):
        define()


FOREVER = """
import sys
sys.path[:0] = [{utils!r}, {tests!r}]
import rocelab
from binding import make_incast
class PyForever(rocelab.CongestionControl):
    def Start(self, path, nowPs):
        print("ready", flush=True)
        while True:
            pass
    def GetLimit(self):
        return rocelab.SendLimit()
nic = {{"preset": "srnic", "congestionControl": PyForever}}
try:
    rocelab.run(make_incast(nic))
except KeyboardInterrupt:
    print("interrupted", len(rocelab.run(make_incast("irn")).only.completed), flush=True)
"""


def test_ctrl_c_ends_a_policy_that_never_returns():
    program = FOREVER.format(utils=str(ROOT / "utils"), tests=str(ROOT / "test" / "python"))
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, encoding="utf-8"
    ) as process:
        assert process.stdout.readline() == "ready\n"
        process.send_signal(2)
        assert process.stdout.readline() == "interrupted 3\n"
    assert process.returncode == 0


AMID_A_CALL = """
import os, signal, sys
sys.path[:0] = [{utils!r}, {tests!r}]
import rocelab
from binding import make_incast
class PyAmid(rocelab.CongestionControl):
    acks = 0
    def Start(self, path, nowPs):
        pass
    def OnAck(self, ack):
        PyAmid.acks += 1
        if PyAmid.acks == 200:
            os.kill(os.getpid(), signal.SIGINT)
            print("returned", flush=True)
    def GetLimit(self):
        return rocelab.SendLimit(windowBytes=10000)
scenario = make_incast({{"preset": "srnic", "name": "amid", "congestionControl": PyAmid}})
scenario["workload"] = {{**scenario["workload"], "bytes": "1GB"}}
try:
    rocelab.run(scenario, out={out!r})
except KeyboardInterrupt:
    print("interrupted", len(rocelab.run(make_incast("irn")).only.completed), flush=True)
"""


def test_ctrl_c_amid_a_call_of_a_policy_leaves_partial_results(tmp_path):
    program = AMID_A_CALL.format(utils=str(ROOT / "utils"), tests=str(ROOT / "test" / "python"), out=str(tmp_path))
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8", check=False)
    # The call completes, and the process can run again.
    assert (ended.returncode, ended.stdout) == (0, "returned\ninterrupted 3\n"), ended.stderr
    (summary,) = tmp_path.glob("*/amid/summary.json")
    assert json.loads(summary.read_text())["partial"] is True


@pytest.mark.parametrize(
    "name, attributes, line",
    [
        ("gain 0.5", {}, "class 'gain 0.5': expected a name of letters, digits"),
        ("gain\n", {}, "class 'gain.*': expected a name of letters, digits"),
        ("", {}, "class '': expected a name of letters, digits"),
        ("a[b", {}, "expected a name of letters, digits"),
        ("PySpaced", {"a b": rocelab.Attribute(1)}, "attribute 'a b': expected a name of letters, digits and _"),
        ("PyBroken", {"a\n": rocelab.Attribute(1)}, "attribute 'a.*': expected a name of letters, digits and _"),
    ],
)
def test_a_name_that_ns3_cannot_take_is_one_line(name, attributes, line):
    with pytest.raises(rocelab.InputError, match=line):
        type(name, (rocelab.CongestionControl,), attributes)


@pytest.mark.parametrize("value", [float("inf"), -float("inf"), float("nan")])
def test_a_default_that_is_not_finite_is_one_line(value):
    with pytest.raises(rocelab.InputError, match="Attribute: expected a finite default, got -?(inf|nan)"):
        rocelab.Attribute(value, "help")


@pytest.mark.parametrize("value", [1 << 63, -(1 << 64), 1 << 127])
def test_a_default_that_does_not_fit_is_one_line(value):
    with pytest.raises(rocelab.InputError, match="attribute A: expected a value of kind integer"):
        type("PyLarge", (rocelab.CongestionControl,), {"A": rocelab.Attribute(value)})


def test_bounds_may_be_infinite():
    kind = type("PyUnbounded", (rocelab.CongestionControl,), {"A": rocelab.Attribute(1.0, "", 0.0, float("inf"))})
    design = rocelab.NicDesign("srnic", name="n", congestionControl=kind)
    design.set("python::PyUnbounded::A", 1e300)
    with pytest.raises(rocelab.InputError):
        design.set("python::PyUnbounded::A", float("inf"))
