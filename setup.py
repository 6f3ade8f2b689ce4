# SPDX-License-Identifier: GPL-2.0-only
"""pip install .: the Python package with its module, libraries and program, which ./waf build makes."""

import glob
import os
import re
import shutil
import subprocess
import sysconfig

from setuptools import Extension, find_packages, setup
from setuptools.command.build_ext import build_ext

TOP = os.path.dirname(os.path.abspath(__file__))
DATA = ("examples", "traces", "validation")  # Copied into the package.
IGNORED = shutil.ignore_patterns("__pycache__")
PIP = os.path.join("build", "pip")  # Out of the way of waf's own files.


def read_version():
    with open(os.path.join(TOP, "wscript"), encoding="utf-8") as file:
        return re.search(r"^VERSION = '(.*)'$", file.read(), re.MULTILINE).group(1)


class WafBuild(build_ext):
    """Lets waf build the module; takes it and the libraries that it loads from beside itself."""

    def run(self):
        subprocess.run([os.path.join(TOP, "waf"), "build", "--targets=_core,rocelab"], check=True)
        suffix = sysconfig.get_config_var("EXT_SUFFIX")
        module = os.path.join(TOP, "build", "python", "rocelab", "_core" + suffix)
        if not os.path.exists(module):
            raise SystemExit(f"rocelab: expected pip of /usr/bin/python3, got one for {suffix}")
        package = os.path.join(self.build_lib, "rocelab")
        os.makedirs(os.path.join(package, "lib"), exist_ok=True)
        shutil.copy(module, package)
        for library in glob.glob(os.path.join(TOP, "build", "lib", "*.so")):
            shutil.copy(library, os.path.join(package, "lib"))
        os.makedirs(os.path.join(package, "bin"), exist_ok=True)
        shutil.copy(os.path.join(TOP, "build", "rocelab"), os.path.join(package, "bin"))  # rocelab/places.py: PROGRAMS.
        shutil.rmtree(os.path.join(package, "data"), ignore_errors=True)
        for name in DATA:  # Where rocelab/places.py looks for them.
            shutil.copytree(os.path.join(TOP, name), os.path.join(package, "data", name), ignore=IGNORED)

    def get_outputs(self):
        return glob.glob(os.path.join(self.build_lib, "rocelab", "**", "*.so"), recursive=True)

    def get_source_files(self):
        return []


shutil.rmtree(os.path.join(TOP, PIP), ignore_errors=True)  # Modules that are gone would stay in wheels.
os.makedirs(os.path.join(TOP, PIP))
setup(
    version=read_version(),  # pyproject.toml has all else that describes the package.
    package_dir={"": "utils"},
    packages=find_packages("utils", include=["rocelab", "rocelab.*"]),
    package_data={
        "rocelab": ["py.typed", "*.pyi", "third-party/*", "third-party/*/*"],
        "rocelab.cli": ["templates/*/*"],
        "rocelab.report": ["*.css", "*.js"],
        "rocelab.results": ["*.json"],
    },
    ext_modules=[Extension("rocelab._core", [])],
    cmdclass={"build_ext": WafBuild},
    options={"build": {"build_base": PIP}, "egg_info": {"egg_base": PIP}},
)
