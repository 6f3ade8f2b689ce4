# SPDX-License-Identifier: GPL-2.0-only
"""RoceLab from Python: scenarios run in process, own policies, tables, plots and figures (docs/study/python.md)."""

import os
from importlib import import_module

#: Where the names are that "import rocelab" offers (__init__.pyi has them, too). They are loaded when
#: they are first used: the commands for tables and plots need no simulator.
_HOMES = {
    "errors": ("InputError", "RunError", "UserError"),
    "draw.plot": ("plot",),
    "report.tables": ("compare",),
    "runs.lab": ("Fabric", "NicDesign", "Scenario", "check", "list_presets", "run"),
    "runs.measure": ("measure",),
    "runs.policies": (
        "AckEvent",
        "Attribute",
        "CongestionControl",
        "EarlyPacket",
        "EntropyFacts",
        "EntropySelector",
        "Feedback",
        "FrameInfo",
        "IntHop",
        "LoadBalancer",
        "LossEvent",
        "OutOfOrderAdmission",
        "PathInfo",
        "RouteSignal",
        "SendLimit",
    ),
    "runs.run_result": ("RunResult", "RunResults", "RunWarning", "load"),
    "sweeps.sweep": ("sweep",),
    "version": ("__version__",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

_MODULES = ("collectives",)

__all__ = sorted([*_HOME_OF, *_MODULES])

# In the project's own tree ./waf build leaves the module _core in its build folder; in a wheel it is here.
_BUILD = os.environ.get("ROCELAB_BUILD") or os.path.join(os.path.dirname(__file__), "../../build")
if os.path.isdir(os.path.join(_BUILD, "python", "rocelab")):
    __path__.append(os.path.realpath(os.path.join(_BUILD, "python", "rocelab")))


def __getattr__(name):
    if name in _MODULES:
        return import_module(f"rocelab.{name}")
    if name not in _HOME_OF:
        raise AttributeError(f"module 'rocelab' has no attribute {name!r}")
    value = getattr(import_module(f"rocelab.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__():
    return sorted([*globals(), *_HOME_OF, *_MODULES])
