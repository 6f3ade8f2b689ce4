# SPDX-License-Identifier: GPL-2.0-only
"""The site of ./waf docs --site: which pages it has, their links and tables."""

import shutil
import subprocess
import sys
import time

import browser
import pytest
from program import NEEDS_PROGRAM, PROGRAM, ROOT

sys.path.insert(0, str(ROOT / "utils" / "site"))

from site_check import find_faults  # noqa: E402
from site_pages import COMMAND, Site, SiteError, find_contents, find_pages  # noqa: E402
from site_tables import ProgramTables  # noqa: E402

CONTENTS = """# Documentation

## Start

- [First](start/first.md)
- [Examples](../examples/group/README.md)

## Models

- [Switch](models/switch.md), [again](models/switch.md#limits)
"""


@pytest.fixture
def project(tmp_path):
    """A small project of five pages and a figure."""
    for path, text in {
        "README.md": "# Top\n\nSee [first](docs/start/first.md#a), [the license](LICENSE) and [its\nlines](LICENSE#end).\n",
        "LICENSE": "free\n",
        "docs/README.md": CONTENTS,
        "docs/start/first.md": "# First\n\n## A\n\n[top](../../README.md), [group](../../examples/group/), "
        "[code](../../src/a/)\n\n    [no link](nowhere.md)\n\nEnd of `Switch` and `Switch`.\n",
        "docs/models/switch.md": "# Switch\n\n    build/rocelab list attributes Switch\n\nThe end.\n",
        "examples/group/README.md": "# Group\n",
        "examples/group/one/README.md": "# One\n",
        "examples/group/one/figure.py": "",
        "src/a/b.h": "",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    return tmp_path


def write(project, tables=lambda words: "| " + " ".join(words) + " |\n"):
    """Write the site of a project; returns {path: text}."""
    out = project / "out"
    Site(project, out, tables, {"Switch": "api/switch.html"}).write()
    return {path.relative_to(out).as_posix(): path.read_text() for path in out.rglob("*") if path.is_file()}


def test_sections_of_the_contents_have_their_pages_in_order():
    assert find_contents(CONTENTS) == [
        ("Start", ["start/first.md", "../examples/group/README.md"]),
        ("Models", ["models/switch.md"]),
    ]


def test_the_readme_is_the_first_page_with_a_tree_for_each_section(project):
    pages = write(project)
    assert ":caption: Start\n\ndocs/start/first.md\nexamples/group/README.md\n" in pages["index.md"]
    assert ":caption: Models\n\ndocs/models/switch.md\n" in pages["index.md"]
    assert "README.md" not in pages


def test_a_figure_is_below_the_page_of_its_group(project):
    assert "\none/README.md\n" in write(project)["examples/group/README.md"]


def test_links_lead_to_pages_to_copies_of_files_and_not_to_folders_without_a_page(project):
    pages = write(project)
    assert "[first](docs/start/first.md#a)" in pages["index.md"]
    assert '<a href="_static/files/LICENSE">the license</a>' in pages["index.md"]
    # A line may end within a label.
    assert '<a href="_static/files/LICENSE">its\nlines</a>' in pages["index.md"]
    assert pages["static/files/LICENSE"] == "free\n"
    assert "[top](../../index.md), [group](../../examples/group/README.md), `code`" in pages["docs/start/first.md"]


def test_code_is_left_as_it_is(project):
    assert "\n    [no link](nowhere.md)\n" in write(project)["docs/start/first.md"]


def test_the_first_name_of_a_class_in_a_page_leads_to_the_api(project):
    text = write(project)["docs/start/first.md"]
    assert 'End of <a href="../../api/switch.html"><code>Switch</code></a> and `Switch`.' in text


def test_a_command_that_prints_a_table_is_followed_by_the_table(project):
    text = write(project)["docs/models/switch.md"]
    assert "    build/rocelab list attributes Switch\n\n| list attributes Switch |\n" in text


def test_a_command_without_a_table_is_named(project):
    with pytest.raises(SiteError, match="docs/models/switch.md: expected a command that prints a table"):
        write(project, tables=lambda words: None)


def test_a_page_without_a_place_in_the_contents_is_named(project):
    (project / "docs" / "models" / "lost.md").write_text("# Lost\n")
    with pytest.raises(SiteError, match="expected a link to each page, got none to docs/models/lost.md"):
        write(project)


def test_a_link_to_a_missing_file_is_named(project):
    (project / "docs" / "start" / "first.md").write_text("[x](absent.md)\n")
    with pytest.raises(SiteError, match="docs/start/first.md: expected a file or folder .*, got absent.md"):
        write(project)


def test_a_figure_that_was_not_run_shows_its_command_else_its_pictures(project):
    assert "./waf figure group/one" in write(project)["examples/group/one/README.md"]
    (project / "results" / "group" / "one").mkdir(parents=True)
    (project / "results" / "group" / "one" / "a-b.png").write_bytes(b"png")
    assert "![a b](a-b.png)" in write(project)["examples/group/one/README.md"]


def test_each_page_of_this_project_has_a_place_in_the_contents(tmp_path):
    site = Site(ROOT, tmp_path, lambda words: "", {})
    site.make_trees()  # Raises if a page has none.
    assert len(find_pages(ROOT)) > 100


@NEEDS_PROGRAM
def test_each_command_of_a_page_that_stands_for_a_table_prints_one():
    tables = ProgramTables(PROGRAM)
    commands = {found.group(1) for page in find_pages(ROOT) for found in COMMAND.finditer((ROOT / page).read_text())}
    assert len(commands) > 20
    listed = [command.split()[2:] for command in commands if command.startswith("list attributes ")]
    rows = tables(["list", "attributes", *sum(listed, [])])  # All at once: it ends badly if one is unknown.
    for names in listed:
        assert any(f"| `{name.removeprefix('ns3::rdma::')}" in rows for name in names), names
    for command in sorted(command for command in commands if not command.startswith("list attributes ")):
        assert tables(command.split()).count("\n") > 2, command


@pytest.mark.parametrize(
    "page, faults",
    [
        ('<a href="b.html#here">b</a><a href="https://example.org/">out</a>', []),
        ('<a href="c.html">c</a>', ["a.html: no target of the link c.html"]),
        ('<a href="b.html#there">b</a>', ["a.html: no anchor of the link b.html#there"]),
        ('<img src="https://example.org/x.png">', ["a.html: loads https://example.org/x.png"]),
        ('<script src="gone.js"></script>', ["a.html: no target of the link gone.js"]),
    ],
)
def test_broken_links_and_requests_are_found(tmp_path, page, faults):
    (tmp_path / "a.html").write_text(page)
    (tmp_path / "b.html").write_text('<p id="here">b</p>')
    assert find_faults(tmp_path) == faults


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The folder of the site of this project."""
    themes = subprocess.run(["/usr/bin/python3", "-c", "import furo, myst_parser, sphinx"], capture_output=True)
    if themes.returncode or not shutil.which("doxygen") or not PROGRAM.exists():
        pytest.skip("needs the packages of packages-site.txt and build/rocelab")
    out = tmp_path_factory.mktemp("site") / "site"
    command = ["/usr/bin/python3", ROOT / "utils" / "site" / "build_site.py", "--out", out, "--program", PROGRAM]
    ended = subprocess.run(command, capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (0, "")  # A broken link is a failure.
    return out


@pytest.mark.slow
def test_the_site_has_a_page_of_the_api_for_a_class(site):
    assert 'href="../../api/' in (site / "docs" / "models" / "switch.html").read_text()


#: Names in cells of tables that stand on more lines than they have words.
BROKEN_WORDS = """[...document.querySelectorAll('td code')].filter(
    code => code.getClientRects().length > code.textContent.split(/[\\s\\-\\/?&]+/).length).map(code => code.textContent)"""


@pytest.mark.slow
@pytest.mark.skipif(not browser.PROGRAM, reason="needs chromium")
def test_pages_fit_into_a_window_and_a_phone_and_make_no_request(site, tmp_path):
    pages = ["index", "docs/README", "docs/models/switch", "docs/reference/scenarios", "docs/validation/validation",
             "docs/study/plots", "examples/srnic/figure-9/README"]
    with browser.Browser(tmp_path) as window:
        for page in pages:
            assert (site / f"{page}.html").exists(), page
            for width in (1280, 390):
                load(window, (site / f"{page}.html").as_uri(), width)
                assert window.evaluate("document.documentElement.scrollWidth") <= width, (page, width)
                assert window.evaluate(BROKEN_WORDS) == [], (page, width)
        assert [url for url in window.requests if not url.startswith(("file:", "data:", "about:"))] == []


@pytest.mark.slow
@pytest.mark.skipif(not browser.PROGRAM, reason="needs chromium")
@pytest.mark.parametrize(
    "words, page",
    [
        ("DCQCN", "docs/models/congestion-control.html"),
        ("slurm", "docs/study/sweep.html"),
        ("plug-in", "docs/extend/plugins.html"),
        ("pcap", "docs/reference/wire.html"),
        ("fat-tree", "docs/models/topologies.html"),
    ],
)
def test_a_task_is_found_by_search(site, tmp_path, words, page):
    with browser.Browser(tmp_path) as window:
        load(window, (site / "search.html").as_uri() + "?q=" + words, 1280)
        end = time.monotonic() + browser.TIMEOUT
        links = []
        while page not in links and time.monotonic() < end:
            links = window.evaluate("[...document.querySelectorAll('.search li a')].map(a => a.getAttribute('href').split(/[?#]/)[0])")
            time.sleep(0.2)
        assert page in links


def load(window, address, width):
    """Open a page that is not drawn by a script of ours."""
    window.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=width < 600)
    window.call("Page.navigate", url=address)
    end = time.monotonic() + browser.TIMEOUT
    while not window.evaluate(f"location.href.startsWith({address!r}) && document.readyState === 'complete'"):
        assert time.monotonic() < end, address
        time.sleep(0.05)
