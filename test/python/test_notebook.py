# SPDX-License-Identifier: GPL-2.0-only
"""The notebook of examples/start/notebook: its cells in one interpreter, and in Jupyter where that is installed."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys

import pytest
from binding import ROOT, needs_module

pytestmark = needs_module

NOTEBOOK = ROOT / "examples" / "start" / "notebook" / "incast.ipynb"


def read_code():
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


@pytest.mark.slow
def test_the_cells_run_after_each_other_and_draw(tmp_path):
    program = "import matplotlib\nmatplotlib.use('Agg')\n" + "\n".join(read_code())
    program += f"\nfigure.savefig({str(tmp_path / 'plot.png')!r})\nprint(sorted(results))"
    result = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        cwd=NOTEBOOK.parent,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert result.returncode == 0, result.stderr
    lines = result.stdout.splitlines()
    assert lines[0].startswith("irn: 128 of 128 flows completed")
    assert lines[-1] == "['halve-on-mark', 'irn', 'srnic', 'srnic-dcqcn']"
    assert (tmp_path / "plot.png").stat().st_size > 10_000


@pytest.mark.slow
def test_jupyter_runs_the_notebook(tmp_path):
    for module in ("nbconvert", "ipykernel"):
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"Debian package python3-{module} is not installed")
    folder = tmp_path / "examples" / "start" / "notebook"
    folder.mkdir(parents=True)
    shutil.copy(NOTEBOOK, folder)
    (tmp_path / "utils").symlink_to(ROOT / "utils")
    subprocess.run(
        [sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute", "--inplace"]
        + ["--ExecutePreprocessor.kernel_name=python3", folder / NOTEBOOK.name],
        check=True,
        capture_output=True,
        env={**os.environ, "JUPYTER_RUNTIME_DIR": str(tmp_path), "HOME": str(tmp_path)},
    )
    cells = json.loads((folder / NOTEBOOK.name).read_text(encoding="utf-8"))["cells"]
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    assert any("image/png" in output.get("data", {}) for output in outputs)
    assert not any(output["output_type"] == "error" for output in outputs)


def test_the_notebook_is_kept_without_outputs():
    for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]:
        assert not cell.get("outputs") and not cell.get("execution_count")
