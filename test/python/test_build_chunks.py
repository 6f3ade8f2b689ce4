# SPDX-License-Identifier: GPL-2.0-only
"""Which files ./waf compiles together."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "utils" / "build"))

import build_chunks  # noqa: E402


class Tree:
    """A folder of sources and the chunks that are made of them."""

    def __init__(self, folder):
        self.top = folder
        self.wrapped = False

    def write(self, path, text=""):
        (self.top / path).parent.mkdir(parents=True, exist_ok=True)
        (self.top / path).write_text(text)

    def make(self):
        """Return the members of each chunk that is left, and the files that are compiled alone."""
        files = sorted(str(path.relative_to(self.top)) for path in self.top.glob("s/**/*.cc"))
        paths, alone = build_chunks.make_chunks(str(self.top), str(self.top / "b"), files, self.wrapped)
        texts = [Path(path).read_text() for path in paths]
        return [[file for file in files if f'#include "{file}"' in text] for text in texts], alone

    def compile(self):
        """Compile the chunks that are left and the rest into one library."""
        paths, alone = build_chunks.make_chunks(
            str(self.top),
            str(self.top / "b"),
            sorted(str(path.relative_to(self.top)) for path in self.top.glob("s/**/*.cc")),
            self.wrapped,
        )
        flags = ["-std=c++17", "-Wall", "-Wextra", "-Werror", "-Wno-subobject-linkage", "-I."]
        command = ["g++", *flags, "-shared", "-fPIC", *paths, *alone, "-o", "out.so"]
        result = subprocess.run(command, cwd=self.top, capture_output=True, text=True)
        return result.stderr


@pytest.fixture
def tree(tmp_path):
    return Tree(tmp_path)


def test_the_files_of_a_folder_make_chunks_of_equal_length(tree):
    for number in range(build_chunks.CHUNK_SIZE + 2):
        tree.write(f"s/a/{number:02}.cc")
    tree.write("s/lonely/x.cc")
    chunks, alone = tree.make()
    assert [len(chunk) for chunk in chunks] == [build_chunks.CHUNK_SIZE // 2 + 1] * 2
    assert alone == ["s/lonely/x.cc"]


def test_an_edited_file_leaves_its_chunk_and_does_not_return(tree):
    for name in "abcde":
        tree.write(f"s/{name}.cc")
    assert tree.make() == ([["s/a.cc", "s/b.cc", "s/c.cc", "s/d.cc", "s/e.cc"]], [])
    tree.write("s/b.cc", "int b;\n")
    assert tree.make() == ([["s/a.cc", "s/c.cc", "s/d.cc", "s/e.cc"]], ["s/b.cc"])
    tree.write("s/b.cc")
    assert tree.make() == ([["s/a.cc", "s/c.cc", "s/d.cc", "s/e.cc"]], ["s/b.cc"])


def test_a_chunk_of_which_much_has_changed_stays_whole(tree):
    for name in "abcd":
        tree.write(f"s/{name}.cc")
    tree.make()
    for name in "abc":
        tree.write(f"s/{name}.cc", "int x;\n")
    assert tree.make() == ([["s/a.cc", "s/b.cc", "s/c.cc", "s/d.cc"]], [])
    assert tree.make() == ([["s/a.cc", "s/b.cc", "s/c.cc", "s/d.cc"]], [])


def test_a_new_file_is_alone_and_a_removed_one_is_gone(tree):
    for name in "abc":
        tree.write(f"s/{name}.cc")
    tree.make()
    tree.write("s/aa.cc")
    (tree.top / "s/b.cc").unlink()
    assert tree.make() == ([["s/a.cc", "s/c.cc"]], ["s/aa.cc"])


def test_a_chunk_keeps_its_name_when_another_one_ends(tree):
    for name in ("s/a/1.cc", "s/a/2.cc", "s/b/1.cc", "s/b/2.cc"):
        tree.write(name)
    tree.make()
    shutil.rmtree(tree.top / "s/a")
    tree.make()
    assert '"s/b/1.cc"' in (tree.top / "b/chunk-1.cc").read_text()


def test_what_does_not_change_is_not_written_again(tree):
    tree.write("s/a.cc")
    tree.write("s/b.cc")
    tree.make()
    before = (tree.top / "b/chunk-0.cc").stat().st_mtime_ns
    tree.make()
    assert (tree.top / "b/chunk-0.cc").stat().st_mtime_ns == before


def test_a_folder_that_was_built_without_chunks_stays_so(tmp_path):
    for name in "ab":
        (tmp_path / f"{name}.cc").touch()
    for is_clean in (False, True):
        made = build_chunks.make_chunks(
            str(tmp_path), str(tmp_path / "b"), ["a.cc", "b.cc"], is_clean=is_clean
        )
        assert made == ([], ["a.cc", "b.cc"])


def test_a_file_that_defines_a_macro_is_alone(tree):
    tree.write("s/a.cc", "#define A 1\n")
    tree.write("s/b.cc")
    tree.write("s/c.cc")
    assert tree.make() == ([["s/b.cc", "s/c.cc"]], ["s/a.cc"])


def test_a_file_that_says_so_is_alone(tree):
    tree.write("s/a.cc", "// Compiled alone: it is measured.\n")
    tree.write("s/b.cc")
    tree.write("s/c.cc")
    assert tree.make() == ([["s/b.cc", "s/c.cc"]], ["s/a.cc"])


def test_a_file_with_an_alias_of_a_member_of_that_name_is_alone(tree):
    """The alias could not be renamed: the member would be renamed with it."""
    for name, value in (("a", "int"), ("b", "double")):
        tree.write(
            f"s/{name}.cc",
            f"struct Series_{name}\n{{\n    using Point = {value};\n}};\nnamespace\n{{\n"
            f"using Point = Series_{name}::Point;\n}} // namespace\nPoint {name}()\n{{\n    return {{}};\n}}\n",
        )
    tree.write("s/c.cc")
    tree.write("s/d.cc")
    assert tree.make() == ([["s/c.cc", "s/d.cc"]], ["s/a.cc", "s/b.cc"])
    assert tree.compile() == ""


def test_names_of_their_own_do_not_clash(tree):
    tree.write("s/shared.h", "#pragma once\nstruct VALUE_of { int VALUE; };\n")
    for name, value in (("a", "1"), ("b", "2.5")):
        tree.write(
            f"s/{name}.cc",
            '#include "shared.h"\n#include <vector>\n'
            f"namespace\n{{\nusing Number = decltype({value});\nconstexpr Number VALUE{{{value}}};\n"
            "struct Pair\n{\n    Number both[2];\n};\n\nint\nCount(const std::vector<int>& v)\n{\n"
            "    return static_cast<int>(v.size());\n}\n} // namespace\n"
            f"double {name}()\n{{\n    return Pair{{{{VALUE, 1}}}}.both[0] + Count({{}});\n}}\n",
        )
    assert len(tree.make()[0]) == 1
    assert tree.compile() == ""


def test_wrapped_files_may_have_the_same_classes_and_functions(tree):
    tree.wrapped = True
    for name in "ab":
        tree.write(
            f"s/{name}.cc",
            "#include <string>\nusing namespace std::string_literals;\n"
            'std::string\nGetName()\n{\n    return "x"s;\n}\n',
        )
    tree.write("s/c.cc", "namespace other\n{\nint f() { return 1; }\n}\n")
    assert tree.make() == ([["s/a.cc", "s/b.cc"]], ["s/c.cc"])
    assert tree.compile() == ""


@pytest.mark.parametrize("declaration", ["struct", "class", "enum", "enum class"])
def test_the_name_of_a_type_is_found_behind_its_kind(declaration):
    text = f"namespace\n{{\n{declaration} Fault\n{{\n}};\n}} // namespace\n"
    assert list(build_chunks.find_own_names(text)) == ["Fault"]
