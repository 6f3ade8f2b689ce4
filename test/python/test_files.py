# SPDX-License-Identifier: GPL-2.0-only
"""Files are read with bounds, and written where nothing but a file is replaced."""

import os
import stat
import subprocess
import threading

import pytest
from limits import TIME_LIMIT
from sweeps import NEEDS_PROGRAM, PROGRAM, make_command, write_sweep
from synthetic import make_flows, write_nic

from rocelab.__main__ import main
from rocelab.errors import UserError
from rocelab.files import make_folder, read_json_object, read_text, write_text


@pytest.fixture
def runs(tmp_path):
    """Folders of two runs of the same flows."""
    folders = [tmp_path / "s" / name for name in ("irn", "srnic")]
    for folder, factor in zip(folders, (1, 2)):
        write_nic(folder, make_flows(factor), {"nics": ["irn", "srnic"]})
    return folders


def test_a_pipe_is_written_to_and_stays(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    got = []
    reader = threading.Thread(target=lambda: got.append(path.read_text()), daemon=True)
    reader.start()
    write_text(path, "some text")
    reader.join(10)
    assert got == ["some text"]
    assert stat.S_ISFIFO(path.stat().st_mode)
    assert [found.name for found in tmp_path.iterdir()] == ["pipe"]


def make_device(path):
    """Make a device like /dev/null; skips where that is not allowed."""
    try:
        os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 3))
        path.read_bytes()
    except OSError:
        pytest.skip("no devices can be made here")


def test_a_device_is_written_to_and_stays(tmp_path):
    path = tmp_path / "null"
    make_device(path)
    write_text(path, "some text")
    assert stat.S_ISCHR(path.stat().st_mode)


def test_a_full_device_is_one_line():
    with pytest.raises(UserError, match="/dev/full: expected a writable file, got: No space left"):
        write_text("/dev/full", "some text")


def test_the_end_of_a_link_is_written_and_the_link_stays(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    target = tmp_path / "elsewhere" / "page.html"
    target.write_text("old")
    target.chmod(0o640)
    link = tmp_path / "link.html"
    link.symlink_to(target)
    write_text(link, "new")
    assert link.is_symlink() and target.read_text() == "new"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    # One that points to nothing yet is as good.
    target.unlink()
    write_text(link, "newer")
    assert link.is_symlink() and target.read_text() == "newer"


@pytest.mark.parametrize("name, expected", [("loop", "symbolic links"), ("folder", "a folder"), ("n" * 300, "too long")])
def test_what_cannot_be_written_is_one_line(tmp_path, name, expected):
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "folder").mkdir()
    with pytest.raises(UserError, match=expected) as error:
        write_text(tmp_path / name, "text")
    assert str(error.value).startswith(f"{tmp_path / name}: expected a writable file, got: ")


@pytest.mark.parametrize("command", ["diff", "report"])
def test_the_output_of_a_command_may_be_a_device(tmp_path, runs, command):
    path = tmp_path / "null"
    make_device(path)
    words = runs if command == "diff" else [runs[0].parent]
    assert main([command, *map(str, words), "--out", str(path)]) == 0
    assert stat.S_ISCHR(path.stat().st_mode)


@NEEDS_PROGRAM
def test_a_capture_may_go_to_a_device_or_through_a_link(tmp_path):
    target, link, device = tmp_path / "target.pcap", tmp_path / "link.pcap", tmp_path / "null"
    target.write_text("old")
    link.symlink_to(target)
    make_device(device)
    for path in (link, device):
        subprocess.run([PROGRAM, "measure", "offload-get", "calls=1", f"pcap={path}"], capture_output=True, check=True)
    assert link.is_symlink() and target.read_bytes()[:4] == b"\x4d\x3c\xb2\xa1"
    assert stat.S_ISCHR(device.stat().st_mode)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.pcap", "null", "target.pcap"]


def test_an_endless_file_is_refused(tmp_path):
    with pytest.raises(UserError, match="/dev/zero:1: expected a text file, got a NUL byte"):
        read_text("/dev/zero")
    path = tmp_path / "long"
    path.write_bytes(b"x" * 1001)
    with pytest.raises(UserError, match="expected a text file of at most 1,000 bytes, got more"):
        read_text(path, 1000)


@NEEDS_PROGRAM
def test_a_sweep_of_an_endless_file_ends(tmp_path):
    result = subprocess.run(make_command("/dev/zero", tmp_path), capture_output=True, text=True, timeout=TIME_LIMIT)
    assert (result.returncode, result.stderr) == (2, "rocelab: /dev/zero:1: expected a text file, got a NUL byte\n")


def test_a_pipe_without_a_writer_is_empty(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert read_text(tmp_path / "pipe") == ""


@pytest.mark.parametrize(
    "text, expected",
    [
        ("[" * 5000 + "]" * 5000, "expected JSON of at most 100 levels, got more"),
        ('{"a":' * 101 + "1" + "}" * 101, "expected JSON of at most 100 levels, got more"),
        ('{"a": ' + "9" * 5000 + "}", "a number of more than 300 digits, 9999999999"),
        ('{"a": NaN}', "a number that is not finite, NaN"),
        ('{"a": -1e400}', "a number that is not finite, -1e400"),
        ("null", "expected a JSON object, got NoneType"),
        ('{"a": "\0"}', ":1: expected a text file, got a NUL byte"),
    ],
)
def test_json_that_no_file_of_ours_has_is_one_line(tmp_path, text, expected):
    path = tmp_path / "a.json"
    path.write_text(text)
    with pytest.raises(UserError) as error:
        read_json_object(path)
    assert expected in str(error.value) and "\n" not in str(error.value)


def test_json_may_be_as_deep_as_the_bound(tmp_path):
    path = tmp_path / "a.json"
    path.write_text('{"a":' * 100 + "1" + "}" * 100)
    assert "a" in read_json_object(path)


def test_a_folder_for_results_is_checked_before_the_work(tmp_path):
    (tmp_path / "file").write_text("precious")
    with pytest.raises(UserError, match="expected a folder that can be written, got: a file"):
        make_folder(tmp_path / "file")
    with pytest.raises(UserError, match="expected a folder that can be written, got: Not a directory"):
        make_folder(tmp_path / "file" / "below")
    assert make_folder(tmp_path / "a" / "b").is_dir()


def test_a_sweep_names_a_key_with_a_nul_byte(tmp_path, capsys):
    file = write_sweep(tmp_path)
    file.write_text(file.read_text().replace('"tiny"', '"ti\\u0000ny"'))
    assert main(["sweep", str(file), "--out", str(tmp_path / "out")]) == 2
    assert "$.name: expected a text without control characters" in capsys.readouterr().err
