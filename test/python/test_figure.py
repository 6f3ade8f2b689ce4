# SPDX-License-Identifier: GPL-2.0-only
import signal
import subprocess

import pytest
from program import read_json, write_json

from rocelab.errors import UserError
from rocelab.runs.engine import run_engine, run_json_command
from rocelab.validate.figure import FigureContext, run_figure
from rocelab.validate.options import read_chosen, read_reals

FIGURE = "srnic/figure-12"


@pytest.fixture
def run_srnic_figure(checkout, fake_build, tmp_path, no_pictures):
    """Call run_figure() on the real examples/srnic/figure-12 with the fake engine.

    Tests that look at the picture use check_pictures as well.
    """

    def run(*settings, is_quick=True):
        run_figure(FIGURE, checkout / "examples", tmp_path / "out", fake_build, is_quick, settings)
        folder = FIGURE + "-quick" if is_quick else FIGURE
        return read_json(tmp_path / "out" / folder / "figure.json")

    return run


def test_the_quick_figure_has_the_numbers_of_its_runs(run_srnic_figure, check_pictures, tmp_path, capsys):
    data = run_srnic_figure()
    # Mean FCT of the fake engine: 100.5 us x NIC factor x servers / 16.
    assert data["series"]["srnic"] == [[16, 100.5], [64, 402]]
    assert data["series"]["connectx6"] == [[16, 201], [64, 804]]
    assert [panel["y"]["label"] for panel in data["panels"]] == ["Mean FCT", "P99 FCT", "Mean slowdown"]
    assert data["panels"][0]["series"] == data["series"] and data["panels"][0]["y"] == data["y"]
    assert data["panels"][1]["series"]["srnic"] == [[16, 198], [64, 792]]
    assert data["panels"][1]["ratio"]["to"] == "srnic"
    assert data["panels"][1]["ratio"]["series"]["connectx6"] == [[16, 2], [64, 2]]
    assert data["incomplete"] == {"connectx6": [], "irn": [], "srnic": []}
    assert data["settings"] == {"duration": "300us", "seed": 1, "hardware": "off", "ranks": 1}
    # What the paper states stays apart from what was measured.
    assert [entry["sources"] for entry in data["paper"]] == [["SRNIC-110"], ["SRNIC-111"], ["SRNIC-112"]]
    stated = "ConnectX-6 over SRNIC, least: 1.9 x (mean FCT, P99 FCT, mean slowdown)"
    assert data["paper"][0] == {"sources": ["SRNIC-110"], "where": "Fig 12", "statement": stated}
    assert set(data["series"]) == {"connectx6", "irn", "srnic"}
    printed = capsys.readouterr().out
    assert "2.00x" in printed and "SRNIC-110" in printed
    assert (tmp_path / "out" / f"{FIGURE}-quick" / f"{FIGURE.replace('/', '-')}.svg").stat().st_size > 5000


@pytest.mark.parametrize("sizes, wanted", [("web-search", "web-search"), ("own.cdf", "../../mine/own.cdf")])
def test_a_shipped_distribution_of_a_figure_is_no_path(tmp_path, fake_build, sizes, wanted):
    context = FigureContext("mine", tmp_path / "mine", tmp_path / "out", fake_build, False, {})
    with pytest.raises(UserError):  # The engine of this test reads no such file.
        context.run_scenario({"name": "x", "nics": ["irn"], "fabric": {}, "workload": {"type": "poisson", "sizes": sizes}})
    assert read_json(tmp_path / "out" / "scenarios" / "x.json")["workload"]["sizes"] == wanted


def test_the_scenarios_are_those_of_the_paper(run_srnic_figure, tmp_path, checkout):
    run_srnic_figure("servers=16", "duration=1ms", "seed=7", is_quick=False)
    path = tmp_path / "out" / FIGURE / "scenarios" / "fat-tree-16.json"
    scenario = read_json(path)
    assert scenario["fabric"]["hostRate"] == "100Gbps"
    assert scenario["fabric"]["fabricRate"] == "400Gbps"
    assert scenario["workload"]["load"] == 0.7
    assert scenario["workload"]["duration"] == "1ms"
    sizes = (path.parent / scenario["workload"]["sizes"]).resolve()
    assert sizes == checkout / "traces" / "cache-follower.cdf"
    run = tmp_path / "out" / FIGURE / "runs" / "fat-tree-16" / "srnic" / "scenario.json"
    assert read_json(run)["run"]["seed"] == 7


@pytest.mark.parametrize("settings, expected", [([], "off"), (["hardware=on"], "on")])
def test_hardware_is_off_as_in_the_paper_unless_asked_for(
    run_srnic_figure, tmp_path, settings, expected
):
    data = run_srnic_figure("servers=16", *settings)
    assert data["settings"]["hardware"] == expected
    folder = tmp_path / "out" / f"{FIGURE}-quick"
    scenario = read_json(folder / "scenarios" / "fat-tree-16.json")
    names = ["connectx6", "irn", "srnic"]
    assert scenario["nics"] == [
        {"preset": name, "name": name, "hardware": expected} for name in names
    ]


@pytest.fixture
def ranks(monkeypatch, tmp_path):
    """A function: the option --ranks of each run of the engine."""
    path = tmp_path / "ranks"
    monkeypatch.setenv("FAKE_ENGINE_RANKS", str(path))
    return lambda: path.read_text().splitlines()


def test_ranks_share_a_fabric_that_can_be_cut(run_srnic_figure, ranks, capsys):
    data = run_srnic_figure("ranks=6", "servers=16,64,256,1024")
    assert data["settings"]["ranks"] == 6
    assert data["series"]["srnic"] == [[16, 100.5], [64, 402], [256, 1608], [1024, 6432]]
    # 16 servers are one switch; 64 fall into four parts, 256 into eight.
    assert ranks() == ["None", "4", "6", "6"]
    printed = capsys.readouterr().out
    assert printed.count("Fewer than 6 ranks") == 1
    assert "(16 servers: 1, 64 servers: 4)" in printed


def test_one_rank_is_no_option(run_srnic_figure, ranks, capsys):
    run_srnic_figure("ranks=1", "servers=16,64")
    assert ranks() == ["None", "None"]
    assert "Fewer" not in capsys.readouterr().out


def test_figure_12_runs_all_five_sizes_on_two_ranks_by_default(run_srnic_figure, check_pictures, ranks):
    data = run_srnic_figure(is_quick=False)
    assert [size for size, _ in data["series"]["irn"]] == [16, 64, 256, 1024, 4096]
    assert ranks() == ["None", "2", "2", "2", "2"]


def test_a_precision_measures_the_steady_state(run_srnic_figure, tmp_path):
    data = run_srnic_figure("servers=16", "precision=0.05")
    folder = tmp_path / "out" / f"{FIGURE}-quick"
    scenario = read_json(folder / "scenarios" / "fat-tree-16.json")
    assert scenario["run"] == {"seed": 1, "precision": 0.05, "fluidStart": "20ms", "warmup": "2ms"}
    assert scenario["workload"]["duration"] == data["settings"]["duration"] == "1s"
    assert data["settings"]["precision"] == 0.05


def test_nics_may_be_added(run_srnic_figure):
    data = run_srnic_figure("servers=16", "nics=srnic,balboa")
    assert data["series"] == {"srnic": [[16, 100.5]], "balboa": [[16, 150.75]]}


def test_a_run_with_stalled_flows_is_drawn_and_marked(run_srnic_figure, check_pictures, monkeypatch, capsys):
    monkeypatch.setenv("FAKE_ENGINE_STALL", "irn")
    data = run_srnic_figure("servers=16")
    assert data["incomplete"] == {"connectx6": [], "irn": [16], "srnic": []}
    assert "irn*" in capsys.readouterr().out


@pytest.mark.parametrize(
    "setting, expected",
    [
        ("servers=16,100", "expected some of 16,64,256,1024,4096, got '16,100'"),
        ("nics=irn", "expected srnic among them, got 'irn'"),
        ("seed=one", "expected whole numbers from 0 to 18446744073709551615 with commas between, got 'one'"),
        ("seed=18446744073709551616", "expected whole numbers from 0 to"),
        ("duration=abc", "expected a time such as \"10ms\", got 'abc'"),
        ("duration=-1ms", "expected a time such as \"10ms\", got '-1ms'"),
        ("duration=0us", "expected a time such as \"10ms\", got '0us'"),
        ("precision=0", "expected off, or a number from 0 to 1, got '0'"),
        ("precision=1", "expected off, or a number from 0 to 1, got '1'"),
        ("precision=nan", "expected off, or a number from 0 to 1, got 'nan'"),
        ("precision=2%", "expected off, or a number from 0 to 1, got '2%'"),
        ("ranks=0", "expected a number from 1 to 128, got '0'"),
        ("ranks=129", "expected a number from 1 to 128, got '129'"),
        ("ranks=two", "expected a number from 1 to 128, got 'two'"),
        ("ranks=", "expected a number from 1 to 128, got ''"),
        ("hardware=yes", "expected some of off,on, got 'yes'"),
        ("size=16", "expected one of the options servers=..., nics=..., duration=..., seed=..."),
        ("quick", "got 'quick'"),
    ],
)
def test_a_bad_option_says_what_was_expected(run_srnic_figure, setting, expected):
    with pytest.raises(UserError) as error:
        run_srnic_figure(setting)
    assert expected in str(error.value)


@pytest.fixture
def restore_ctrl_c():
    """A shell that starts the tests in the background lets them ignore SIGINT."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_the_engine_may_write_what_finished_after_ctrl_c(tmp_path, restore_ctrl_c, monkeypatch):
    # Takes longer than the quarter of a second that Python's own subprocess.run() would allow. The signal is
    # passed on, since Ctrl-C does not reach the engine.
    build = write_program(
        tmp_path,
        f"trap 'sleep 0.4; touch {tmp_path}/finished; exit 130' TERM\n"
        f"while [ ! -e {tmp_path}/waits ]; do sleep 0.01; done\nkill -INT $PPID\nsleep 600 &\nwait",
    )
    wait = subprocess.Popen.wait

    def wait_and_say(process, *arguments):
        (tmp_path / "waits").touch()
        return wait(process, *arguments)

    monkeypatch.setattr(subprocess.Popen, "wait", wait_and_say)
    with pytest.raises(KeyboardInterrupt):
        run_engine(build, "any.json", tmp_path)
    assert (tmp_path / "finished").exists()


def test_a_failing_engine_ends_the_figure(run_srnic_figure, monkeypatch):
    monkeypatch.setenv("FAKE_ENGINE_STATUS", "4")
    with pytest.raises(UserError, match="fat-tree-16.json: expected the run to succeed, got .* 4"):
        run_srnic_figure()


def test_a_missing_engine_is_named(checkout, tmp_path):
    with pytest.raises(UserError, match="rocelab: expected the program that ./waf build makes"):
        run_figure(FIGURE, checkout / "examples", tmp_path, tmp_path / "no-build", True)


def write_example(tmp_path, text):
    folder = tmp_path / "examples" / "mine"
    folder.mkdir(parents=True)
    (folder / "figure.py").write_text(text)
    return folder


def test_a_users_figure_may_bring_its_own_scenario_file_and_picture(tmp_path, fake_build):
    folder = write_example(
        tmp_path,
        "from matplotlib.figure import Figure\n"
        "def run(context):\n"
        "    result = context.run_scenario('mine.json', nics=['irn'], seed=3)\n"
        "    axis = {'label': 'Time', 'unit': 'us'}\n"
        "    points = {'irn': [[3, result['irn'].fct_us('p50')]]}\n"
        "    context.write_figure(axis, axis, points, [], plot=lambda data: Figure())\n",
    )
    scenario = {"name": "tiny", "nics": ["srnic", "irn"], "fabric": {"servers": 16}}
    scenario |= {"workload": {"sizes": "any.cdf"}, "run": {}}
    write_json(folder / "mine.json", scenario)
    written = run_figure("mine", folder.parent, tmp_path / "out", fake_build)
    assert [path.name for path in written] == ["figure.json", "mine.png", "mine.svg", "mine.pdf"]
    data = read_json(written[0])
    assert data["series"] == {"irn": [[3, 110]]}  # P50 is 100 us x 1.1.
    assert set(data) == {"x", "y", "series", "paper", "made"}
    assert (data["made"]["quick"], data["made"]["options"]) == (False, {})


@pytest.mark.parametrize(
    "text, expected",
    [
        ("x = 1\n", "figure.py: expected a function run"),
        ("def run(context):\n    pass\n", r"figure.py: expected run\(\) to call write_figure"),
    ],
)
def test_a_figure_file_without_a_figure_is_an_error(tmp_path, text, expected):
    write_example(tmp_path, text)
    with pytest.raises(UserError, match=expected):
        run_figure("mine", tmp_path / "examples", tmp_path / "out", tmp_path)


@pytest.mark.parametrize("name", ["nothing", "../examples/mine", ""])
def test_an_unknown_figure_lists_the_known_ones(tmp_path, name):
    write_example(tmp_path, "def run(context):\n    pass\n")
    with pytest.raises(UserError, match=r"expected a folder with a figure.py \((nearest: )?mine; --list"):
        run_figure(name, tmp_path / "examples", tmp_path / "out", tmp_path)


def write_program(tmp_path, text):
    program = tmp_path / "build" / "rocelab"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\n{text}\n")
    program.chmod(0o755)
    return program.parent


def test_a_figure_may_run_any_command_that_prints_json(tmp_path):
    build = write_program(tmp_path, 'echo "{\\"said\\": \\"$*\\"}"; echo a warning >&2')
    context = FigureContext("mine", tmp_path / "mine", tmp_path / "out", build, False, {})
    assert context.run_command(["perftest", "send_bw", "--size", 64, "--json"]) == {
        "said": "perftest send_bw --size 64 --json"
    }


def test_a_figure_may_run_a_measurement(tmp_path):
    build = write_program(tmp_path, 'echo "{\\"rows\\": [{\\"said\\": \\"$*\\"}]}"')
    context = FigureContext("mine", tmp_path / "mine", tmp_path / "out", build, False, {})
    (row,) = context.measure(
        "kv-store", ["A=1"], utilization=[0.1, 0.5], fill=True, kv_size="5-30", **{"max-slab": 512}
    )
    words = "utilization=0.1,0.5 fill=true kv-size=5-30 max-slab=512 --set A=1"
    assert row == {"said": f"measure kv-store --json {words}"}


@pytest.mark.parametrize(
    "text, expected",
    [
        ("echo '{}'; exit 2", "rocelab perftest --json: expected it to succeed, got exit status 2"),
        ("echo no", "rocelab perftest --json: expected JSON on its output, got: Expecting value"),
    ],
)
def test_a_command_that_fails_is_named(tmp_path, text, expected):
    build = write_program(tmp_path, text)
    with pytest.raises(UserError) as error:
        run_json_command(build, ["perftest", "--json"])
    assert str(error.value) == expected


def test_a_command_of_a_missing_engine_is_an_error(tmp_path):
    with pytest.raises(UserError, match="rocelab: expected the program that ./waf build makes"):
        run_json_command(tmp_path / "no-build", ["perftest", "--json"])


def test_a_folder_that_cannot_be_written_is_found_before_the_runs(tmp_path, fake_build):
    folder = write_example(tmp_path, "def run(context):\n    raise RuntimeError('it ran')\n")
    (tmp_path / "file").write_text("precious")
    for out in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(UserError, match="expected a folder that can be written, got: "):
            run_figure("mine", folder.parent, out, fake_build)
    assert (tmp_path / "file").read_text() == "precious"


def test_a_figure_that_is_run_again_runs_only_what_is_not_there(run_srnic_figure, ranks, monkeypatch, capsys, tmp_path):
    monkeypatch.setenv("FAKE_ENGINE_FAIL_AT", "64")
    with pytest.raises(UserError, match="expected the run to succeed, got exit status 1"):
        run_srnic_figure("servers=16,64")
    assert len(ranks()) == 2
    monkeypatch.delenv("FAKE_ENGINE_FAIL_AT")
    first = run_srnic_figure("servers=16,64")
    assert len(ranks()) == 3 and first["series"]["srnic"] == [[16, 100.5], [64, 402]]
    assert "fat-tree-16: kept, " in capsys.readouterr().out
    again = run_srnic_figure("servers=16,64")
    assert len(ranks()) == 3 and again == first
    # Another seed is another run; so are results that are damaged.
    run_srnic_figure("servers=16,64", "seed=2")
    assert len(ranks()) == 5
    folder = tmp_path / "out" / f"{FIGURE}-quick" / "runs" / "fat-tree-16" / "srnic"
    (folder / "flows.csv").write_text("damaged")
    run_srnic_figure("servers=16,64", "seed=2")
    assert len(ranks()) == 6


def test_another_program_makes_all_results_again(run_srnic_figure, ranks, fake_build):
    run_srnic_figure("servers=16")
    with open(fake_build / "rocelab", "a", encoding="utf-8") as program:
        program.write("# Another build.\n")
    run_srnic_figure("servers=16")
    assert len(ranks()) == 2


def test_numbers_of_an_option_are_rising_and_within_bounds():
    assert read_reals({"load": "0.5,0.1,0.5"}, "load", 0, 1) == [0.1, 0.5]
    for text in ("", "nan", "1.5", "-0.1", "0.2,high"):
        with pytest.raises(UserError, match="^option load: expected numbers from 0 to 1 with commas between, got "):
            read_reals({"load": text}, "load", 0, 1)


def test_words_of_an_option_are_known():
    assert read_chosen({"hardware": "on,off,on"}, "hardware", ("off", "on")) == ["on", "off"]
    with pytest.raises(UserError, match="^option hardware: expected some of off,on, got 'yes'$"):
        read_chosen({"hardware": "yes"}, "hardware", ("off", "on"))
