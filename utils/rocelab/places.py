# SPDX-License-Identifier: GPL-2.0-only
"""Places of the project's data: the folders of the checkout, or the copies that a wheel has."""

import os
import shlex
import shutil
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
COPIES = PACKAGE / "data"
PROGRAMS = PACKAGE / "bin"


@cache
def find_checkout():
    """Return the top folder of the checkout that this package belongs to; None if it is installed."""
    return next((top for top in PACKAGE.parents if (top / "utils" / PACKAGE.name) == PACKAGE), None)


def find_data(*parts):
    """Return the path of a file or folder, ("traces", "cache-follower.cdf"); it need not exist."""
    return (find_checkout() or COPIES).joinpath(*parts)


def find_program_folder():
    """Return the folder of the program that `import rocelab` uses: ROCELAB_BUILD, or that of this package."""
    if "ROCELAB_BUILD" in os.environ:
        return os.environ["ROCELAB_BUILD"]
    checkout = find_checkout()
    if checkout:
        return str(checkout / "build")
    installed = shutil.which("rocelab")  # Of a Debian package.
    return str(PROGRAMS) if PROGRAMS.exists() or not installed else os.path.dirname(os.path.realpath(installed))


def find_build():
    """Return the folder of the program: that of an installed package, else "build" of the working folder."""
    return str(PROGRAMS) if find_checkout() is None and PROGRAMS.exists() else "build"


def get_called():
    """Return the program as the user's shell has called it, "build/rocelab", for commands that are printed."""
    return shlex.quote(os.environ.get("ROCELAB_CALLED", "rocelab"))
