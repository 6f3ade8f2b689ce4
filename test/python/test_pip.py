# SPDX-License-Identifier: GPL-2.0-only
"""What `pip install .` installs runs without the project's tree: the package and the command rocelab."""

import importlib.util
import json
import os
import subprocess
import sys

import pytest
from binding import ROOT, make_incast, needs_module

pytestmark = needs_module


@pytest.mark.slow
def test_an_installed_package_runs_with_its_own_libraries(tmp_path):
    for module in ("pip", "setuptools", "wheel"):
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"Debian package python3-{module} is not installed")
    if "ROCELAB_BUILD" in os.environ and os.environ["ROCELAB_BUILD"].rstrip("/") != str(ROOT / "build"):
        pytest.skip("wheels are of the optimized variant")
    target = tmp_path / "installed"
    command = [sys.executable, "-m", "pip", "install", str(ROOT), "--no-build-isolation", "--no-deps"]
    environment = {key: os.environ[key] for key in os.environ if key != "ROCELAB_BUILD"}
    result = subprocess.run(
        [*command, "--no-index", "--target", target],
        capture_output=True,
        encoding="utf-8",
        env=environment,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    program = (
        f"import rocelab; print(rocelab.__file__); print(rocelab.run({make_incast('irn')!r}).only.line);"
        "print({line.split()[-1] for line in open('/proc/self/maps') if 'librdma' in line})"
    )
    output = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env={**environment, "PYTHONPATH": str(target)},
        stdout=subprocess.PIPE,
        encoding="utf-8",
        check=True,
    ).stdout
    assert "3 of 3 flows completed" in output
    assert str(target / "rocelab" / "__init__.py") in output
    assert str(ROOT / "build") not in output
    listed = subprocess.run(
        [target / "bin" / "rocelab", "figure", "--list"],
        cwd=tmp_path,
        env={**environment, "PYTHONPATH": str(target)},
        stdout=subprocess.PIPE,
        encoding="utf-8",
        check=True,
    ).stdout
    assert "strom/figure-7 " in listed  # The wheel has its own copy of examples/.
    # The program is in the wheel, too: it runs scenarios, and calls the package for the other commands.
    scenario = tmp_path / "incast.json"
    scenario.write_text(json.dumps(make_incast("irn")))
    for program in (target / "bin" / "rocelab", target / "rocelab" / "bin" / "rocelab"):
        for words in (["run", scenario], ["compare", scenario], ["list", "presets"]):
            ended = subprocess.run(
                [program, *words],
                cwd=tmp_path,
                env={**environment, "PYTHONPATH": str(target)},
                capture_output=True,
                encoding="utf-8",
                check=False,
            )
            assert ended.returncode == 0, ended.stderr
    assert (tmp_path / "results" / "incast" / "irn" / "flows.csv").exists()
    assert (target / "rocelab" / "cli" / "templates" / "cc" / "policy.cc").exists()
    assert (target / "rocelab" / "py.typed").exists() and (target / "rocelab" / "_core.pyi").exists()
