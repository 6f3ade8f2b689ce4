# SPDX-License-Identifier: GPL-2.0-only
"""What "import rocelab" offers, for editors and type checkers."""

from rocelab.errors import InputError as InputError
from rocelab.errors import RunError as RunError
from rocelab.errors import UserError as UserError
from rocelab.lab import Fabric as Fabric
from rocelab.lab import NicDesign as NicDesign
from rocelab.lab import Scenario as Scenario
from rocelab.lab import check as check
from rocelab.lab import list_presets as list_presets
from rocelab.lab import run as run
from rocelab.policies import AckEvent as AckEvent
from rocelab.policies import Attribute as Attribute
from rocelab.policies import CongestionControl as CongestionControl
from rocelab.policies import Feedback as Feedback
from rocelab.policies import FrameInfo as FrameInfo
from rocelab.policies import IntHop as IntHop
from rocelab.policies import LoadBalancer as LoadBalancer
from rocelab.policies import LossEvent as LossEvent
from rocelab.policies import PathInfo as PathInfo
from rocelab.policies import SendLimit as SendLimit
from rocelab.runs import RunResult as RunResult
from rocelab.runs import RunResults as RunResults
from rocelab.runs import RunWarning as RunWarning
