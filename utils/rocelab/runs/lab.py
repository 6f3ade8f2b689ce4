# SPDX-License-Identifier: GPL-2.0-only
"""Scenarios made, changed and run in process (docs/study/python.md)."""

from __future__ import annotations

import atexit
import copy
import json
import os
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Union

from rocelab.errors import InputError, describe_object
from rocelab.runs.core import _core, check_text
from rocelab.runs.policies import CongestionControl, LoadBalancer
from rocelab.runs.child import CaptureLike, run_in_child
from rocelab.runs.interrupts import Interrupts
from rocelab.runs.run_result import STATUS_NAMES, RunResult, RunResults, RunWarning, TemporaryFolder

#: What run() and check() take: a file, or the same as an object.
ScenarioLike = Union[str, "os.PathLike[str]", Mapping[str, Any], "Scenario"]
Progress = Callable[[str, int, int, int, int], object]
#: Whether to write time series, or the key "series" of a scenario.
SeriesLike = Union[bool, Mapping[str, Any]]


def _write_value(value: Any) -> Any:
    """Return what stands for an object in a scenario."""
    if isinstance(value, (Fabric, NicDesign)):
        return value.to_dict()
    if isinstance(value, type) and issubclass(value, (CongestionControl, LoadBalancer)):
        return value.typeName
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if hasattr(value, "tolist"):  # Arrays and numbers of numpy.
        return value.tolist()
    raise InputError(
        f"scenario: expected values that JSON has, got {type(value).__name__} {describe_object(value)}"
    )


def _write_attribute(name: str, value: Any) -> str:
    """Return an attribute's value as text, as ns-3 reads it."""
    if isinstance(value, type) and issubclass(value, (CongestionControl, LoadBalancer)):
        return value.typeName
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return check_text(name, value)
    if isinstance(value, float) or (isinstance(value, int) and abs(value) < 1 << 128):
        return str(value)
    raise InputError(f"{name}: expected text, a number or a class, got {describe_object(value)}")


class _Attributes:
    """What has keys of a scenario, and attributes by their full names."""

    def __init__(self, **keys: Any) -> None:
        self.attributes: dict[str, str] = {}
        self.keys = keys
        attributes = self.keys.pop("attributes", {})
        if not isinstance(attributes, Mapping):
            raise InputError(f"attributes: expected a dict, got {describe_object(attributes)}")
        for name, value in attributes.items():
            self.set(name, value)

    def to_dict(self) -> dict[str, Any]:
        """Return "fabric", or an entry of "nics", of a scenario."""
        own = {"attributes": dict(self.attributes)} if self.attributes else {}
        return {**self.keys, **own}

    def set(self, name: str, value: Any) -> "_Attributes":
        """Set an attribute by its full name, as "ns3::rdma::Dcqcn::Gain"; returns self."""
        name = check_text("attribute", name)
        text = _write_attribute(name, value)
        _core.check_attribute(name, text)
        self.attributes[name] = text
        return self


class Fabric(_Attributes):
    """The network of a scenario: a topology, keys as docs/reference/scenarios.md has them, attributes.

    Fabric("fat-tree", servers=64, hostRate="100Gbps", fabricRate="400Gbps", linkDelay="1us")
    """

    def __init__(self, topology: str, **keys: Any) -> None:
        super().__init__(topology=topology, **keys)


class NicDesign(_Attributes):
    """A NIC design: a preset with changes.

    NicDesign("srnic", name="srnic-mine", congestionControl=MyClass, hardware="on")
    """

    def __init__(self, preset: str, name: str | None = None, **keys: Any) -> None:
        _core.check_preset(check_text("preset", preset))
        self.name = preset if name is None else check_text("name", name)
        super().__init__(preset=preset, name=self.name, **keys)


class Scenario(dict):
    """A scenario as a dict with the keys of a scenario file, and the folder where its paths start.

    What is wrong with it, check() and run() say.
    """

    def __init__(
        self,
        name: str | Mapping[str, Any] = "scenario",
        fabric: Fabric | Mapping[str, Any] | None = None,
        nics: Iterable[str | NicDesign | Mapping[str, Any]] | None = None,
        workload: Mapping[str, Any] | None = None,
        base: str | os.PathLike[str] = "",
        **keys: Any,
    ) -> None:
        if isinstance(name, Mapping):
            super().__init__(name)
        else:
            super().__init__(name=name)
        given = {"fabric": fabric, "nics": None if nics is None else list(nics), "workload": workload}
        self.update({key: value for key, value in given.items() if value is not None})
        self.update(keys)
        self.base = Path(base)
        self.source = "scenario"  # What messages call it.

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "Scenario":
        """Return the scenario of a file, to be changed; raises InputError."""
        # Read as the program reads it: its messages have line and column.
        try:
            text = Path(path).read_text(encoding="utf-8-sig")
            scenario = cls(json.loads(text), base=Path(path).parent)
        except (OSError, ValueError, TypeError, RecursionError):
            _core.check((check_text("scenario", path), None, [], [], None, False, []))  # Raises.
            raise
        scenario.source = Path(path).name
        record = scenario.get("rocelab")
        if isinstance(record, dict) and "version" in record:  # Of a result: its paths start elsewhere.
            scenario.base /= str(record.get("base", ""))
            del scenario["rocelab"]
        return scenario

    def copy(self) -> "Scenario":
        """Return a copy that shares nothing with this one."""
        return copy.deepcopy(self)

    def to_json(self) -> str:
        """Return the text of a scenario file."""
        return _write_json(self)


def _write_json(scenario: Any) -> str:
    try:
        return json.dumps(scenario, default=_write_value, allow_nan=False, indent=2)
    except (TypeError, ValueError, RecursionError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"scenario: expected values that JSON has, got: {error}") from None


def to_plain(value: Any) -> Any:
    """Return a value of a scenario as JSON has it: designs as dicts, classes by their names."""
    return json.loads(_write_json(value))


def _list_texts(what: str, given: Any) -> list[str]:
    if given is None:
        return []
    if not isinstance(given, (str, os.PathLike, Iterable)):
        raise InputError(f"{what}: expected text or a list of texts, got {describe_object(given)}")
    texts = [given] if isinstance(given, (str, os.PathLike)) else list(given)
    return [check_text(what, text) for text in texts]


def _make_request(
    scenario: ScenarioLike,
    nics: Sequence[str] | str | None,
    seed: int | None,
    sets: Mapping[str, Any] | Sequence[str] | None,
    series: SeriesLike,
    plugins: Sequence[str | os.PathLike[str]] | str | os.PathLike[str] | None,
) -> Any:
    """Return what _core.check() and _core.run() take of a scenario."""
    if isinstance(scenario, Mapping):
        base = scenario.base if isinstance(scenario, Scenario) else Path()
        source = scenario.source if isinstance(scenario, Scenario) else "scenario"
        file, text = os.fspath(base / source), _write_json(scenario)
    elif isinstance(scenario, (str, os.PathLike)):
        file, text = check_text("scenario", scenario), None
    else:
        raise InputError(
            f"scenario: expected a file, a dict or a Scenario, got {type(scenario).__name__}"
        )
    if seed is not None and (
        isinstance(seed, bool) or not hasattr(seed, "__index__") or not 0 <= int(seed) < 1 << 64
    ):
        raise InputError(f"seed: expected a whole number from 0 to 2^64 - 1, got {describe_object(seed)}")
    if isinstance(sets, Mapping):
        sets = [f"{check_text('sets', path)}={_write_set(value)}" for path, value in sets.items()]
    changes = _list_texts("sets", sets)
    if isinstance(series, Mapping):
        changes.append(f"series={_write_json(series)}")
    return (
        file,
        text,
        changes,
        _list_texts("nics", nics),
        None if seed is None else int(seed),
        bool(series),
        _list_texts("plugins", plugins),
    )


def _write_set(value: Any) -> str:
    return value if isinstance(value, str) else _write_json(value)


def check(
    scenario: ScenarioLike,
    *,
    nics: Sequence[str] | str | None = None,
    seed: int | None = None,
    sets: Mapping[str, Any] | Sequence[str] | None = None,
    series: SeriesLike = False,
    plugins: Sequence[str | os.PathLike[str]] | str | os.PathLike[str] | None = None,
) -> dict[str, Any]:
    """Check a scenario and return it with all defaults filled in, as `rocelab check` prints it.

    Raises InputError.
    """
    return json.loads(_core.check(_make_request(scenario, nics, seed, sets, series, plugins)))


def run(
    scenario: ScenarioLike,
    *,
    nics: Sequence[str] | str | None = None,
    seed: int | None = None,
    sets: Mapping[str, Any] | Sequence[str] | None = None,
    series: SeriesLike = False,
    plugins: Sequence[str | os.PathLike[str]] | str | os.PathLike[str] | None = None,
    jobs: int = 1,
    ranks: int = 1,
    captures: CaptureLike = False,
    out: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
) -> RunResults:
    """Run the NICs of a scenario; the bytes of the results are the program's.

    Args:
        scenario: a file, a dict with the keys of one, or a Scenario.
        nics: only these, or presets; as --nic.
        seed: replaces run.seed.
        sets: changes by path, as {"workload.load": 0.5}; as --set.
        series: write time series, as the scenario says or all; or its key, {"interval": "5us", "what": ["queue"]}.
        plugins: shared libraries to load, for good; as --plugin.
        jobs: NICs at a time.
        ranks: processes that simulate each NIC's fabric together.
        captures: write a capture of each server's port; or which, {"hosts": [0, 3], "qps": [2], "opcodes":
            ["rc-acknowledge"], "headers": True}.
        out: folder of results, which get OUT/<name>/<nic>/; else a temporary one that is removed
            with the last result.
        progress: called about every 50 ms with the NIC's name, flows done, all flows (0: not
            known), simulated picoseconds and packet-hops.

    A run is in this process; with jobs, ranks or captures it is in processes of the program, which have no classes of
    Python and report no progress.

    Raises InputError for bad input, RunError if a run fails, both with the line that the program
    prints; warns with RunWarning if flows stalled. On Ctrl-C KeyboardInterrupt is raised, and what
    the NIC had until then is in `out`, marked as partial.
    """
    request = _make_request(scenario, nics, seed, sets, series, plugins)
    if progress is not None and not callable(progress):
        raise InputError(f"progress: expected a function, got {describe_object(progress)}")
    if out is not None and not check_text("out", out):
        raise InputError("out: expected a folder, got an empty path")
    for name, count in (("jobs", jobs), ("ranks", ranks)):
        if isinstance(count, bool) or not isinstance(count, int) or count < 1:
            raise InputError(f"{name}: expected a whole number from 1, got {describe_object(count)}")
    holder = TemporaryFolder() if out is None else None
    folder = holder.name if holder else os.fspath(out or "")
    if jobs > 1 or ranks > 1 or captures:
        if progress:
            raise InputError("progress: expected a run without jobs, ranks and captures")
        results = run_in_child(request, folder, jobs, ranks, captures, holder)
    else:
        _end_runs_at_exit()  # Before the folder is removed: what is registered last is called first.
        with Interrupts():
            outcomes = _core.run(request, folder, progress)
        results = [_read_outcome(outcome, holder) for outcome in outcomes]
    for result in results:
        for message in result.messages:
            warnings.warn(f"{result.name}: {message}", RunWarning, stacklevel=2)
    return RunResults(results[0].folder.parent, {result.name: result for result in results})


def _read_outcome(outcome: Mapping[str, Any], holder: TemporaryFolder | None) -> RunResult:
    """Return the result of what _core.run() returns of a NIC."""
    return RunResult(
        outcome["folder"],
        status=STATUS_NAMES[outcome["status"]],
        line=" ".join(outcome["result"]),
        messages=[*outcome["violations"], *outcome["troubles"]],
        holder=holder,
    )


@cache
def _end_runs_at_exit() -> None:
    """Let a run in a daemon thread end while the interpreter is whole."""
    atexit.register(_core.end_run)


def list_presets() -> dict[str, str]:
    """Return the presets of NICs with their descriptions."""
    return dict(_core.list_presets())
