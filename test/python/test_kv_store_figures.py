# SPDX-License-Identifier: GPL-2.0-only
"""KV-Direct's store: quick runs of its figures with the real engine, measurements kv-store, kv-slabs, kv-merge."""

import json
import subprocess

import pytest
from limits import TIME_LIMIT


@pytest.fixture
def program(checkout):
    """The engine; skips if it is not built."""
    path = checkout / "build" / "rocelab"
    if not path.exists():
        pytest.skip(f"no program at {path}")
    return path


@pytest.fixture
def ask(program):
    """Return the rows of a measurement."""

    def run(*words):
        command = [program, "measure", *words, "--json"]
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=TIME_LIMIT)
        return json.loads(done.stdout)["rows"]

    return run


def get_values(panel):
    """Return {name: {x: y}} of a panel."""
    return {name: dict(map(tuple, points)) for name, points in panel["series"].items()}


def are_met(data):
    """Return what checks are met, by the first word of their text."""
    return {row["what"]: row["met"] for row in data["checks"]}


def test_a_higher_threshold_is_better_while_memory_is_empty_and_grows_faster(quick_figure):
    data = quick_figure("kv-direct/figure-6")
    gets = get_values(data["panels"][0])
    assert gets["threshold-25"][0.1] < gets["threshold-10"][0.1]
    # Sizes 5 to 30 are equally likely: 20 of 26 are longer than 10 bytes and take one more.
    assert gets["threshold-10"][0.1] == pytest.approx(1 + 20 / 26, abs=0.02)
    assert all(are_met(data).values())


@pytest.mark.slow
def test_accesses_fall_with_the_hash_index_and_rise_with_use(quick_figure):
    assert all(are_met(quick_figure("kv-direct/figure-9")).values())


@pytest.mark.slow
def test_a_larger_hash_index_holds_less_in_fewer_accesses(quick_figure):
    assert all(are_met(quick_figure("kv-direct/figure-10")).values())


@pytest.mark.slow
def test_inline_pairs_take_one_and_two_accesses_and_others_one_more(quick_figure):
    data = quick_figure("kv-direct/figure-11")
    small_get, small_put, large_get, large_put = map(get_values, data["panels"])
    assert small_get["kv-direct"][0.1] == pytest.approx(1, abs=0.01)
    assert small_put["kv-direct"][0.1] == pytest.approx(2, abs=0.01)
    assert large_get["kv-direct"][0.1] == pytest.approx(2, abs=0.01)
    assert large_put["kv-direct"][0.1] == pytest.approx(3, abs=0.01)
    assert small_put["cuckoo"][0.1] == pytest.approx(4, abs=0.01)
    assert small_put["hopscotch"][0.1] == pytest.approx(3, abs=0.01)


@pytest.mark.slow
def test_the_cost_model_meets_the_numbers_that_it_was_fitted_to(quick_figure):
    data = quick_figure("kv-direct/figure-12")
    assert get_values(data["panels"][0])["model"] == {
        1: pytest.approx(30),
        32: pytest.approx(1.8),
    }


@pytest.mark.slow
def test_the_allocator_needs_less_than_seven_dmas_per_hundred_operations(quick_figure):
    assert all(are_met(quick_figure("kv-direct/slab-allocator")).values())


def test_a_store_that_is_full_says_how_far_it_came(ask):
    words = ["kv-size=254", "memory=1MiB", "utilization=0.5,0.99", "operations=1000"]
    point, end = ask("kv-store", *words, "hash-index-ratio=0.05")
    assert (point["utilization"], point["is_full"], end["is_full"]) == (0.5, False, True)
    # 95 % of the memory are slabs of 256 bytes for pairs of 254.
    assert 0.92 < end["utilization"] < 0.95 * 254 / 256
    assert end["pairs"] == round(end["utilization"] * 2**20 / 254)
    assert (point["get_operations"], end["get_operations"]) == (1000, None)


def test_the_same_seed_gives_the_same_bytes(ask):
    words = ["kv-store", "memory=1MiB", "kv-size=5-30", "operations=1000"]
    assert ask(*words) == ask(*words)
    assert ask(*words) != ask(*words, "seed=2")


@pytest.mark.parametrize("method", ["bitmap", "radix-sort"])
def test_slots_side_by_side_merge_into_the_largest_slabs(ask, method):
    (row,) = ask("kv-merge", "slots=65536", f"merge={method}")
    assert row["merged"] == 65536 // 16


def test_tables_are_printed_for_people(program):
    for words in (["kv-store", "memory=1MiB", "operations=10"], ["kv-slabs", "memory=1MiB"]):
        done = subprocess.run([program, "measure", *words], capture_output=True, text=True, check=True)
        assert "{" not in done.stdout and done.stdout.count("\n") >= 3


BAD_INPUT = [
    (["kv-store", "table=linear"], "kv-store.table: expected one of kv-direct, cuckoo or hopscotch"),
    (["kv-store", "memory=lots"], "kv-store.memory: expected a number of bytes above zero"),
    (["kv-store", "memory=1KiB"], "memory: expected 8 KiB to 64 GiB, got 1024"),
    (["kv-store", "memory=100GiB"], "memory: expected 8 KiB to 64 GiB"),
    (["kv-store", "kv-size=4"], "kv-size: expected bytes of key and value, 5 to 2045"),
    (["kv-store", "kv-size=30-5"], "kv-size: expected"),
    (["kv-store", "kv-size=5-30", "table=cuckoo"], "expected one size with table=cuckoo"),
    (["kv-store", "table=cuckoo", "max-slab=512"], "max-slab: expected table=kv-direct beside it"),
    (["kv-store", "hash-index-ratio=1"], "hash index ratio: expected a share"),
    (["kv-store", "hash-index-ratio=0", "table=hopscotch"], "hash index ratio: expected"),
    (["kv-store", "inline-threshold=51"], "inline-threshold: expected a whole number from 0 to 50"),
    (["kv-store", "max-slab=4096"], "largest slab: expected 512, 1024 or 2048 bytes"),
    (["kv-store", "utilization=0.5,1.5"], "utilization[1]: expected a number above 0 and at most 1"),
    (["kv-store", "utilization=nan"], 'utilization[0]: expected a number, got "nan"'),
    (["kv-store", "operations=0"], "operations: expected a whole number from 1"),
    (["kv-slabs", "pattern=leak"], "pattern: expected one of allocate"),
    (["kv-slabs", "pattern=free", "slab=48"], "slab: expected one of 32, 64, 128 or 256"),
    (["kv-slabs", "pattern=free", "batch=0"], "batch: expected a whole number from 1 to 64, got 0"),
    (["kv-merge", "merge=quick"], "merge: expected one of bitmap or radix-sort"),
    (["kv-merge", "threads=0"], "threads: expected a whole number from 1 to 64, got 0"),
    (["kv-merge", "slots=1"], "slots: expected a whole number from 16 to 1073741824, got 1"),
]


@pytest.mark.parametrize("words, message", BAD_INPUT, ids=lambda value: " ".join(value))
def test_bad_input_is_one_line(program, words, message):
    command = [program, "measure", *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=TIME_LIMIT)
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert message in done.stderr
