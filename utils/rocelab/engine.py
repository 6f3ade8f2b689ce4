# SPDX-License-Identifier: GPL-2.0-only
"""Running build/rocelab on a scenario."""

import subprocess
from pathlib import Path

from rocelab.errors import UserError

UNFINISHED_FLOWS = 3  # Exit status if flows stalled or failed; the results are whole.


def run_engine(build, scenario_file, out, nics=None, seed=None):
    """Run `build`/rocelab on a scenario file; results go to OUT/<scenario name>/<nic>/.

    Flows that stall or fail are no error here: the results say so. Any other failure raises
    UserError; the engine's own line on stderr says why. On Ctrl-C, waits for the engine to write
    what finished.
    """
    program = Path(build) / "rocelab"
    command = [str(program), "run", str(scenario_file), "--out", str(out)]
    for nic in nics or []:
        command += ["--nic", nic]
    if seed is not None:
        command += ["--seed", str(seed)]
    process = None
    try:
        # Not subprocess.run(): that kills the program a moment after Ctrl-C.
        process = subprocess.Popen(command)
        status = process.wait()
    except OSError as error:
        raise UserError(
            f"{program}: expected the program that ./waf build makes, got: {error.strerror}"
        ) from None
    except KeyboardInterrupt:
        if process:
            process.wait()
        raise
    if status not in (0, UNFINISHED_FLOWS):
        raise UserError(f"{scenario_file}: expected the run to succeed, got exit status {status}")
