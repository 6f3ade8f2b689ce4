# SPDX-License-Identifier: GPL-2.0-only
"""rocelab figure: runs the experiment of one folder under examples/ and draws its figure.

A figure.py defines OPTIONS, {name: Option}, and run(context), which calls
context.run_scenario(), context.measure() and context.run_command() as often as needed and ends
with context.write_figure().
"""

import copy
import json
import os
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from rocelab.draw.panels import draw_panels
from rocelab.draw.style import save
from rocelab.errors import UserError, describe_nearest
from rocelab.files import make_folder, read_json_object, write_json
from rocelab.results.folders import get_listed_nics, load_scenario
from rocelab.runs.engine import (
    get_commit,
    get_version,
    make_measure_words,
    run_engine,
    run_json_command,
)
from rocelab.sweeps.run_cache import RunCache
from rocelab.terminal.progress import CountLine
from rocelab.validate.examples import find_folder, load_figure_module
from rocelab.validate.facts import make_statements
from rocelab.validate.figure_sweep import run_sweeps
from rocelab.validate.ledger import list_facts
from rocelab.validate.settings import find_attributes


RECORD = "cache.json"  # Beside the results of a scenario's NICs.


@dataclass(frozen=True)
class Option:
    """A setting of a figure that the user may change with --option NAME=VALUE."""

    default: str
    quick: str  # The default under --quick.
    help: str


class FigureContext:
    """What a figure.py works with.

    name is that of the figure, "strom/figure-7"; is_quick tells whether --quick was given; options
    holds the text of every option; folder is the experiment's own folder and results the folder that
    everything is written to.
    """

    def __init__(self, name, folder, results, build, is_quick, options, plugins=()):
        self.name = name
        self.folder = Path(folder)
        self.results = Path(results)
        self.is_quick = is_quick
        self.options = options
        self.written = []
        self._build = build
        self._plugins = plugins
        self._cache = RunCache(build, plugins)
        self._commands = 0
        self._attributes = set()  # What the runs have set beyond presets.
        # How many there were the last time, with these options.
        self._line = CountLine(f"figure {self.name}", self._read_count())

    def _read_count(self):
        path = self.results / "figure.json"
        try:
            made = json.loads(path.read_text(encoding="utf-8")).get("made", {})
        except (OSError, ValueError, AttributeError):
            return None  # Only the time left would follow from it.
        is_same = made.get("quick") == self.is_quick and made.get("options") == self.options
        return made.get("commands") if is_same else None

    @contextmanager
    def _count_command(self, shows_line):
        """While one command of the engine runs; one that has a line of its own gets no other."""
        if shows_line:
            self._line.show()
        else:
            self._line.clear()
        try:
            yield
        finally:
            self._commands += 1
            self._line.add()
            self._line.clear()

    def run_scenario(self, scenario, nics=None, seed=None, ranks=1, plugins=()):
        """Run a scenario, a dict or the path of a JSON file, and return its ScenarioResult.

        Results of the same content are kept: a figure that failed at its last point continues there.

        Paths in a dict, and `scenario` itself, are relative to the experiment's folder. `nics` and
        `seed` override the scenario's own. More than one of `ranks` share the fabric (mpirun).
        `plugins` are files of the build folder, beside those that the user names.
        """
        if isinstance(scenario, dict):
            scenario_file = self._write_scenario(scenario)
        else:
            scenario_file = self.folder / scenario
            scenario = read_json_object(scenario_file)
        self._attributes |= find_attributes(scenario)
        built = tuple(Path(self._build) / plugin for plugin in plugins)
        request = {"scenario": read_json_object(scenario_file), "nics": nics, "seed": seed, "ranks": ranks}
        content = self._cache.make_hash(request, built)
        folder = self.results / "runs" / scenario["name"]
        record = folder / RECORD
        wanted = nics or get_listed_nics(scenario) or None  # The folder may have others, of an earlier run.
        with self._count_command(shows_line=False):
            if self._cache.find(record, content):
                print(f"{scenario['name']}: kept, {folder}")
                return load_scenario(folder, only=wanted)
            record.unlink(missing_ok=True)
            run_engine(self._build, scenario_file, folder.parent, nics, seed, ranks, [*self._plugins, *built])
        result = load_scenario(folder, only=wanted)
        self._cache.note(record, content, list_files(result, scenario_file.parent), True)
        return result

    def sweep(self, scenarios, plugins=()):
        """Run {key: scenario} on all cores; returns {key: ScenarioResult}. Paths are as those of run_scenario().

        It is a sweep: results of the same content are kept.
        """
        for scenario in scenarios.values():
            self._attributes |= find_attributes(scenario)
        built = [Path(self._build) / plugin for plugin in plugins]
        with self._count_command(shows_line=False):
            return run_sweeps(scenarios, self.folder, self.results / "sweeps", self._build, [*self._plugins, *built])

    def run_command(self, arguments):
        """Run another command of the engine, for example ["perftest", "send_bw", "--json"].

        Returns the JSON that it prints; raises UserError if it fails. Paths are relative to the
        working directory.
        """
        self._attributes |= find_attributes(arguments)
        words = list(map(str, arguments))
        content = self._cache.make_hash(words)
        record = self.results / "commands" / f"{content[:16]}.json"
        with self._count_command(shows_line=True):
            answer = self._cache.find(record, content)
            if answer is None:
                answer = run_json_command(self._build, words)
                files = {part for word in words for part in (word, word.rpartition("=")[2]) if os.path.isfile(part)}
                self._cache.note(record, content, sorted(files), answer)
        return answer

    def measure(self, name, /, sets=(), **keys):
        """Return the rows of a measurement, a dict each; keys as in measure("kv-dma", request_rate=0).

        `sets` are attributes, "NAME=VALUE".
        """
        return self.run_command(make_measure_words(name, keys, sets))["rows"]

    @property
    def paper(self):
        """What papers state about this figure, by the facts that status.csv assigns to it."""
        return make_statements(list_facts(self.name))

    def write_figure(self, x, y, series, paper=None, plot=draw_panels, **more):
        """Write figure.json and the picture as PNG and SVG; returns the paths.

        x and y are {"label", "unit"}, series {name: [[x, y], ...]}, paper a list of what the paper
        states, by default that of the facts. `more` adds top-level keys, for example panels (the panels of a figure with several,
        the first among them) or incomplete ({name: [x, ...]}). plot(the whole dict) returns a
        matplotlib Figure. "made" names the figure and says what made the numbers.
        """
        paper = self.paper if paper is None else paper
        data = {"x": x, "y": y, "series": series, "paper": paper, **more, "made": self._get_origin()}
        self.written.append(write_json(self.results / "figure.json", data))
        self.written += save(plot(data), self.results / self.name.replace("/", "-"))
        return self.written

    def write_panels(self, panels, paper=None, plot=draw_panels, **more):
        """Write the figure of several panels, the first of which gives its axes and series."""
        first = panels[0]
        return self.write_figure(
            first["x"], first["y"], first["series"], paper, plot=plot, panels=panels, **more
        )

    def _get_origin(self):
        # The version of the program, the commit of the project, and what was asked for.
        return {
            "figure": self.name,
            "version": get_version(self._build),
            "commit": get_commit(),
            "quick": self.is_quick,
            "options": self.options,
            "attributes": sorted(self._attributes),
            "commands": self._commands,
        }

    def _write_scenario(self, scenario):
        # A scenario's paths start at its file, so they move with the file to the results folder.
        target = self.results / "scenarios" / f"{scenario['name']}.json"
        moved = copy.deepcopy(scenario)
        workloads = moved.get("workloads") or [moved.get("workload", {})]
        for part in (*workloads, moved.get("fabric", {})):
            for key in {"sizes", "file"} & set(part):
                path = self.folder.resolve() / part[key]
                if not path.suffix and "/" not in part[key] and not path.exists():
                    continue  # The name of a shipped file.
                part[key] = os.path.relpath(path.resolve(), target.parent.resolve())
        return write_json(target, moved)


def list_files(result, base):
    """Return the files on which results of a scenario depend, and the results; paths of a scenario start at `base`."""
    files = []
    for nic in result.nics:
        made = nic.scenario.get("rocelab", {}).get("scenario", {})
        files += [base / path for path in made.get("files", {})]
        files += [nic.folder / name for name in ("scenario.json", "summary.json", "flows.csv")]
    return sorted(set(files))


def resolve_options(path, declared, settings, is_quick):
    """Return {option: text} from the declared Options and the user's NAME=VALUE settings."""
    values = {
        name: option.quick if is_quick else option.default for name, option in declared.items()
    }
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals or name not in declared:
            known = ", ".join(f"{known}=..." for known in declared) or "none"
            is_typo = name not in declared and declared
            hint = f" ({describe_nearest(name, list(declared))})" if is_typo else ""
            raise UserError(f"{path}: expected one of the options {known}{hint}, got {setting!r}")
        values[name] = value
    return values


def run_figure(name, examples, out, build, is_quick=False, settings=(), plugins=()):
    """Run examples/<name>/figure.py into OUT/<name>/; returns the paths written."""
    folder = find_folder(name, examples)
    module = load_figure_module(name, examples)
    options = resolve_options(
        folder / "figure.py", getattr(module, "OPTIONS", {}), settings, is_quick
    )
    # A quick run has a folder of its own: it must not replace the results of a full one.
    results = Path(out) / (f"{name}-quick" if is_quick else name)
    make_folder(results)  # A figure runs for seconds to hours before it is written.
    context = FigureContext(name, folder, results, build, is_quick, options, plugins)
    module.run(context)
    if not context.written:
        raise UserError(f"{folder / 'figure.py'}: expected run() to call write_figure()")
    return context.written
