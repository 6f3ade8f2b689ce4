# SPDX-License-Identifier: GPL-2.0-only
"""KV-Direct: quick runs of its figures with the real engine, the measurement kv-dispatch, helpers."""

import json
import subprocess
from types import SimpleNamespace

import pytest

from rocelab.errors import UserError
from rocelab.validate.examples import load_example, load_figure_module
from rocelab.validate.facts import get_fact

kv = load_example("kv-direct/common")
tables = load_example("kv-direct/printed_tables")


@pytest.fixture
def program(checkout):
    """The engine; skips if it is not built."""
    path = checkout / "build" / "rocelab"
    if not path.exists():
        pytest.skip(f"no program at {path}")
    return path


@pytest.fixture
def run_quick(quick_figure):
    """A function: end of the folder's name and settings -> its figure.json."""
    return lambda name, *settings: quick_figure(f"kv-direct/{name}", *settings)


def get_values(panel):
    """Return {series: {x: y}} of a panel."""
    return {name: dict(map(tuple, points)) for name, points in panel["series"].items()}


def get_ours(data, what):
    """Return our number of the one check whose text begins so."""
    (row,) = [row for row in data["checks"] if row["what"].startswith(what)]
    return row["ours"]


def run_dispatch(program, *arguments):
    """Return what `rocelab measure kv-dispatch` does."""
    command = [str(program), "measure", "kv-dispatch", "--json", *arguments]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False)


def test_dispatch_solves_the_formula_where_the_cache_holds_all_that_it_may(program):
    # With k = 1 all hits: l / r = 1 - l, so l = r / (1 + r), and the gain over a partition is 1.
    (row,) = json.loads(run_dispatch(program, "throughput=2", "memory=1").stdout)["rows"]
    assert row["cached_share"] == pytest.approx(2 / 3)
    assert row["hit_share"] == 1


def test_dispatch_prints_a_row_per_pair_of_ratios(program):
    answer = run_dispatch(program, "throughput=1,2", "memory=0.5,0.25,1")
    rows = json.loads(answer.stdout)["rows"]
    assert [(row["throughput_ratio"], row["memory_ratio"]) for row in rows] == [
        (r, k) for r in (1, 2) for k in (0.5, 0.25, 1)
    ]


@pytest.mark.parametrize("arguments", [["keys=3"], ["memory=2"], ["throughput=0"]])
def test_dispatch_refuses_what_has_no_solution(program, arguments):
    answer = run_dispatch(program, *arguments)
    assert answer.returncode == 2
    assert answer.stderr.count("\n") == 1


def test_a_fetch_to_the_client_is_one_round_trip_with_the_vector_once_on_the_wire():
    # Table 2's last row to all digits that are printed: 2 us and size / 5 GB/s, no access of memory.
    table = load_figure_module("kv-direct/table-2")
    for fact, size in zip(table.FACTS[table.FETCH], table.SIZES):
        assert round(table.get_printed_fetch(size), 2) == get_fact(fact).value


CELLS = [(r, 1 / 4**power) for r in (0.5, 1, 2, 4, 8) for power in (5, 4, 3, 2, 1, 0)]


def get_table(first):
    """Return {cell: number} of a table of 30 facts, row by row."""
    return {cell: get_fact(f"KV-Direct-{first + place}").value for place, cell in enumerate(CELLS)}


def test_all_shares_of_table_5_follow_from_the_formula_with_ten_billion_keys():
    for (throughput, memory), stated in get_table(550).items():
        # Half a unit of the third digit, and a quarter more.
        assert tables.solve_share(throughput, memory) == pytest.approx(stated, abs=0.0008)


def test_table_5_does_not_follow_with_the_billion_keys_of_its_caption():
    off = [tables.solve_share(*cell, keys=10**9) - stated for cell, stated in get_table(550).items()]
    assert max(off) == pytest.approx(0.024, abs=0.001)  # 0.854 for 0.830.


def test_all_gains_of_table_6_are_those_of_the_dram_alone():
    for (throughput, memory), stated in get_table(580).items():
        assert tables.get_gain(throughput, memory) == pytest.approx(stated, rel=0.01)


def test_four_gains_of_table_6_exceed_what_pcie_carries(program):
    # All misses use PCIe: with l = 1 it carries 1 / (1 - h) times its own rate, whatever the DRAM. With
    # k = 1/1024 and 10^10 keys h is log(k n) / log(n) = 0.699: 3.3, less 1 + k, for a printed 3.99 and 7.99.
    ratios = ",".join(str(1 / 4**power) for power in (5, 4, 3, 2, 1, 0))
    answer = run_dispatch(program, "throughput=0.5,1,2,4,8", f"memory={ratios}", "keys=1e10")
    found = json.loads(answer.stdout)["rows"]
    rows = {(row["throughput_ratio"], row["memory_ratio"]): row for row in found}
    assert rows[8, 1 / 1024]["relative_throughput"] == pytest.approx(3.32, abs=0.01)
    stated = get_table(580)
    slips = [cell for cell in CELLS if stated[cell] > 1.1 * rows[cell]["relative_throughput"]]
    assert slips == [(4, 1 / 1024), (8, 1 / 1024), (8, 1 / 256), (8, 1 / 64)]


def test_a_batch_is_what_a_packet_takes():
    assert kv.get_batch(10) == kv.MAX_BATCH
    assert kv.get_batch(254) == 3  # 3 x 255 + 13 = 778 bytes of 1024; 4 would be 1033.


def test_the_knee_is_the_smallest_window_near_the_largest_throughput():
    curve = {1: 10, 2: 80, 4: 95, 8: 100, 16: 99}
    assert kv.find_knee(lambda window: (curve[window], window), sorted(curve)) == 4
    curve[16] = 101  # Within 2 %: the same peak.
    assert kv.find_knee(lambda window: (curve[window], window), sorted(curve)) == 4


def test_the_knee_is_searched_between_the_windows_around_it():
    # 90 of 100 need a window of 25.7: 24 has 84, 28 has 98.
    measure = lambda window: (min(100, 3.5 * window), window)
    assert kv.find_knee(measure, [10, 20, 40, 80]) == 40
    assert kv.find_knee(measure, [10, 20, 40, 80], step=4) == 28


def test_no_knee_is_found_below_windows_that_still_rise():
    curve = {1: 10, 2: 80, 4: 95, 8: 100}
    with pytest.raises(UserError, match="expected windows beyond the peak, got 1, 2, 4, 8"):
        kv.find_knee(lambda window: (curve[window], window), sorted(curve))
    find = lambda: kv.find_knee(lambda window: (curve[window], window), [8], is_bracketed=False)
    assert find() == 8


def test_a_delay_begins_when_the_batch_leaves(tmp_path):
    # A batch of client 1 leaves with its second operation, at 20 ns, and ends at 120; one of client 2
    # ends at the same time, 90 ns after it left: (2 x 100 + 90) / 3. What began before 10 ns is not measured.
    lines = ["5,50", "10,110", "20,100", "30,90"]
    clients = [1, 1, 1, 2]
    (tmp_path / "rpcs.csv").write_text(
        "request,client,server,start_ns,latency_ns,bytes,probes,status\n"
        + "".join(f"{i},{clients[i]},0,{line},5,1,ok\n" for i, line in enumerate(lines))
    )
    nic = SimpleNamespace(folder=tmp_path)
    assert kv.get_batch_delay(nic, 0.01) == pytest.approx(0.290 / 3)


def make_loaded(mops, load):
    """Return a NicResult of ten NICs, of which one has so many times the average of the requests."""
    rest = (10 - load) / 9
    counts = [{"requests": 1000 * share} for share in [load, *[rest] * 9]]
    return SimpleNamespace(summary={"rpc": {"requests_per_second": 1e6 * mops, "nics": counts}})


def test_a_window_counts_only_if_the_busiest_nic_answers_its_share():
    # From 1.44 to 1.30 times the average: the busiest NIC's queue still grows.
    curve = {16: (600, 1.44), 24: (1020, 1.44), 32: (1100, 1.45), 48: (1110, 1.43), 128: (1250, 1.30)}
    results = {window: make_loaded(*point) for window, point in curve.items()}
    figure = load_figure_module("kv-direct/figure-20")
    assert figure.find_windows(results, is_bracketed=True) == (48, 24)


def run_alone(checkout, folder, name):
    """Return summary.json of single GETs, one at a time, keys uniform, each from the host's memory."""
    workload = kv.make_workload(
        10, 1, kv.UNIFORM, memory="1MiB", batch=1, outstanding=1, duration="4ms"
    )
    path = folder / f"{name}.json"
    path.write_text(json.dumps(kv.make_scenario(name, workload, CacheBytes=0)))
    command = [checkout / "build" / "rocelab", "run", path, "--out", folder / name]
    subprocess.run(command, check=True, capture_output=True)
    (summary,) = (folder / name).rglob("summary.json")
    return json.loads(summary.read_text())


def test_the_network_with_its_nics_takes_2_us_beside_the_processor(program, checkout, tmp_path):
    latency = run_alone(checkout, tmp_path, "alone")["rpc"]["latency_us"]["mean"]
    keys = "memory=1MiB cache=0 rate=1e5 operations=5000".split()
    command = [program, "measure", "kv-processor", "--json", *keys]
    (row,) = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["rows"]
    assert latency - row["latency_mean_us"] == pytest.approx(kv.ROUND_TRIP_US, abs=0.05)


def test_the_engine_forwards_atomics_on_one_key(run_quick):
    data = run_quick("figure-13", "puts=50", "operations=20000")
    assert get_ours(data, "one key, engine") > 170  # 180 less the first and the last latency.
    # 1,050 ns of PCIe on average and 10 cycles: 1.1 us.
    assert get_ours(data, "one key, stalls") == pytest.approx(1 / 1.1, rel=0.05)


@pytest.mark.slow
def test_reads_have_as_many_tags_as_they_have(run_quick):
    data = run_quick("figure-3")
    # 64 tags, 1,065 ns: 60 M/s. Writes have no tags, and reach what the link carries, unless the DMA
    # engine's limit stops them, which is theirs and the reads' together.
    assert get_ours(data, "64 B reads") == pytest.approx(64 / 1.065, rel=0.05)
    values = get_values(data["panels"][0])
    free = values["write, no limit of requests"]
    assert free[64] == pytest.approx(values["link (bound)"][64], rel=0.01)
    assert values["write"][64] == pytest.approx(59.7, rel=0.01)
    assert values["read and write in turn"][64] == pytest.approx(59.7, rel=0.01)


@pytest.mark.slow
def test_batches_reach_the_clock(run_quick):
    data = run_quick("figure-15")
    throughput = get_values(data["panels"][0])["measured"]
    assert throughput[1] < 25
    assert throughput[64] > 150


@pytest.mark.slow
def test_a_fetched_vector_takes_one_round_trip_if_its_value_is_forwarded(run_quick):
    values = get_values(run_quick("table-2", "sizes=64")["panels"][0])
    forwarded = 64 / 2070  # 2 us of network and NICs, 20 cycles of the processor at most.
    assert values["fetch to client"][64] == pytest.approx(forwarded, rel=0.04)
    # Alone the vector is read from the NIC's DRAM: bucket and slab, 0.6 us more.
    assert values["fetch, alone"][64] == pytest.approx(64 / 2670, rel=0.05)
    # Waiting for the PUT takes another round trip.
    waits = values["fetch, wait for the write-back, alone"][64]
    assert waits == pytest.approx(64 / 2670 / 2, rel=0.05)


@pytest.mark.slow
def test_vectors_take_a_cycle_per_word_unless_they_return(run_quick):
    values = get_values(run_quick("table-2", "sizes=64")["panels"][0])
    assert values["update without return"][64] == pytest.approx(11.52, rel=0.05)  # 64 B x 180 MHz.
    assert values["update with return"][64] < 5  # 40 Gb/s.
