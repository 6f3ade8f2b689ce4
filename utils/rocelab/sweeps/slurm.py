# SPDX-License-Identifier: GPL-2.0-only
"""Slurm's programs: submitting job arrays, asking what is queued and what became of a job."""

import re
import shutil
import subprocess

from rocelab.errors import UserError

TIME_LIMIT = 60  # Seconds for one of Slurm's programs to answer.
USUAL_MAX_ARRAY = 1001  # Slurm's default of MaxArraySize.
MAX_UNANSWERED = 20  # Questions in a row before we give up.


class Slurm:
    """The cluster that sbatch and squeue on PATH talk to."""

    def __init__(self):
        for program in ("sbatch", "squeue", "scontrol"):
            if not shutil.which(program):
                raise UserError(
                    f"{program}: expected Slurm's program on PATH (Debian package slurm-client), "
                    "got none"
                )
        self._unanswered = 0

    def ask(self, *command):
        """Return (exit status, output, first line of errors)."""
        try:
            result = subprocess.run(
                command,
                capture_output=True,
                encoding="utf-8",
                errors="replace",
                timeout=TIME_LIMIT,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return 1, "", f"no answer within {TIME_LIMIT} s"
        except OSError as error:
            return 1, "", error.strerror
        said = next((line for line in result.stderr.splitlines() if line.strip()), "")
        return result.returncode, result.stdout, said.strip()

    def get_max_array(self):
        """Return how many elements a job array may have."""
        _, text, _ = self.ask("scontrol", "show", "config")
        found = re.search(r"^MaxArraySize\s*=\s*(\d+)", text, flags=re.MULTILINE)
        # The largest index is one less; ours begin with 1.
        return max(1, (int(found.group(1)) if found else USUAL_MAX_ARRAY) - 1)

    def submit(self, script, options):
        """Submit a batch script; returns the job's number."""
        status, text, said = self.ask("sbatch", "--parsable", *options, str(script))
        job = text.strip().partition(";")[0]
        if status or not job.isdigit():
            raise UserError(f"sbatch: expected the job to be accepted, got: {said or text.strip()}")
        return job

    def find_job(self, name):
        """Return the number of a queued job of ours by its name; None if there is none."""
        status, text, said = self.ask("squeue", "--noheader", "--me", f"--name={name}", "-o", "%F")
        if status:
            raise UserError(f"squeue: expected an answer, got: {said}")
        return next(iter(text.split()), None)

    def get_queued(self, jobs):
        """Return {(job, array index): state} of what is queued or running.

        None if Slurm does not answer now; raises UserError if that lasts.
        """
        status, text, said = self.ask(
            "squeue", "--noheader", "--array", "--me", "-o", "%F %K %T"
        )
        if status:
            self._unanswered += 1
            if self._unanswered >= MAX_UNANSWERED:
                raise UserError(f"squeue: expected an answer, got: {said}")
            return None
        self._unanswered = 0
        rows = [line.split() for line in text.splitlines()]
        return {(row[0], row[1]): row[2] for row in rows if len(row) == 3 and row[0] in jobs}

    def get_end_state(self, job, index):
        """Return what Slurm says became of an element of an array, such as TIMEOUT."""
        element = f"{job}_{index}"
        status, text, _ = self.ask(
            "sacct", "--noheader", "--allocations", "--parsable2", "-j", element, "-o", "State"
        )
        if status == 0 and text.strip():
            return text.split("\n")[0].strip()
        _, text, _ = self.ask("scontrol", "--oneliner", "show", "job", element)
        found = re.search(r"\bJobState=(\S+)", text)
        return found.group(1) if found else "Slurm does not know it any more"
