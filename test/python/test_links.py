# SPDX-License-Identifier: GPL-2.0-only
"""Links between the pages of the project lead somewhere, and pages name files that are there."""

import re
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[2]
LINK = re.compile(r"\]\(([^)\s]+)\)")
#: Paths that start at the top folder; a pattern, or GROUP/FOLDER, stands for several.
PATH = re.compile(r"(?<![\w/.-])((?:examples|utils)/[\w/.*{},-]*[\w}*])")
PATTERN = re.compile(r"[*{}]|[A-Z]{4}")


def list_pages():
    """Return the pages, without those of others' code; CHANGES.md names what is gone."""
    return [page for page in sorted(TOP.rglob("*.md")) if not is_foreign(page)]


def is_foreign(page):
    """Tell whether a page is in a folder that the build or a run has made."""
    first = page.relative_to(TOP).parts[0]
    return first in ("build", "results", "CHANGES.md") or first.startswith(".")


@pytest.mark.parametrize("page", list_pages(), ids=lambda page: str(page.relative_to(TOP)))
def test_links_and_paths_of_a_page_exist(page):
    text = page.read_text(encoding="utf-8")
    links = [url.partition("#")[0] for url in LINK.findall(text) if not re.match(r"[a-z]+:|#", url)]
    broken = [link for link in links if not (page.parent / link).exists()]
    paths = [path for path in PATH.findall(LINK.sub("", text)) if not PATTERN.search(path)]
    broken += [path for path in paths if not (TOP / path).exists()]
    assert broken == []
