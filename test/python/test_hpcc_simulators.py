# SPDX-License-Identifier: GPL-2.0-only
"""TIMELY and PowerTCP compared with simulators of the HPCC family: test/data/hpcc-simulators/README.md has their settings."""

import statistics
from concurrent.futures import ThreadPoolExecutor

import pytest
from program import NEEDS_PROGRAM, ROOT, call, read_json, read_rows

from rocelab.results.percentile import nearest_rank
from rocelab.validate.examples import load_example

hpcc_trace = load_example("srnic/hpcc_trace")

DATA = ROOT / "test" / "data" / "hpcc-simulators" / "flows-64.csv"
METRICS = ("mean_fct_us", "p50_fct_us", "p99_fct_us", "mean_slowdown")
CLASSES = {
    "all": (0, 10**12),
    "below 10 kB": (0, 10**4),
    "10 kB to 100 kB": (10**4, 10**5),
    "100 kB to 1 MB": (10**5, 10**6),
    "from 1 MB": (10**6, 10**12),
}
SEEDS = (1, 2, 3, 4, 5)
TOLERANCE = 0.05

SCENARIOS = [ROOT / "examples" / "simulators" / f"{name}.json" for name in ("hpcc-timely", "ns3-datacenter-powertcp")]
TRACE = ROOT / "traces" / "hpcc" / "cache-follower-64-incasts.txt"


def test_the_trace_is_the_one_that_the_generator_draws(tmp_path):
    sizes = hpcc_trace.read_sizes(ROOT / "traces" / "cache-follower.cdf")
    flows = hpcc_trace.make_flows(64, sizes, 0.7, 100e9, 2 * 10**6, incast_load=0.02)
    hpcc_trace.write_trace(tmp_path / "flows.txt", flows)
    assert (tmp_path / "flows.txt").read_bytes() == TRACE.read_bytes()


def get_standalone_ns(flow):
    """Return its time of a lone flow, without the time stamp."""
    source, destination, size = (int(flow[name]) for name in ("src", "dst", "bytes"))
    fabric_links = 0 if source // 16 == destination // 16 else 2
    packets = -(-size // 1000)
    return 2000 * (2 + fabric_links) + 160 + 20 * fabric_links + (size + 48 * packets) * 8 / 100


def measure(flows, low, high):
    """Return {metric: number} of the flows of a class."""
    chosen = [flow for flow in flows if low <= int(flow["bytes"]) < high]
    assert all(flow["status"] == "completed" for flow in chosen)
    times = [float(flow["fct_ns"]) / 1000 for flow in chosen]
    slowdowns = [
        max(1, 1000 * time / get_standalone_ns(flow)) for flow, time in zip(chosen, times, strict=True)
    ]
    values = (statistics.mean(times), nearest_rank(times, 50), nearest_rank(times, 99), statistics.mean(slowdowns))
    return dict(zip(METRICS, values, strict=True))


def average(runs):
    """Return {metric: mean} of a list of {metric: number}."""
    return {metric: statistics.mean(run[metric] for run in runs) for metric in METRICS}


def read_peer(simulator, run):
    """Return {class: {metric: mean over its first ports}} of a run of a simulator."""
    rows = [row for row in read_rows(DATA) if (row["simulator"], row["run"]) == (simulator, run)]
    return {
        name: average([{m: float(row[m]) for m in METRICS} for row in rows if row["bytes"] == name])
        for name in CLASSES
    }


@pytest.fixture(scope="module")
def ours(tmp_path_factory):
    """Return {NIC: {class: {metric: mean over the seeds}}}."""
    folder = tmp_path_factory.mktemp("peer")

    def run(path, seed):
        ended = call("run", path, "--seed", seed, "--out", folder / f"out{seed}", "--quiet")
        assert (ended.returncode, ended.stderr) == (0, "")

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(run, *zip(*[(path, seed) for path in SCENARIOS for seed in SEEDS], strict=True)))
    results = {}
    for path in SCENARIOS:
        for nic in (nic["name"] for nic in read_json(path)["nics"]):
            by_seed = [read_rows(folder / f"out{seed}" / path.stem / nic / "flows.csv") for seed in SEEDS]
            results[nic] = {
                name: average([measure(flows, *bounds) for flows in by_seed]) for name, bounds in CLASSES.items()
            }
    return results


# Not compared within 5 %: quantiles that no side determines. Without a window a small flow ends in a few us or behind an incast: the
# median below 10 kB is 125 to 236 us over hpcc's first ports and 108 to 326 over 16 of our seeds. The next class has 60
# flows. Of the 568 flows of 100 kB to 1 MB, 300 are incasts: with PowerTCP the median is where these begin.
SMALL = {("below 10 kB", "p50_fct_us"), ("10 kB to 100 kB", "p50_fct_us"), ("10 kB to 100 kB", "p99_fct_us")}
# With theta-PowerTCP our medians are lower by up to 8 %.
MIDDLE = {("100 kB to 1 MB", "p50_fct_us")}
MEDIANS = {(name, "p50_fct_us") for name in CLASSES}


@pytest.mark.slow
@NEEDS_PROGRAM
@pytest.mark.parametrize(
    "simulator, run, nic, scattered",
    [
        ("hpcc", "timely", "timely", SMALL),
        ("hpcc", "timely_vwin", "timely_vwin", set()),
        ("ns3-datacenter", "timely_vwin", "timely_vwin", set()),
        ("ns3-datacenter", "powertcp", "powertcp", MIDDLE),
        ("ns3-datacenter", "theta-powertcp", "theta-powertcp", MEDIANS),
    ],
)
def test_fcts_are_within_five_percent_of_the_simulators_in_each_class(ours, simulator, run, nic, scattered):
    for name, peer in read_peer(simulator, run).items():
        for metric in METRICS:
            if (name, metric) not in scattered:
                assert ours[nic][name][metric] == pytest.approx(peer[metric], rel=TOLERANCE), (name, metric)


# ACK_HIGH_PRIO 1, which run.py has, drops frames there: 11 flows are missing. ns3-datacenter has one run, with paths of its
# own, so classes are compared with hpcc only.
@pytest.mark.slow
@NEEDS_PROGRAM
@pytest.mark.parametrize(
    "simulator, run, nic", [("hpcc", "timely run.py", "timely"), ("ns3-datacenter", "timely", "timely-eighth")]
)
def test_fcts_of_all_flows_are_within_five_percent(ours, simulator, run, nic):
    assert ours[nic]["all"] == pytest.approx(read_peer(simulator, run)["all"], rel=TOLERANCE)


def test_the_rows_of_the_simulators_are_complete():
    rows = read_rows(DATA)
    runs = {(row["simulator"], row["run"], row["first_port"]) for row in rows}
    assert len(rows) == len(runs) * len(CLASSES)
    for one in runs:
        mine = [row for row in rows if (row["simulator"], row["run"], row["first_port"]) == one]
        counts = {row["bytes"]: int(row["flows"]) for row in mine}
        assert counts["all"] == sum(counts.values()) - counts["all"] == (1771 if one[1] == "timely run.py" else 1782)
