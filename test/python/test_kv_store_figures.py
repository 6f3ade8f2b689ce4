# SPDX-License-Identifier: GPL-2.0-only
"""KV-Direct's store: quick runs of its figures with the real engine, `rocelab kv-store`, `kv-slabs`."""

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
    """Return the JSON of a command of the engine."""

    def run(*words):
        command = [program, *words, "--json"]
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=TIME_LIMIT)
        return json.loads(done.stdout)

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
    words = ["--kv-size", "254", "--memory", "1MiB", "--utilization", "0.5,0.99", "-n", "1000"]
    result = ask("kv-store", *words, "--hash-index-ratio", "0.05")
    assert [point["utilization"] for point in result["points"]] == [0.5]
    assert result["isFull"] is True
    # 95 % of the memory are slabs of 256 bytes for pairs of 254.
    assert 0.92 < result["reached"] < 0.95 * 254 / 256
    assert result["pairs"] == round(result["reached"] * 2**20 / 254)
    assert result["points"][0]["get"]["operations"] == 1000


def test_the_same_seed_gives_the_same_bytes(ask):
    words = ["kv-store", "--memory", "1MiB", "--kv-size", "5-30", "-n", "1000"]
    assert ask(*words) == ask(*words)
    assert ask(*words) != ask(*words, "--seed", "2")


@pytest.mark.parametrize("method", ["bitmap", "radix-sort"])
def test_slots_side_by_side_merge_into_the_largest_slabs(ask, method):
    result = ask("kv-slabs", "merge", "--slots", "65536", "--merge", method)
    assert result["merged"] == 65536 // 16


def test_tables_are_printed_for_people(program):
    for words in (["kv-store", "--memory", "1MiB", "-n", "10"], ["kv-slabs", "churn", "--memory", "1MiB"]):
        done = subprocess.run([program, *words], capture_output=True, text=True, check=True)
        assert "{" not in done.stdout and done.stdout.count("\n") >= 3


BAD_INPUT = [
    (["kv-store", "--table", "linear"], "kv-direct, cuckoo or hopscotch, got linear"),
    (["kv-store", "--memory", "lots"], "--memory: expected bytes such as 64MiB, got lots"),
    (["kv-store", "--memory", "1KiB"], "memory: expected 8 KiB to 64 GiB, got 1024"),
    (["kv-store", "--memory", "100GiB"], "memory: expected 8 KiB to 64 GiB"),
    (["kv-store", "--kv-size", "4"], "--kv-size: expected bytes of key and value, 5 to 2045"),
    (["kv-store", "--kv-size", "30-5"], "--kv-size: expected"),
    (["kv-store", "--kv-size", "5-30", "--table", "cuckoo"], "expected one size with --table cuckoo"),
    (["kv-store", "--hash-index-ratio", "1"], "hash index ratio: expected a share"),
    (["kv-store", "--hash-index-ratio", "0", "--table", "hopscotch"], "hash index ratio: expected"),
    (["kv-store", "--inline-threshold", "51"], "--inline-threshold"),
    (["kv-store", "--max-slab", "4096"], "largest slab: expected 512, 1024 or 2048 bytes"),
    (["kv-store", "--utilization", "1.5"], "--utilization: expected shares"),
    (["kv-store", "--utilization", "nan"], "--utilization: expected a decimal number, got nan"),
    (["kv-store", "-n", "0"], "--operations"),
    (["kv-slabs", "leak"], "pattern: expected allocate"),
    (["kv-slabs", "free", "--slab", "48"], "--slab: expected 32, 64, 128 or 256 bytes, got 48"),
    (["kv-slabs", "free", "--batch", "0"], "batch entries: expected 1 to 64, got 0"),
    (["kv-slabs", "merge", "--merge", "quick"], "--merge: expected bitmap or radix-sort, got quick"),
    (["kv-slabs", "merge", "--threads", "0"], "--threads: expected 1 to 64, got 0"),
    (["kv-slabs", "merge", "--slots", "1"], "--slots: expected 16 to 2^30, got 1"),
]


@pytest.mark.parametrize("words, message", BAD_INPUT, ids=lambda value: " ".join(value))
def test_bad_input_is_one_line(program, words, message):
    done = subprocess.run([program, *words], capture_output=True, text=True, timeout=TIME_LIMIT)
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert message in done.stderr
