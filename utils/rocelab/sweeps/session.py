# SPDX-License-Identifier: GPL-2.0-only
"""One sweep: its runs planned, those executed that are not done, on local cores or by Slurm."""

import math
import os
import signal
import threading
import time
from dataclasses import dataclass

from rocelab.errors import UserError
from rocelab.files import make_write_error
from rocelab.sweeps.gather import load_results
from rocelab.sweeps.local_cores import LocalCores
from rocelab.sweeps.plan import plan_runs
from rocelab.sweeps.program import Program
from rocelab.sweeps.progress import Progress, measure_rate
from rocelab.sweeps.slurm import Slurm
from rocelab.sweeps.slurm_jobs import POLL_SECONDS, SlurmJobs, format_plan, has_open_jobs
from rocelab.sweeps.store import DONE, FAILED, STALLED, Store


@dataclass(frozen=True)
class SlurmOptions:
    """How runs are submitted: options for sbatch, runs at a time of an array, seconds between queries."""

    sbatch: list
    jobs: int | None = None
    poll: float | None = None


class Session:
    """The runs of a sweep and the folder of its results."""

    def __init__(self, sweep, out, build, plugins, report):
        """Plan the runs and check the folder, without writing; `report` is that of plan_runs()."""
        self.sweep = sweep
        self.program = Program(build, sweep.plugins + list(plugins))
        self.runs = plan_runs(sweep, self.program, len(os.sched_getaffinity(0)), report)
        self.store = Store(out, sweep.name)
        self.store.check()

    def load_results(self, seconds=math.inf):
        """Return the Result of each run; None if that takes more processor time."""
        return load_results(self.runs, self.store, make_time_limit(seconds))

    def run(self, jobs, is_retry=False, slurm=None, make_progress=Progress):
        """Run what is not done; returns None, or what to say of an interrupted sweep."""
        cluster = Slurm() if slurm else None
        if not slurm and has_open_jobs(self.store):
            raise UserError(
                f"{self.store.folder / 'slurm'}: expected no runs of this sweep in Slurm, got some (add "
                "--slurm to take them up, or end them with scancel and --slurm)"
            )
        for run in self.runs:
            self.store.read_record(run)  # A damaged one is found before anything is written.
        self.store.open(self.sweep)
        launcher = LocalCores(self.sweep, self.store, self.program, jobs)
        if slurm:
            how = (slurm.sbatch, slurm.jobs, slurm.poll or POLL_SECONDS)
            launcher = SlurmJobs(self.sweep, self.store, self.program, cluster, *how)
        try:
            return execute(launcher, self.runs, self.store, jobs, is_retry, make_progress)
        except BaseException:
            self.store.remove_if_fruitless()
            raise

    def format_slurm_plan(self, results, is_retry, sbatch, jobs):
        """Return what run() would submit to Slurm."""
        pending = [result.run for result in results if is_pending(result.status, is_retry)]
        return format_plan(self.sweep, self.store, self.program, pending, sbatch, jobs)


def make_time_limit(seconds):
    """Return a function that tells whether the processor time from here on is more than so many seconds."""
    end = time.process_time() + seconds
    return lambda: time.process_time() > end


def is_pending(status, is_retry):
    """Return whether a run of this status is to be run."""
    return status not in (DONE, STALLED) and (status != FAILED or is_retry)


class StopSignals:
    """While it is open, the first SIGINT, SIGTERM or SIGHUP is noted; a second ends the program.

    In a thread other than the main one, signals are left alone.
    """

    NUMBERS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

    def __init__(self):
        self.has_come = False
        self._before = {}

    def __enter__(self):
        if threading.current_thread() is threading.main_thread():
            self._before = {number: signal.signal(number, self._note) for number in self.NUMBERS}
        return self

    def _note(self, _number, _frame):
        if self.has_come:
            raise KeyboardInterrupt
        self.has_come = True

    def __exit__(self, *_):
        for number, handler in self._before.items():
            signal.signal(number, handler)


def execute(launcher, runs, store, jobs, is_retry, make_progress):
    """Run what is to be run; returns None, or what to say of an interrupted sweep."""
    with StopSignals() as signals:
        try:
            under_way = {run.name for run in launcher.adopt(runs)}
            results = load_results(runs, store, lambda: signals.has_come)
            if results is None:
                return launcher.stop()
            adopted = [run for run in runs if run.name in under_way]
            others = [r for r in results if r.run.name not in under_way]
            fresh = [r.run for r in others if is_pending(r.status, is_retry)]
            settled = [r for r in others if not is_pending(r.status, is_retry)]
            progress = make_progress(len(runs), settled, fresh + adopted, jobs, measure_rate(results))
            launcher.submit(fresh)
            watch(launcher, len(fresh) + len(adopted), progress, signals)
        except OSError as error:
            stop_anyhow(launcher)
            if error.filename is None:
                raise
            raise make_write_error(error.filename, "a folder that can be written", error) from None
        except BaseException:
            stop_anyhow(launcher)
            raise
        return launcher.stop() if signals.has_come else None


def stop_anyhow(launcher):
    """Stop the runs after an error, which is the one to be told: on a full disk more would follow."""
    try:
        launcher.stop()
    except (OSError, UserError):
        pass


def watch(launcher, count, progress, signals):
    """Wait until so many runs have ended, or a signal comes."""
    try:
        while count > 0 and not signals.has_come:
            ended = launcher.poll()
            for run, record in ended:
                progress.count(run, record)
            count -= len(ended)
            progress.show(launcher.running_count)
            if not ended:
                time.sleep(launcher.POLL_SECONDS)
    finally:
        progress.clear()
