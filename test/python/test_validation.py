# SPDX-License-Identifier: GPL-2.0-only
"""The table of facts: where each status comes from, `rocelab validate`, the tables of docs/."""

import json
import re
import subprocess
import sys

import pytest

from rocelab.__main__ import main
from rocelab.errors import UserError
from rocelab.validate.facts import VALIDATION
from rocelab.validate.ledger import (
    AUTHORS,
    FITTED,
    MISSED,
    NO_COMPARISON,
    NOT_DONE,
    NOT_MODELLED,
    PREDICTED,
    SAME,
    SELECTED,
    Ledger,
    count_predictions,
    count_statuses,
)

FACTS = """id,paper,where,quantity,relation,value,unit,condition,kind
A-001,A,Fig 1,throughput,=,100,Gb/s,large messages,result
A-002,A,Fig 1,processor use,<,5,%,,result
A-003,A,Fig 2,"latency grows linearly, and more",,,,,result
A-004,A,Fig 2,latency,=,2,us,,result
A-005,A,abstract,throughput,=,100,Gb/s,,result
A-006,A,abstract,latency,=,1,us,,result
B-001,B,Fig 1,power,=,7,W,,result
B-002,B,Fig 1,keys,=,8,M/s,,baseline
"""
STATUS = """fact,figure,class,same_as,chosen,evidence,why
A-001,fig-1,predicted,,,the link saturates,
A-002,fig-1,predicted,,Nic::Delay,cost of a message,the core has other work
A-003,fig-2,selected,,range of sizes,a round trip per element,
A-004,fig-2,fitted,,Nic::Delay; Nic::Rate,delay of the NIC,
A-005,fig-1,,A-001,,,
A-006,fig-2,,A-004,,,rounded
B-001,,not modelled,,,,there is no power
B-002,,not done,,,,
"""
NOTHING_DONE = "fact,figure,class,same_as,chosen,evidence,why\n" + "".join(
    f"{line.split(',')[0]},,not done,,,,\n" for line in FACTS.splitlines()[1:]
)
PAGE = """# Page

<!-- facts: {} -->
old
<!-- end of facts -->

The rest.
"""
ROWS = {
    "fig-1": [
        {"what": "write", "ours": 104, "facts": ["A-001", "A-005"], "met": True},
        {"what": "read", "ours": 95.5, "facts": ["A-001"], "met": True},
        {"what": "core", "ours": 61, "facts": ["A-002"], "met": False},
        {"what": "of our own", "ours": 1, "facts": [], "met": True},
    ],
    "fig-2": [
        {"what": "shape", "ours": "0.1 % off a line", "facts": ["A-003"], "met": True},
        {"what": "median", "ours": 2.1, "facts": ["A-004", "A-006"], "met": True},
    ],
}


def write_result(folder, name, rows, **made):
    """Write FOLDER/<name>/figure.json with rows of validation."""
    (folder / name).mkdir(parents=True, exist_ok=True)
    origin = {"version": "0.1.0", "commit": "abc", "quick": False, "options": {"n": "5"}} | made
    (folder / name / "figure.json").write_text(json.dumps({"checks": rows, "made": origin}))


@pytest.fixture
def places(tmp_path):
    """Folders validation (facts and status), docs (one page) and results (two figures)."""
    for name in ("validation", "docs", "results"):
        (tmp_path / name).mkdir()
    (tmp_path / "validation" / "facts.csv").write_text(FACTS)
    (tmp_path / "validation" / "status.csv").write_text(STATUS)
    (tmp_path / "docs" / "page.md").write_text(PAGE.format("all"))
    for name, rows in ROWS.items():
        write_result(tmp_path / "results", name, rows)
    return tmp_path


@pytest.fixture
def validate(places):
    """Call the command on these folders; returns its exit status."""

    def run(*more):
        folders = ["--out", "results", "--docs", "docs", "--validation", "validation"]
        words = [str(places / word) if word[0] != "-" else word for word in folders]
        return main(["validate", *words, *more])

    return run


def read_tree(folder):
    """Return {path: text} of all files below a folder."""
    return {path: path.read_text() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_a_status_is_the_class_unless_the_number_misses_or_repeats_another(places, validate):
    assert validate() == 0
    entries = {entry.fact.id: entry for entry in Ledger(places / "validation").get_entries()}
    assert [entry.status for entry in entries.values()] == [
        PREDICTED, MISSED, SELECTED, FITTED, SAME, MISSED, NOT_MODELLED, NOT_DONE,
    ]  # fmt: skip
    # Two rows answer the first: both within 10 % of 100.
    assert (entries["A-001"].ours, entries["A-001"].difference) == ("95.5 to 104", "-4.5% to +4.0%")
    assert (entries["A-002"].paper, entries["A-002"].ours) == ("< 5 %", "61.0")
    assert entries["A-003"].ours == "0.1 % off a line"
    assert entries["A-004"].source.constants == ("Nic::Delay", "Nic::Rate")


def test_a_miss_keeps_its_class(places, validate):
    validate()
    entries = {entry.fact.id: entry for entry in Ledger(places / "validation").get_entries()}
    assert (entries["A-002"].status, entries["A-002"].source.evidence_class) == (MISSED, PREDICTED)


def test_a_repeated_number_has_the_evidence_of_the_other_and_its_own_remark(places):
    sources = Ledger(places / "validation").sources
    source = sources["A-006"]
    assert (source.evidence_class, source.chosen) == (FITTED, "Nic::Delay; Nic::Rate")
    assert (source.evidence, source.why, source.figure) == ("delay of the NIC", "rounded", "fig-2")


def test_predictions_are_counted_once_and_only_if_no_number_is_repeated(places, validate):
    validate()
    headers, rows = count_predictions(Ledger(places / "validation").get_entries())
    assert headers[2:] == [
        "independent predictions", "within 10 %", "bound or statement met", "predictions missed", "all missed",
        "met with the authors' code",
    ]  # fmt: skip
    # A-001 is within 10 %, A-005 repeats it; A-002 is a prediction that misses, A-006 a repeated
    # fitted number that misses.  The baseline B-002 is no result.
    assert rows == [["A", 6, 2, 1, 0, 1, 2, 0], ["B", 1, 0, 0, 0, 0, 0, 0], ["all", 7, 2, 1, 0, 1, 2, 0]]


def test_a_fact_without_a_comparison_is_neither_met_nor_missed_nor_a_prediction(places, validate):
    change_status("A-002,fig-1,predicted", "A-002,fig-1,no comparison")(places)
    validate()
    entries = Ledger(places / "validation").get_entries()
    # 61 % breaks the bound of 5 %, but the paper leaves open of what: the number stays, without a verdict.
    assert (entries[1].status, entries[1].ours) == (NO_COMPARISON, "61.0")
    _, rows = count_predictions(entries)
    assert rows[0] == ["A", 6, 1, 1, 0, 0, 1, 0]
    headers, rows = count_statuses(entries)
    assert rows[0][headers.index(NO_COMPARISON)] == 1


def test_rows_with_the_authors_code_are_counted_apart_from_predictions_and_results(places, validate):
    facts = FACTS + "A-007,A,Fig 2,latency,=,2,us,A-004 by the authors' code,baseline\n"
    facts += "A-008,A,Fig 2,throughput,=,9,Gb/s,A-001 by the authors' code,baseline\n"
    (places / "validation" / "facts.csv").write_text(facts)
    lines = "A-007,fig-3,authors' code,,,their settings,\nA-008,fig-3,authors' code,,,their settings,not found\n"
    (places / "validation" / "status.csv").write_text(STATUS + lines)
    rows = [{"what": "theirs", "ours": 2, "facts": ["A-007"]}, {"what": "rate", "ours": 5, "facts": ["A-008"]}]
    write_result(places / "results", "fig-3", rows)
    validate()
    entries = Ledger(places / "validation").get_entries()
    assert [entry.status for entry in entries[-2:]] == [AUTHORS, MISSED]
    _, rows = count_predictions(entries)
    assert rows == [["A", 6, 2, 1, 0, 1, 2, "1 of 2"], ["B", 1, 0, 0, 0, 0, 0, 0], ["all", 7, 2, 1, 0, 1, 2, "1 of 2"]]
    headers, rows = count_statuses(entries)
    assert AUTHORS not in headers and rows[0][1] == 6 == sum(rows[0][2:])


def test_a_bound_that_is_kept_is_no_number_within_ten_percent(places, validate):
    rows = [row | {"ours": 4, "met": True} if row["what"] == "core" else row for row in ROWS["fig-1"]]
    write_result(places / "results", "fig-1", rows)
    validate()
    _, rows = count_predictions(Ledger(places / "validation").get_entries())
    assert rows[0] == ["A", 6, 2, 1, 1, 0, 1, 0]


def test_what_made_the_numbers_is_kept_beside_them(places, validate):
    validate()
    assert (places / "validation" / "measured.csv").read_text() == (
        "figure,what,facts,ours,met,options,version,commit\n"
        "fig-1,write,A-001 A-005,104,,n=5,0.1.0,abc\n"
        "fig-1,read,A-001,95.5,,n=5,0.1.0,abc\n"
        "fig-1,core,A-002,61,,n=5,0.1.0,abc\n"
        "fig-2,shape,A-003,0.1 % off a line,yes,n=5,0.1.0,abc\n"
        "fig-2,median,A-004 A-006,2.1,,n=5,0.1.0,abc\n"
    )


def test_the_pages_get_a_row_per_fact(places, validate):
    validate()
    lines = (places / "docs" / "page.md").read_text().splitlines()
    assert lines[3] == (
        "| fact | what | paper | ours | difference | class | evidence [chosen] | why, remark | figure |"
    )
    assert lines[5] == (
        "| A-001 | throughput (Fig 1, large messages) | 100 Gb/s | 95.5 to 104 | -4.5% to +4.0% |"
        " predicted | the link saturates | | `fig-1` |"
    )
    assert lines[6].endswith(
        "| **missed** (predicted) | cost of a message [Nic::Delay] | the core has other work | `fig-1` |"
    )
    assert "| predicted, counted with A-001 | the link saturates |" in lines[9]
    assert "| **missed** (fitted) | delay of the NIC [Nic::Delay; Nic::Rate] | rounded |" in lines[10]
    assert lines[11].endswith("| 7 W | | | not modelled | | there is no power | |")
    assert (lines[13], lines[-1]) == ("<!-- end of facts -->", "The rest.")


def test_a_page_of_answered_facts_has_predictions_first_and_misses_last(places, validate):
    (places / "docs" / "page.md").write_text(PAGE.format("answered"))
    validate()
    lines = (places / "docs" / "page.md").read_text().splitlines()[5:11]
    assert [line[2:7] for line in lines] == ["A-001", "A-003", "A-004", "A-005", "A-002", "A-006"]


def test_what_was_chosen_is_listed_with_the_facts_that_it_enters_by_class(places, validate):
    (places / "docs" / "page.md").write_text(PAGE.format("chosen"))
    validate()
    assert (places / "docs" / "page.md").read_text().splitlines()[3:9] == [
        "| chosen | fitted facts | selected facts | other facts | predictions |",
        "| --- | --- | --- | --- | --- |",
        "| `Nic::Delay` | A-004 | | | A-002 |",
        "| range of sizes | | A-003 | | |",
        "| `Nic::Rate` | A-004 | | | |",
        "<!-- end of facts -->",
    ]


def test_the_readme_beside_the_pages_has_tables_too(places, validate):
    (places / "README.md").write_text(PAGE.format("predictions"))
    assert validate() == 0
    lines = (places / "README.md").read_text().splitlines()
    assert lines[5:8] == ["| A | 6 | 2 | 1 | | 1 | 2 | |", "| B | 1 | | | | | | |", "| all | 7 | 2 | 1 | | 1 | 2 | |"]


def test_a_sentence_counts_results_answers_and_predictions(places, validate):
    (places / "README.md").write_text(PAGE.format("counts"))
    assert validate() == 0
    # A-001 to A-006 and B-001 are results, B-001 has no figure; of the predictions A-001 and A-002 one is met.
    assert (places / "README.md").read_text().splitlines()[3] == (
        "2 papers state 7 results, and figures of RoceLab answer 6 of them."
        " 1 of 2 independent predictions are within 10 %, or meet the paper's bound or statement."
    )


@pytest.mark.parametrize(
    "words, rows",
    [
        ("answered", 6),
        ("missed", 2),
        ("missed B", 0),
        ("missing", 2),
        ("all B", 2),
        ("answered B", 0),
        ("predictions", 3),
        ("summary", 3),
        ("chosen", 3),
        ("runs", 2),
    ],
)
def test_a_page_chooses_its_rows(places, validate, words, rows):
    (places / "docs" / "page.md").write_text(PAGE.format(words))
    assert validate() == 0
    text = (places / "docs" / "page.md").read_text()
    assert text.count("\n| ") == rows + 2  # Header and rule.


def test_the_summary_counts_results_only(places, validate):
    (places / "docs" / "page.md").write_text(PAGE.format("summary"))
    validate()
    lines = (places / "docs" / "page.md").read_text().splitlines()
    assert lines[3] == (
        "| paper | results | predicted | selected | fitted | input | repeated | missed | no comparison | not modelled | not done |"
    )
    assert lines[5:8] == [
        "| A | 6 | 1 | 1 | 1 | | 1 | 2 | | | |",
        "| B | 1 | | | | | | | | 1 | |",
        "| all | 7 | 1 | 1 | 1 | | 1 | 2 | | 1 | |",
    ]


def test_the_command_prints_predictions_first(validate, capsys):
    validate()
    said = capsys.readouterr().out
    headers = [line for line in said.splitlines() if line.startswith(("paper", "missed"))]
    assert "independent predictions" in headers[0] and "selected" in headers[1]
    assert headers[2].split()[-1] == "class"


def test_results_that_are_not_there_leave_the_old_numbers(places, validate, capsys):
    validate()
    (places / "results" / "fig-1" / "figure.json").unlink()
    write_result(places / "results", "fig-2", ROWS["fig-2"], commit="def")
    assert validate() == 0
    text = (places / "validation" / "measured.csv").read_text()
    assert "fig-1,core,A-002,61,,n=5,0.1.0,abc" in text and "fig-2,median,A-004 A-006,2.1,,n=5,0.1.0,def" in text
    assert "numbers as in measured.csv: fig-1" in capsys.readouterr().out


def change_status(old, new):
    """Return a change of status.csv."""
    return lambda places: (places / "validation" / "status.csv").write_text(STATUS.replace(old, new))


def change_rows(name, rows, **made):
    """Return a change of a figure.json."""
    return lambda places: write_result(places / "results", name, rows, **made)


@pytest.mark.parametrize(
    "change, expected",
    [
        (change_status("B-002,,not done,,,,\n", ""), "status.csv: expected a line for B-002, got none"),
        (
            change_status("B-002,,not done,,,,\n", "B-002,,not done,,,,\nB-002,,not done,,,,\n"),
            "status.csv:10: expected a fact of facts.csv that no line before has, got 'B-002'",
        ),
        (
            change_status("fact,figure,class", "fact,class,figure"),
            "status.csv:1: expected the header fact,figure,class,same_as,chosen,evidence,why",
        ),
        (
            change_status("fig-1,predicted,,,", "fig-1,guessed,,,"),
            "status.csv:2: expected one of the classes predicted, selected, fitted, input, authors' code,"
            " no comparison, not modelled, not done, got 'guessed'",
        ),
        (
            change_status("fig-1,predicted,,,the link", "fig-1,,,,the link"),
            "status.csv:2: expected one of the classes predicted, selected, fitted, input, authors' code,"
            " no comparison, not modelled, not done, got ''",
        ),
        (
            change_status(",the link saturates", ","),
            "status.csv:2: expected a figure and the evidence of what is predicted",
        ),
        (
            change_status("A-001,fig-1", "A-001,"),
            "status.csv:2: expected a figure and the evidence of what is predicted",
        ),
        (
            change_status("range of sizes", ""),
            "status.csv:4: expected what was chosen, as it is selected",
        ),
        (
            change_status("Nic::Delay; Nic::Rate", " ; "),
            "status.csv:5: expected what was chosen, as it is fitted",
        ),
        (
            change_status("A-001,fig-1,predicted", "A-001,fig-1,no comparison"),
            "status.csv:2: expected why there is no comparison",
        ),
        (
            change_status("A-002,fig-1,predicted,,Nic::Delay", "A-002,fig-1,predicted,,Nic::Cost"),
            "status.csv:3: expected what a selected, fitted or input fact has, too, as chosen, got 'Nic::Cost'",
        ),
        (
            change_status("A-005,fig-1,,A-001", "A-005,fig-1,predicted,A-001"),
            "status.csv:6: expected figure, same_as and why only, as same_as is set",
        ),
        (
            change_status("A-005,fig-1,,A-001", "A-005,fig-1,,A-009"),
            "status.csv:6: expected a fact that a figure answers, and that is the same as no other, as"
            " same_as, got 'A-009'",
        ),
        (
            change_status("A-005,fig-1,,A-001", "A-005,fig-1,,A-006"),
            "status.csv:6: expected a fact that a figure answers, and that is the same as no other, as"
            " same_as, got 'A-006'",
        ),
        (
            change_status("A-005,fig-1,,A-001", "A-005,fig-1,,B-001"),
            "status.csv:6: expected a fact that a figure answers, and that is the same as no other, as"
            " same_as, got 'B-001'",
        ),
        (
            change_status(",there is no power", ","),
            "status.csv:8: expected why it is not modelled",
        ),
        (
            change_status("B-002,,not done", "B-002,fig-1,not done"),
            "status.csv:9: expected no figure, chosen or evidence of what is not done",
        ),
        (
            change_status("the core has other work", ""),
            "status.csv: A-002: expected why it is missed, got nothing",
        ),
        (
            change_rows("fig-2", ROWS["fig-2"][:1]),
            "fig-2/figure.json: expected an answer to A-004, A-006, got none (a run with other options?)",
        ),
        (
            change_rows("fig-2", [*ROWS["fig-2"], {"what": "x", "ours": 1, "facts": ["A-001"], "met": True}]),
            "fig-2/figure.json: expected facts whose figure in status.csv is fig-2, got A-001 (fig-1)",
        ),
        (
            change_rows("fig-2", ROWS["fig-2"], quick=True),
            "fig-2/figure.json: expected a full run that says what made it (run the figure again)",
        ),
        (
            lambda places: (places / "docs" / "page.md").write_text(PAGE.format("all C")),
            "page.md: expected papers of facts.csv, got 'C'",
        ),
        (
            lambda places: (places / "docs" / "page.md").write_text(PAGE.format("some")),
            "page.md: expected one of counts, predictions, summary, chosen, runs, answered, missed, missing, all, figure, group, peers, kinds, figures, got 'some'",
        ),
    ],
)
def test_bad_input_is_one_line_and_nothing_is_written(places, validate, capsys, change, expected):
    change(places)
    before = read_tree(places)
    assert validate() == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and said.rstrip().endswith(expected)
    assert read_tree(places) == before


def test_a_figure_that_answers_nothing_is_refused(validate, capsys):
    assert validate("--figure", "fig-3") == 2
    assert "expected one that answers facts (nearest: fig-2), got 'fig-3'" in capsys.readouterr().err


def test_options_need_a_run_of_one_figure(validate, capsys):
    assert validate("--option", "n=6") == 2
    assert "--option: expected --rerun" in capsys.readouterr().err
    assert validate("--rerun", "--option", "n=6") == 2
    assert "--option: expected exactly one --figure" in capsys.readouterr().err


def test_figures_can_be_run_first(places, fake_build, validate):
    folder = places / "examples" / "fig-1"
    folder.mkdir(parents=True)
    folder.joinpath("figure.py").write_text(
        "from rocelab.validate.figure import Option\n"
        "OPTIONS = {'n': Option('5', '1', 'a number')}\n"
        "def run(context):\n"
        "    axis = {'label': 'a', 'unit': ''}\n"
        f"    rows = {ROWS['fig-1']!r}\n"
        "    rows[2]['ours'] = 10 * float(context.options['n'])\n"
        "    context.write_figure(axis, axis, {'a': [[1, 2], [2, 3]]}, [], checks=rows)\n"
    )
    options = ["--rerun", "--figure", "fig-1", "--option", "n=7"]
    assert validate(*options, "--build", str(fake_build), "--examples", str(folder.parent)) == 2
    # The second figure has no numbers yet: the table would not be whole.
    assert validate("--figure", "fig-2") == 2
    assert validate() == 0
    assert "fig-1,core,A-002,70,,n=7," in (places / "validation" / "measured.csv").read_text()


def test_the_projects_ledger_is_whole(checkout):
    ledger = Ledger(checkout / "validation")
    assert len(ledger.get_entries()) == len(ledger.facts)
    for name in ledger.figures:
        text = (checkout / "examples" / name / "figure.py").read_text()
        for source in ledger.sources.values():
            assert source.figure != name or source.fact in text, f"{name} does not name {source.fact}"


def test_what_the_readme_states_about_srnics_figure_12_holds(checkout):
    text = " ".join((checkout / "README.md").read_text().split())
    answers = Ledger(checkout / "validation").answers
    least, most, least_of_authors, most_of_authors = (
        [answer.ours for answer in answers if fact in answer.facts]
        for fact in ("SRNIC-110", "SRNIC-111", "SRNIC-614", "SRNIC-615")
    )
    assert "slower than `srnic` in all three measures at all five sizes" in text
    assert len(least) == 5 and min(least) > 1
    assert "mostly by less than the paper's factor of 1.9 to 2.2" in text
    assert sum(ratio < 1.9 for ratio in least + most) >= 8
    range_of_authors = f"{min(least_of_authors):.1f} to {max(most_of_authors):.1f}"
    assert f"The settings of its authors' code give {range_of_authors} at up to 256 servers" in text


def test_each_constant_of_the_ledger_is_in_the_sources(checkout):
    text = "".join(path.read_text() for path in checkout.glob("src/*/model/**/*.[ch]*"))
    for source in Ledger(checkout / "validation").sources.values():
        for name in source.constants:
            if "::" in name:
                owner, member = name.split("::")
                # An attribute is a text, a value of a cost model an enumerator.
                known = f'"{member}"' in text or f"{member}{{" in text
                assert owner in text and known, f"{source.fact}: {name}"


def test_each_attribute_that_says_fitted_is_marked_in_the_ledger(checkout):
    marked = {name for source in Ledger(checkout / "validation").sources.values() for name in source.constants}
    # Fitted to Cai et al. 2021, none of the five papers: no fact was in view.
    marked.add("KernelTcp::Pages")
    for path in checkout.glob("src/*/model/**/*.cc"):
        text = path.read_text()
        owner = re.search(r'TypeId\("ns3::rdma::(\w+)"\)', text)
        for name, words in re.findall(r'AddAttribute\(\s*"(\w+)",\s*((?:"[^"]*"\s*)+)', text):
            if "fitted" in words:
                assert f"{owner[1]}::{name}" in marked


def test_the_pages_of_the_project_are_as_the_files_say(checkout):
    script = checkout / "utils" / "fact_tables.py"
    result = subprocess.run([sys.executable, str(script), "--check"], capture_output=True, text=True)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_the_check_names_a_page_and_leaves_it(checkout, places):
    script = checkout / "utils" / "fact_tables.py"
    folders = ["--docs", str(places / "docs"), "--validation", str(places / "validation")]
    (places / "docs" / "page.md").write_text(PAGE.format("summary"))
    (places / "validation" / "status.csv").write_text(NOTHING_DONE)
    before = read_tree(places)
    result = subprocess.run([sys.executable, str(script), "--check", *folders], capture_output=True, text=True)
    page = places / "docs" / "page.md"
    assert result.stdout == f"{page}: tables of facts are not what ./waf docs writes\n"
    assert result.returncode == 1 and read_tree(places) == before
    result = subprocess.run([sys.executable, str(script), *folders], capture_output=True, text=True)
    assert result.returncode == 0 and "| A | 6 |" in page.read_text()


def test_a_ledger_with_a_number_that_is_none_is_refused(places, validate):
    validate()
    path = places / "validation" / "measured.csv"
    path.write_text(path.read_text().replace("2.1", "two"))
    with pytest.raises(UserError, match="measured.csv:6: expected a number as ours, got 'two'"):
        Ledger(places / "validation")


def test_without_their_names_the_projects_files_are_only_read(checkout, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    names = ["validation/measured.csv", "docs/validation/validation.md", "validation/README.md"]
    before = [(checkout / name).stat() for name in names]
    assert main(["validate", "--out", str(tmp_path)]) == 0
    assert [(checkout / name).stat() for name in names] == before
    assert [path.name for path in tmp_path.iterdir()] == ["validation.csv"]
    assert capsys.readouterr().out.endswith(f"Written:\n  {tmp_path}/validation.csv\n")
    assert main(["validate", "--docs", "docs"]) == 2
    assert "--docs: expected --validation beside it" in capsys.readouterr().err


@pytest.mark.parametrize("change", [{"made": 5}, {"made": {"quick": False}}, {"checks": 5}, {"checks": [{"facts": "A-001"}]}])
def test_an_edited_figure_is_one_line(places, validate, capsys, change):
    path = places / "results" / "fig-1" / "figure.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    assert validate() == 2
    error = capsys.readouterr().err
    assert error.startswith(f"rocelab: {path}: expected ") and error.count("\n") == 1


def test_no_number_was_measured_with_uncommitted_changes():
    assert [answer.what for answer in Ledger(VALIDATION).answers if not re.fullmatch("[0-9a-f]{10}", answer.commit)] == []
