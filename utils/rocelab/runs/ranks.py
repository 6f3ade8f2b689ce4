# SPDX-License-Identifier: GPL-2.0-only
"""Starting the engine on several ranks: mpirun and the environment it wants."""

import os
import shutil

from rocelab.errors import UserError

# What Open MPI wants to see before it starts anything as root, as in containers.
ROOT_CONSENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
}


def make_rank_command(count):
    """Return what to put before a command that is to run on `count` ranks."""
    mpirun = shutil.which("mpirun")
    if not mpirun:
        raise UserError(
            f"mpirun: expected the program that starts {count} ranks (Debian package openmpi-bin), "
            "got none; one rank needs none"
        )
    return [mpirun, "-n", str(count)]


def get_rank_settings():
    """Return the environment variables that mpirun wants to see."""
    # On a machine with fewer cores than ranks the run is slow, not refused; of several runs on one
    # machine no two are bound to the same cores.
    settings = {
        "OMPI_MCA_rmaps_base_oversubscribe": "1",
        "OMPI_MCA_hwloc_base_binding_policy": "none",
    }
    if os.geteuid() == 0:
        settings.update(ROOT_CONSENT)
    return {name: os.environ.get(name, value) for name, value in settings.items()}
