# SPDX-License-Identifier: GPL-2.0-only
"""rocelab reproduce: which figures run, what is kept, and which differences make it fail."""

import contextlib
import importlib.util
import pathlib
import textwrap

import pytest
from program import read_json, read_rows

from rocelab.__main__ import main
from rocelab.validate import figure_jobs, reproduce

FACTS = """id,paper,where,quantity,relation,value,unit,condition,kind
A-001,A,Fig 1,throughput,=,100,Gb/s,,result
A-002,A,Fig 2,latency,=,2,us,,result
"""
STATUS = """fact,figure,class,same_as,chosen,evidence,why
A-001,g/one,predicted,,,the link saturates,a miss has a reason
A-002,g/two,predicted,,,the pipeline,a miss has a reason
"""
FIGURE = '''
    """A figure."""
    import json
    from rocelab.validate.figure import Option
    OPTIONS = {{"n": Option("5", "1", "count")}}

    def run(context):
        folder = context.results
        runs = folder / "count"
        runs.write_text(runs.read_text() + "x" if runs.exists() else "x")
        rows = [{{"what": "number", "ours": {ours}, "facts": ["{fact}"], "met": True}}]
        made = {{"version": "1", "commit": "{commit}", "quick": context.is_quick, "options": context.options}}
        (folder / "figure.json").write_text(json.dumps({{"checks": rows, "made": made}}))
        context.written.append(folder / "figure.json")
'''
COMMIT = "0123456789"


class JobsHere(figure_jobs.FigureJobs):
    """Runs the figures in this process: a Python of its own takes most of their time."""

    def __iter__(self):
        self._logs.mkdir(parents=True, exist_ok=True)
        for name in self._waiting:
            log = self._logs / f"{name.replace('/', '-')}.log"
            with open(log, "w") as output, contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
                status = main(["figure", name, *map(str, self._options)])
            yield figure_jobs.Ended(name, status, 0.1, log)


@pytest.fixture
def places(tmp_path, monkeypatch):
    """Folders validation, docs and examples with two figures; this checkout is at COMMIT."""
    monkeypatch.setattr(reproduce, "get_commit", lambda: COMMIT)
    monkeypatch.setattr(reproduce, "FigureJobs", JobsHere)
    (tmp_path / "docs").mkdir()
    (tmp_path / "validation").mkdir()
    (tmp_path / "validation" / "facts.csv").write_text(FACTS)
    (tmp_path / "validation" / "status.csv").write_text(STATUS)
    write_figure(tmp_path, "one", "A-001", 99)
    write_figure(tmp_path, "two", "A-002", 2.1)
    return tmp_path


def write_figure(places, name, fact, ours, commit=COMMIT):
    """Write the script of a figure that answers a fact by a number."""
    folder = places / "examples" / "g" / name
    folder.mkdir(parents=True, exist_ok=True)
    script = folder / "figure.py"
    script.write_text(textwrap.dedent(FIGURE.format(ours=ours, fact=fact, commit=commit)))
    # Python takes a script of the same second and size for the one that it has compiled, wherever it keeps that.
    pathlib.Path(importlib.util.cache_from_source(str(script))).unlink(missing_ok=True)


def call(places, *words):
    """Call the command on these folders; returns its exit status."""
    folders = [f"--{name}={places / name}" for name in ("validation", "docs", "examples", "out")]
    return main(["reproduce", *folders, *words])


def read_measured(places):
    """Return {figure: ours} of measured.csv."""
    return {row["figure"]: row["ours"] for row in read_rows(places / "validation" / "measured.csv")}


def count_runs(places, name):
    """Return how often a figure was run."""
    return len((places / "out" / "g" / name / "count").read_text())


def test_the_first_run_needs_accept_and_writes_all_rows_and_durations(places, capsys):
    assert call(places) == 1  # There are no numbers before: each row is a difference.
    assert not (places / "validation" / "measured.csv").exists()
    assert "g/one" in capsys.readouterr().out
    assert call(places, "--accept") == 0
    assert read_measured(places) == {"g/one": "99", "g/two": "2.1"}
    durations = read_rows(places / "validation" / "durations.csv")
    assert [row["figure"] for row in durations] == ["g/one", "g/two"]


def test_pages_have_the_durations_of_this_run(places):
    write_figure(places, "one", "A-001", 50)  # A miss: the page names the figure.
    (places / "validation" / "durations.csv").write_text("figure,seconds\ng/one,777\n")
    page = places / "docs" / "page.md"
    page.write_text("<!-- facts: figures -->\n<!-- end of facts -->\n")
    assert call(places, "--accept") == 0
    assert "| g/one | 1 | 0 | 0 | 0 |" in page.read_text()  # 0.1 s.


def test_results_of_this_commit_are_kept_and_others_are_made_again(places):
    call(places, "--accept")
    assert call(places) == 0
    assert [count_runs(places, name) for name in ("one", "two")] == [1, 1]
    path = places / "out" / "g" / "two" / "figure.json"
    path.write_text(path.read_text().replace(COMMIT, "fedcba9876"))
    assert call(places) == 0
    assert [count_runs(places, name) for name in ("one", "two")] == [1, 2]


def test_results_with_other_options_are_made_again(places):
    call(places, "--accept")
    path = places / "out" / "g" / "one" / "figure.json"
    path.write_text(path.read_text().replace('"n": "5"', '"n": "6"'))
    assert call(places) == 0
    assert count_runs(places, "one") == 2


@pytest.mark.parametrize("ours, status", [(99.09, 0), (99.2, 1)])
def test_a_number_may_move_by_a_thousandth(places, ours, status, capsys):
    # 99 x 1.001 = 99.099.
    call(places, "--accept")
    write_figure(places, "one", "A-001", ours)
    (places / "out" / "g" / "one" / "figure.json").unlink()
    capsys.readouterr()
    assert call(places) == status
    assert ("before" in capsys.readouterr().out) == bool(status)


def test_a_result_that_is_missed_now_is_a_difference(places, capsys):
    call(places, "--accept")
    write_figure(places, "two", "A-002", 2.5)  # More than 10 % from 2.
    (places / "out" / "g" / "two" / "figure.json").unlink()
    assert call(places) == 1
    assert "A-002" in capsys.readouterr().out
    assert read_measured(places)["g/two"] == "2.1"


@pytest.mark.slow
def test_a_figure_that_fails_is_named_with_its_output_and_nothing_is_written(places, capsys, monkeypatch):
    monkeypatch.setattr(reproduce, "FigureJobs", figure_jobs.FigureJobs)  # In processes of their own.
    (places / "examples" / "g" / "two" / "figure.py").write_text('"""Bad."""\ndef run(context):\n    raise OSError(5, "no")\n')
    assert call(places, "--accept") == 1
    printed = capsys.readouterr().out
    log = places / "out" / "reproduce" / "g-two.log"
    assert f"g/two: failed with exit status 1 ({log})" in printed
    assert "no" in log.read_text()
    assert not (places / "validation" / "measured.csv").exists()


def test_a_quick_run_compares_nothing(places):
    assert call(places, "--quick") == 0
    assert read_json(places / "out" / "g" / "one-quick" / "figure.json")["made"]["quick"] is True
    assert not (places / "validation" / "measured.csv").exists()


def test_a_checkout_with_changes_is_refused_unless_it_is_quick(places, monkeypatch, capsys):
    monkeypatch.setattr(reproduce, "get_commit", lambda: COMMIT + "-dirty")
    assert call(places) == 2
    assert capsys.readouterr().err == "rocelab: reproduce: expected a clean checkout, got changes (git status lists them)\n"
    assert call(places, "--quick") == 0


def test_an_unknown_figure_is_one_line(places, capsys):
    assert call(places, "--figure", "g/on") == 2
    assert "expected a figure (nearest: g/one" in capsys.readouterr().err
