# SPDX-License-Identifier: GPL-2.0-only
"""Running build/rocelab: on a scenario, or a command that prints JSON."""

import json
import subprocess
import tempfile
from pathlib import Path

from rocelab.errors import UserError
from rocelab.places import find_checkout

UNKNOWN = "unknown"
UNFINISHED_FLOWS = 3  # Exit status if flows stalled or failed; the results are whole.


def run_engine(build, scenario_file, out, nics=None, seed=None, ranks=1, plugins=(), is_quiet=False):
    """Run `build`/rocelab on a scenario file; results go to OUT/<scenario name>/<nic>/.

    With one rank the NICs run side by side, with more one after the other, each on all ranks.
    Flows that stall or fail are no error here: the results say so. Any other failure raises
    UserError; the engine's own line on stderr says why.
    """
    options = {"nic": nics or [], "plugin": list(map(str, plugins)), "seed": [] if seed is None else seed}
    words = make_arguments({**options, "ranks": ranks if ranks > 1 else []}) + ["--quiet"] * is_quiet
    status = run_scenario(build, scenario_file, out, words)
    if status not in (0, UNFINISHED_FLOWS):
        raise UserError(f"{scenario_file}: expected the run to succeed, got exit status {status}")


def run_scenario(build, scenario_file, out, options, **streams):
    """Run `build`/rocelab on a scenario file with options of its command run; returns its exit status.

    On Ctrl-C, waits for the engine to write what finished; on a second one it ends at once. `streams`
    are arguments of subprocess.Popen().
    """
    program = Path(build) / "rocelab"
    command = [str(program), "run", str(scenario_file), "--out", str(out), *options]
    try:
        # Not subprocess.run(): that kills the program a moment after Ctrl-C. In a session of its own
        # the program gets each signal once, from here, whoever sent it.
        process = subprocess.Popen(command, start_new_session=True, **streams)
    except OSError as error:
        raise make_missing_error(program, error) from None
    try:
        return process.wait()
    except KeyboardInterrupt:
        stop_engine(process)
        raise


def stop_engine(process):
    """Tell a run to stop and wait for its end; a further signal is passed on."""
    while process.poll() is None:
        process.terminate()
        try:
            process.wait()
        except KeyboardInterrupt:
            pass


def make_arguments(options):
    """Return the words of {"tx_depth": 8}: "--tx-depth", "8"."""
    words = []
    for name, value in options.items():
        for one in value if isinstance(value, list) else [value]:
            words += ["--" + name.replace("_", "-"), str(one)]
    return words


def make_measure_words(name, keys, sets=(), plugins=()):
    """Return the words of `rocelab measure` with keys as {"request_rate": 0}; a list is joined by commas."""
    words = ["measure", name, "--json"]
    for key, value in keys.items():
        values = value if isinstance(value, (list, tuple)) else [value]
        texts = [str(one).lower() if isinstance(one, bool) else str(one) for one in values]
        words.append(f"{key.replace('_', '-')}={','.join(texts)}")
    return words + make_arguments({"set": list(sets), "plugin": list(plugins)})


def read_output(build, arguments, folder=None):
    """Return what `build`/rocelab prints, run in a folder; raises UserError that names the command if it fails.

    The engine's own line on stderr says why.
    """
    program = Path(build).resolve() / "rocelab"
    command = [str(program), *map(str, arguments)]
    try:
        result = subprocess.run(command, stdout=subprocess.PIPE, encoding="utf-8", check=False, cwd=folder)
    except OSError as error:
        raise make_missing_error(program, error) from None
    if result.returncode != 0:
        said = " ".join(["rocelab", *command[1:]])
        raise UserError(f"{said}: expected it to succeed, got exit status {result.returncode}")
    return result.stdout


def run_json_command(build, arguments):
    """Run `build`/rocelab with `arguments`, of which "--json" is one, and return what it printed; raises UserError."""
    try:
        return json.loads(read_output(build, arguments))
    except json.JSONDecodeError as error:
        said = " ".join(map(str, arguments))
        raise UserError(f"rocelab {said}: expected JSON on its output, got: {error.msg}") from None


def list_presets(build):
    """Return the names of the NIC presets."""
    lines = read_output(build, ["list", "presets"]).splitlines()
    return [line.split()[0] for line in lines if line and not line.startswith(" ")]


def read_line(command):
    """Return the first line that a command prints; empty if it fails or is not there."""
    try:
        result = subprocess.run(command, capture_output=True, encoding="utf-8", check=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return result.stdout.partition("\n")[0]


def get_version(build):
    """Return the version of `build`/rocelab without its commit, "unknown" if it does not tell."""
    words = read_line([str(Path(build) / "rocelab"), "--version"]).removeprefix("rocelab ").split()
    return words[0] if words else UNKNOWN


def get_commit():
    """Return the abbreviated commit of this checkout, "-dirty" behind it if files differ from it."""
    top = find_checkout()
    if top is None:
        return UNKNOWN
    command = ["git", "-C", str(top), "describe", "--always", "--dirty", "--abbrev=10", "--exclude=*"]
    return read_line(command) or UNKNOWN


def make_missing_error(program, error):
    """Return the UserError of a program that could not be started."""
    return UserError(
        f"{program}: expected the program that ./waf build makes, got: {error.strerror}"
    )


def check_scenario(build, text, folder):
    """Return the resolved scenario of a text whose paths start at a folder.

    Raises UserError with the engine's own line if it is no scenario.
    """
    program = Path(build) / "rocelab"
    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        command = [str(program), "check", file.name, "--base", str(folder)]
        try:
            result = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
        except OSError as error:
            raise make_missing_error(program, error) from None
        if result.returncode != 0:
            line = result.stderr.strip().removeprefix("rocelab: ").replace(f"{file.name}: ", "")
            raise UserError(line or f"exit status {result.returncode} of {program}")
    return json.loads(result.stdout)
