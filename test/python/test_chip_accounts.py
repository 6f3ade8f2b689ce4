# SPDX-License-Identifier: GPL-2.0-only
"""Memory and resources of chips, counted from constants of papers: SRNIC Tables 1 and 2, StRoM Table 3, BALBOA Table 2."""

import json

import pytest

from rocelab.errors import UserError
from rocelab.validate.examples import load_example
from rocelab.validate.figure import run_figure

fpga = load_example("common/fpga")
memory = load_example("srnic/memory")
strom = load_example("strom/resources")
balboa = load_example("balboa/resources")

Table = fpga.Table
KIB, MIB, GIB = 2**10, 2**20, 2**30
BLOCK = 18 * KIB // 8


def find(modules, name):
    """Return the module of a name."""
    return next(module for module in modules if module.name == name)


@pytest.mark.parametrize(
    "table, alignment, size",
    [
        (Table(10_000, (1680,)), "exact", 2_100_000),
        (Table(10_000, (1680,)), "power-of-two", 16_384 * 210),
        (Table(10_000, (1680,)), "block-ram", 5 * 187 * BLOCK),  # Blocks of 2048 x 9 bit.
        (Table(10_000, (1680,)), "ultra-ram", 3 * 24 * 36_864),
        # 512 x 36 bit is one block, 4096 x 72 bit is one UltraRAM.
        (Table(512, (36,)), "block-ram", BLOCK),
        (Table(513, (36,)), "block-ram", 2 * BLOCK),
        (Table(4096, (72,)), "ultra-ram", 36_864),
        (Table(8192, (8,)), "power-of-two", 8192),
        (Table(8, ()), "ultra-ram", 0),
    ],
)
def test_an_alignment_rounds_depths_or_blocks(table, alignment, size):
    assert fpga.ALIGNMENTS[alignment](table) == size


def test_the_conceptual_nic_has_the_bytes_of_table_1():
    sizes = {part.name: part.count_bytes() for part in memory.list_conceptual()}
    # By hand: 2^32 / 2^12 x 8 B; 16 x 64 B x 10,000; 5 x 500 / 8 B x 10,000; 2^19 B x 10,000; 24 B x 500 x 10,000.
    assert sizes == {
        "receiving buffer": int(0.6 * MIB),
        "queue pair contexts": 210 * 10_000,
        "translation table": 8_388_608,
        "WQE cache": 10_240_000,
        "bitmaps": 3_125_000,
        "reordering buffer": 5_242_880_000,
        "outstanding request table": 120_000_000,
    }
    # As the paper prints them, within half of the last digit.
    printed = {"bitmaps": (3.0 * MIB, 0.1 * MIB), "reordering buffer": (4.9 * GIB, 0.1 * GIB)}
    for name, (value, digit) in printed.items():
        assert abs(sizes[name] - value) <= digit / 2


def test_srnic_has_the_rest_of_table_1_and_its_scheduler():
    sizes = memory.count_bytes(memory.list_srnic())
    assert [sizes[name] for name in memory.REPLACED] == [0, 0, 0, 0]
    assert sizes["translation table"] == int(1.2 * MIB)
    assert sizes["schedule queue"] == 20_000  # Section 4.3.1: 19.5 KB.
    # Two bursts of 16 KB with 8 work requests of 64 B each.
    assert sizes["scheduler's bursts"] == 2 * (16_384 + 512)
    # 10,000 more contexts of 210 B and entries of 2 B; nothing else grows.
    more = memory.count_bytes(memory.list_srnic(20_000))
    assert sum(more.values()) - sum(sizes.values()) == 2_120_000


def test_srnic_as_built_is_below_table_2():
    # The paper does not print its alignment: 2.05 MB of contexts here, 2.3 there.
    built = memory.count_bytes(memory.list_srnic(), "block-ram")
    assert built["queue pair contexts"] == 935 * BLOCK
    assert 0.85 * 4.4 * MIB < sum(built.values()) < 4.4 * MIB
    # 621 blocks of 36 Kb and 48 of 288 Kb are the 4.4 MB of Table 2.
    assert (621 * 36 + 48 * 288) * KIB / 8 == pytest.approx(memory.STATED_BYTES, abs=0.05 * MIB)
    # Section 6.1: 10,000 / 4.4 MB over 256 / 2 MB is 17.8, "18x".
    assert memory.compare_with_connectx5(memory.STATED_BYTES) == pytest.approx(10_000 / 4.4 / 128, rel=1e-6)


def test_strom_has_the_sums_of_table_3():
    slow, fast = (strom.list_modules(width=width)[-1] for width in (8, 64))
    assert slow.numbers == (92_000, 181, 115_000) and fast.numbers == (122_000, 402, 214_000)
    # The paper's shares of the XCVU9P, rounded to 0.1 %: 4.8 % of the registers are 4.86.
    for whole, shares in ((slow, (7.8, 8.4, 4.8)), (fast, (10.3, 18.6, 9.1))):
        ours = [100 * used / there for used, there in zip(whole.numbers, strom.VCU118.numbers)]
        assert ours == pytest.approx(shares, abs=0.07)


@pytest.mark.parametrize("queue_pairs", [1, 500, 16_000])
def test_modules_add_up_to_the_nic(queue_pairs):
    *modules, whole = strom.list_modules(queue_pairs, 4096, 16)
    assert sum(module.blocks for module in modules) == pytest.approx(whole.blocks)
    *modules, whole = balboa.list_modules(queue_pairs, ["aes"])
    sums = [sum(numbers) for numbers in zip(*(module.numbers for module in modules))]
    assert sums == pytest.approx(whole.numbers)


def test_the_tlb_of_strom_is_counted_in_blocks():
    # 16,384 x 48 bit: 48 blocks of 18 Kb as 16,384 x 1, the fewest; 24 of 36 Kb.
    assert find(strom.list_modules(), "TLB").blocks == 24
    assert strom.list_modules(tlb_entries=32_768)[-1].blocks == 181 + 24


def test_memory_of_strom_grows_linearly_with_queue_pairs_and_logic_stays():
    # Section 6.1: from 9 % to 20 % of 1470 blocks, each rounded to 1 %, for 15,500 queue pairs: 350 to 420 bits each.
    bits = sum(strom.QUEUE_PAIR_TABLES.values())
    step = 1470 * 36_864 / 15_500
    assert abs(bits - 0.11 * step) <= 0.01 * step
    wholes = {count: strom.list_modules(count)[-1] for count in (500, 4096, 8192, 16_000)}
    growth = wholes[16_000].blocks - wholes[500].blocks
    assert 15_500 * bits / 36_864 < growth < 0.14 * 1470  # In whole blocks a little more.
    # Twice as many take twice the blocks, where they fill them.
    whole, half = wholes[16_000].blocks - wholes[8192].blocks, wholes[8192].blocks - wholes[4096].blocks
    assert whole / half == pytest.approx(2, abs=0.15)
    assert (wholes[16_000].luts, wholes[16_000].registers) == (wholes[500].luts, wholes[500].registers)


def test_widths_between_the_versions_of_strom_are_on_a_line():
    # 32 B is 24/56 of the way from 8 to 64.
    whole = strom.list_modules(width=32)[-1]
    assert whole.numbers[:2] == pytest.approx((92_000 + 30_000 * 24 / 56, 181 + 221 * 24 / 56))
    assert "between" in whole.source


def test_balboa_has_the_rows_of_table_2():
    modules = balboa.list_modules()
    assert modules[-1].numbers == (43_732, 101, 102_988)
    # Packet processing as a whole: 29,897, 66 and 75,053; the rounding of the table leaves 1 LUT.
    names = ("connection table", "state table", "transport timer", "MSN table", "packet processing, rest")
    parts = [find(modules, name) for name in names]
    assert sum(part.luts for part in parts) == pytest.approx(29_897, abs=1)
    assert sum(part.blocks for part in parts) == 66
    # Shares of the XCU55C: 3.4, 5.1 (5.01 to the digit) and 4 %.
    ours = [100 * used / there for used, there in zip(modules[-1].numbers, balboa.U55C.numbers)]
    assert ours == pytest.approx((3.4, 5.1, 4), abs=0.1)


def test_tables_of_balboa_grow_with_queue_pairs_and_services_with_slots():
    # 18 blocks hold 512 queue pairs: 1 + 4 + 6 + 2 + 5; 1024 take as many again.
    assert [balboa.list_modules(count)[-1].blocks for count in (512, 513, 2000)] == [101, 101 + 18, 101 + 3 * 18]
    whole = balboa.list_modules(services=["aes", "aes", "dpi"])[-1]
    assert whole.numbers == (43_732 + 2 * 65_662 + 54_404, 101, 102_988 + 2 * 11_669 + 40_508)


def test_blocks_of_the_public_sources_are_near_table_2():
    # Table 2: 6, 4, 5, 2 and 34. 24, 128 and 16 bits take 1 + 4 + 1; 24, 64, 32, 32 and 1 take 1 + 2 + 1 + 1 + 1, where
    # a compiler puts the single bit into logic. 16, 16 and 1 bits take 3; 2000 requests of 2048 x 9 and fewer bits 31.
    counted = {name: [fpga.count_blocks(table) for table in tables] for name, tables in balboa.SOURCE_TABLES.items()}
    assert counted == {
        "state table": [6],
        "connection table": [6],
        "MSN table": [6],
        "transport timer": [2],
        "retransmission logic": [3, 31],
    }


@pytest.fixture
def run_account(checkout, tmp_path, fake_build, no_pictures):
    """A function: figure and settings -> figure.json; no program is run."""

    def run(name, *settings):
        run_figure(name, checkout / "examples", tmp_path / "out", fake_build, False, settings)
        return json.loads((tmp_path / "out" / name / "figure.json").read_text())

    return run


def test_the_figures_count_for_the_queue_pairs_that_are_given(run_account, capsys):
    assert run_account("strom/table-3", "qps=500,2000", "widths=8")["series"] == {"8 B": [[500, 181], [2000, 197]]}
    printed = capsys.readouterr().out
    assert "of an XCVU9P" in printed and "Bits per queue pair: 385" in printed
    assert run_account("balboa/table-2", "qps=513", "services=none")["series"] == {"balboa": [[513, 119]]}
    assert "aes" not in capsys.readouterr().out
    assert run_account("srnic/table-1-2")["contexts_that_fit_connectx5"] == 5592  # Equation 1: 2 MB / 375 B.


@pytest.mark.parametrize(
    "name, setting, expected",
    [
        ("strom/table-3", "qps=16001", "option qps: expected whole numbers from 1 to 16000"),
        ("strom/table-3", "widths=24", "option widths: expected some of 8, 16, 32 and 64, got '24'"),
        ("strom/table-3", "tlb=0", "option tlb: expected whole numbers from 1 to 1048576"),
        ("balboa/table-2", "services=aes,des", "option services: expected none, or some of aes and dpi, got 'aes,des'"),
    ],
)
def test_a_bad_option_is_refused(run_account, name, setting, expected):
    with pytest.raises(UserError, match=expected):
        run_account(name, setting)
