# SPDX-License-Identifier: GPL-2.0-only
"""What ./waf lint says of the English of pages."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "utils"))

import lint_words  # noqa: E402

LONG = " ".join(["word"] * 41) + "."


def check(text, accepted=()):
    return list(lint_words.check_words("a.md", text, accepted))


@pytest.mark.parametrize(
    "sentence",
    [
        "The responder sends a NAK.",
        " ".join(["word"] * 40) + ".",
        "Frames of one flow keep their order; those on other paths may pass.",
        "A list of names, what it is, and its source.",
        "Officers begin with the same letters as a fragment.",
    ],
)
def test_a_good_sentence_passes(sentence):
    assert check(sentence + "\n") == []


@pytest.mark.parametrize(
    "sentence, fault",
    [
        (LONG, "a sentence of 41 words, at most 40 are allowed"),
        ("The table has what it says.", '"what it says": name the statement'),
        ("Only those that answer count.", '"those that": name the things'),
        ("Of the kernels, two are fast.", '"Of": begin with the subject'),
        ("The rest is likewise.", '"likewise.": say what is alike'),
        ("Nobody waits for the answers.", '"Nobody": name the subject'),
    ],
)
def test_a_sentence_that_stops_a_reader_is_named_with_its_line(sentence, fault):
    assert check("# Title\n\nGood.\n\n" + sentence + "\n") == [f"a.md:5: {fault}: {sentence[:60]}"]


def test_a_sentence_over_two_lines_counts_as_one():
    half = " ".join(["word"] * 21)
    assert check(f"{half}\n{half}.\n") == [
        f"a.md:1: a sentence of 42 words, at most 40 are allowed: {(half + ' ' + half)[:60]}"
    ]


@pytest.mark.parametrize("text", ["    {}\n", "```\n{}\n```\n", "<!-- {} -->\n", "# {}\n", "[a]({})\n", "`{}`\n"])
def test_code_comments_headings_and_targets_of_links_are_left_out(text):
    assert check(text.format("Those that are " + LONG)) == []


def test_items_and_cells_are_sentences_of_their_own():
    half = " ".join(["word"] * 30)
    assert check(f"- {half}\n- {half}\n\n| {half} | {half} |\n") == []


def test_an_accepted_beginning_passes():
    assert check("Of Mice and Men.\n", ["Of Mice"]) == []


def test_accepted_sentences_are_still_in_a_page():
    pages = "".join(path.read_text() for path in ROOT.glob("**/*.md") if not {"build", "results"} & set(path.parts))
    for beginning in lint_words.read_accepted(ROOT):
        assert beginning in pages, beginning
