# SPDX-License-Identifier: GPL-2.0-only
"""What "import rocelab" offers, for editors and type checkers."""

from rocelab import collectives as collectives
from rocelab.draw.plot import plot as plot
from rocelab.errors import InputError as InputError
from rocelab.errors import RunError as RunError
from rocelab.errors import UserError as UserError
from rocelab.report.tables import compare as compare
from rocelab.runs.lab import Fabric as Fabric
from rocelab.runs.lab import NicDesign as NicDesign
from rocelab.runs.lab import Scenario as Scenario
from rocelab.runs.lab import check as check
from rocelab.runs.lab import list_presets as list_presets
from rocelab.runs.lab import run as run
from rocelab.runs.measure import measure as measure
from rocelab.runs.policies import AckEvent as AckEvent
from rocelab.runs.policies import Attribute as Attribute
from rocelab.runs.policies import CongestionControl as CongestionControl
from rocelab.runs.policies import EarlyPacket as EarlyPacket
from rocelab.runs.policies import EntropyFacts as EntropyFacts
from rocelab.runs.policies import EntropySelector as EntropySelector
from rocelab.runs.policies import Feedback as Feedback
from rocelab.runs.policies import FrameInfo as FrameInfo
from rocelab.runs.policies import IntHop as IntHop
from rocelab.runs.policies import LoadBalancer as LoadBalancer
from rocelab.runs.policies import LossEvent as LossEvent
from rocelab.runs.policies import OutOfOrderAdmission as OutOfOrderAdmission
from rocelab.runs.policies import PathInfo as PathInfo
from rocelab.runs.policies import RouteSignal as RouteSignal
from rocelab.runs.policies import SendLimit as SendLimit
from rocelab.runs.run_result import RunResult as RunResult
from rocelab.runs.run_result import RunResults as RunResults
from rocelab.runs.run_result import RunWarning as RunWarning
from rocelab.runs.run_result import load as load
from rocelab.sweeps.sweep import sweep as sweep
from rocelab.version import __version__ as __version__
