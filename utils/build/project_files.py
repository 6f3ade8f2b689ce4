# SPDX-License-Identifier: GPL-2.0-only
"""The files of the checkout, as git lists them."""

import os
import shutil
import subprocess


def list_files(top, *options):
    """
    Returns the paths of all tracked files that exist, relative to top; options are those of git ls-files.

    Raises OSError without git, subprocess.CalledProcessError if top is no checkout.
    """
    listed = subprocess.run(['git', 'ls-files', '-z', *options], cwd=top, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, check=True).stdout.decode()
    # A file may be removed but not yet committed.
    return [name for name in listed.split('\0') if name and os.path.isfile(os.path.join(top, name))]


def copy_files(top, folder, names):
    """Lets folder have these files of top and no others; a build folder in it is kept."""
    os.makedirs(folder, exist_ok=True)
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        if os.path.isdir(path) and name != 'build':
            shutil.rmtree(path)
        elif not os.path.isdir(path):
            os.remove(path)
    for name in names:
        target = os.path.join(folder, name)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copy2(os.path.join(top, name), target)
