# SPDX-License-Identifier: GPL-2.0-only
"""What a sweep reports of a run that a signal ended, by the job's state in Slurm; no Slurm is needed."""

from types import SimpleNamespace

import pytest

from rocelab.sweeps.slurm_jobs import Batch, SlurmJobs
from rocelab.sweeps.store import Store
from rocelab.sweeps.work import Work

RUN = SimpleNamespace(scenario="s", nic="srnic", name="s/srnic", hash="0" * 64, ranks=1)
UNKNOWN = "Slurm does not know it any more"


class FakeSlurm:
    """A cluster with the element 7_1, which is queued for a number of polls."""

    def __init__(self, polls, state):
        self._polls = polls
        self._state = state

    def get_queued(self, jobs):
        assert jobs == {"7"}
        self._polls -= 1
        return {("7", "1"): "COMPLETING"} if self._polls >= 0 else {}

    def get_end_state(self, job, index):
        assert (job, index, self._polls < 0) == ("7", "1", True)
        return self._state


def make_jobs(folder, slurm, status):
    """Return SlurmJobs with one run, whose script has left this status."""
    store = Store(folder, "tiny")
    work = Work.create(store.works, RUN)
    (work.folder / "status").write_text(f"{status}\n")
    batch = Batch(store.folder / "slurm" / "rocelab-0")
    batch.folder.mkdir(parents=True)
    batch.set_job("7")
    (batch.folder / "works").write_text(f"{work.folder}\n")
    jobs = SlurmJobs(None, store, None, slurm, poll=0)
    assert jobs.adopt([RUN]) == [RUN]
    return jobs


def poll_until_end(jobs):
    """Return the error of the run and the number of polls until it was reported."""
    for count in range(1, 10):
        for run, record in jobs.poll():
            assert (run, record.status) == (RUN, "failed")
            return record.error, count
    raise AssertionError("the run has not ended")


# Slurm's states where the engine's exit status is that of SIGINT, 128 + 2.
@pytest.mark.parametrize("state", ["CANCELLED by 1000", "TIMEOUT", "OUT_OF_MEMORY", "PREEMPTED"])
def test_a_run_that_slurm_ended_has_slurms_state_even_if_the_engine_left_a_status(tmp_path, state):
    # Three polls see the job queued; it has ended when two polls in a row miss it.
    jobs = make_jobs(tmp_path, FakeSlurm(3, state), 130)
    assert poll_until_end(jobs) == (f"Slurm job 7_1 ended without a result: {state}", 5)


@pytest.mark.parametrize("state", ["COMPLETED", "FAILED", UNKNOWN])
def test_a_signal_that_is_not_slurms_is_reported_by_its_number(tmp_path, state):
    jobs = make_jobs(tmp_path, FakeSlurm(0, state), 128 + 11)
    assert poll_until_end(jobs) == ("ended by signal 11", 2)


def test_a_status_without_a_signal_is_taken_while_the_job_is_still_queued(tmp_path):
    jobs = make_jobs(tmp_path, FakeSlurm(3, "CANCELLED"), 1)
    assert poll_until_end(jobs) == ("exit status 1", 1)
