# SPDX-License-Identifier: GPL-2.0-only
"""The folder in which one run happens before its results are put in place.

It holds what the run is (work.json), its script (task.sh), what that printed (stdout, stderr), the
results as the engine writes them and, once the engine has ended, its exit status (status). Only a
folder with a status counts as ended, whoever finds it.
"""

import json
import shlex
import shutil
import tempfile
from pathlib import Path

from rocelab.files import write_text
from rocelab.runs.ranks import get_rank_settings, make_rank_command
from rocelab.sweeps.plan import make_options

PROGRAM_CHANGED = 97  # Exit status of a script whose program is another one than planned.
KILLED_BY = 128  # What sh adds to the number of a signal.


class Work:
    """The folder of one attempt at a run."""

    def __init__(self, folder):
        self.folder = Path(folder)

    @classmethod
    def create(cls, parent, run):
        """Make the folder of a new attempt."""
        parent.mkdir(parents=True, exist_ok=True)
        work = cls(tempfile.mkdtemp(prefix=f"{run.hash[:12]}.", dir=parent))
        work.folder.chmod(0o755)
        key = {"run": run.name, "hash": run.hash}
        write_text(work.folder / "work.json", json.dumps(key) + "\n")
        return work

    @property
    def key(self):
        """(name, hash) of the run; None if the folder is not whole."""
        try:
            read = json.loads((self.folder / "work.json").read_text(encoding="utf-8"))
            return read["run"], read["hash"]
        except (OSError, ValueError, KeyError):
            return None

    @property
    def status(self):
        """Exit status of the engine; None before its end."""
        try:
            return int((self.folder / "status").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None

    @property
    def messages(self):
        """What the engine printed as errors, by line."""
        try:
            text = (self.folder / "stderr").read_text(encoding="utf-8", errors="replace")
        except OSError:
            return []
        return [line.strip() for line in text.splitlines() if line.strip()]

    def get_results(self, run):
        """Return the folder where the engine puts the results of a run."""
        return self.folder / run.scenario / run.nic

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def write_script(self, sweep, run, program, scenario, checksums=None):
        """Write task.sh, format_script()."""
        write_text(self.folder / "task.sh", self.format_script(sweep, run, program, scenario, checksums))

    def format_script(self, sweep, run, program, scenario, checksums=None):
        """Return the script that runs the engine and leaves its exit status.

        `scenario` is the file of the base scenario. With `checksums`, a file for sha256sum, the
        script first makes sure that the program is the one that was planned with.
        """
        command = [str(program.path), "run", str(scenario)]
        command += make_options(sweep, run.settings, program)
        command += ["--set", f"name={run.scenario}", "--nic", run.nic, "--seed", str(run.seed)]
        command += ["--out", str(self.folder), "--quiet"]
        lines = ["#!/bin/sh", f"# {run.name}", f"cd {shlex.quote(str(self.folder))} || exit 1"]
        if run.ranks > 1:
            command = make_rank_command(run.ranks) + command
            lines += [f"export {name}={value}" for name, value in get_rank_settings().items()]
        guard = shlex.join(make_orphan_guard())
        start = f"{guard} $$ {shlex.join(command)}" if guard else shlex.join(command)
        start += " </dev/null >stdout 2>stderr"
        if checksums:
            check = f"sha256sum --check --status {shlex.quote(str(checksums))}"
            start = f"if {check}; then {start}; else (exit {PROGRAM_CHANGED}); fi"
        # A status that is there is whole.
        lines += [start, "echo $? >status.part && mv status.part status", ""]
        return "\n".join(lines)


def make_orphan_guard():
    """Return what to put before a process id and the command that is to end when that process does.

    Empty where util-linux is not there. The command does not start if the process is gone already.
    """
    setpriv = shutil.which("setpriv")
    check = '[ "$PPID" = "$0" ] && exec "$@"'
    return [setpriv, "--pdeathsig", "TERM", "/bin/sh", "-c", check] if setpriv else []
