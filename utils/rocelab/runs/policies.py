# SPDX-License-Identifier: GPL-2.0-only
"""Base classes of policies written in Python, and the values that they get.

Calls, arguments and rules are those of the C++ classes of the same names (docs/extend/plugins.md). Times are
whole picoseconds, rates bit/s, sizes bytes.
"""

from __future__ import annotations

import enum
import math
import re
import sys
from typing import Any, NamedTuple

from rocelab.errors import InputError, describe_object
from rocelab.runs.core import _core, check_text


#: Names that ns-3's texts of types and attributes can have.
_CLASS_NAME = re.compile(r"[\w.:+-]+")


class Feedback(enum.IntEnum):
    """What the responder must send back for an algorithm to work."""

    NONE = 0
    CNP = 1  # Congestion notification packets, paced by the responder.
    ECN_ECHO = 2  # A bit in each acknowledgment: a packet that it covers carried CE.
    INT = 3  # The same, and what the switch ports wrote into the packet that it answers.


class PathInfo(NamedTuple):
    """Where a queue pair's packets go."""

    lineRateBps: int  # Of the sending port.
    baseRttPs: int  # Longest round trip in the empty network, one full packet and its ACK.
    mtuBytes: int  # Payload of a full packet.
    ownRttPs: int = 0  # Between this queue pair's two ends; baseRttPs unless UsesOwnPath().
    hops: int = 0  # Switches between them; 0 unless UsesOwnPath().

    def GetBdpBytes(self) -> int:
        """Line rate times base RTT, in whole bytes."""
        return self.lineRateBps * self.baseRttPs // 8_000_000_000_000


class IntHop(NamedTuple):
    """State of a switch port as a packet began to leave by it (in-band telemetry)."""

    atPs: int
    sentBytes: int
    bitRate: int
    queueBytes: int


class AckEvent(NamedTuple):
    """One acknowledgment."""

    nowPs: int  # Arrival at the requester.
    rttPs: int  # Since the packet that it answers left.
    ackedBytes: int  # Payload newly acknowledged, in order.
    inFlightBytes: int  # Payload sent and not yet acknowledged, after this one.
    isCeEchoed: bool = False  # At least one covered packet carried CE.
    markedBytes: int = 0  # Of ackedBytes, those that an echo of CE covers.
    unsentBytes: int = 0  # Payload posted and not yet sent for the first time.
    hostTimePs: int = 0  # Of rttPs, in the responder's NIC and host; 0 if hardware takes no time.
    path: tuple[IntHop, ...] | None = None  # Only with Feedback.INT.

    def GetFabricTimePs(self) -> int:
        """Of the round trip: on links and in switches."""
        return self.rttPs - self.hostTimePs


class LossEvent(NamedTuple):
    """Packets that loss recovery takes for lost."""

    nowPs: int
    lostBytes: int  # Payload that is to be sent again.
    inFlightBytes: int  # Payload sent and not yet acknowledged, lostBytes included.
    expiries: int = 0  # Of the retransmission timer in a row.


class SendLimit(NamedTuple):
    """All bounds hold at once; None leaves one open."""

    rateBps: float | None = None  # At the wire, headers included; above zero.
    windowBytes: float | None = None  # Payload in flight; at least 1. Fractions are cut off.
    deadlinePs: int | None = None  # When to call OnDeadline(), unless another event moves it.


class FrameInfo(NamedTuple):
    """A frame that a switch has to choose a port for."""

    src: int  # Endpoint id.
    dst: int  # Endpoint id.
    entropy: int  # Stands for the 5-tuple.
    wireBytes: int
    payloadBytes: int
    priority: int
    srcQp: int
    dstQp: int
    psn: int
    opcode: int
    isCeMarked: bool = False
    isRetransmission: bool = False


class RouteSignal(enum.IntEnum):
    """Report about the route of a packet."""

    GOOD = 0  # It arrived without CE, or the last switch trimmed it.
    MARKED = 1  # It carried CE.
    TRIMMED = 2  # A switch before the last one trimmed it.
    LOST = 3  # The loss detector considers it lost.
    TIMEOUT = 4  # The retransmission timer has expired for it.


class EntropyFacts(NamedTuple):
    """Facts about a queue pair when it starts."""

    seed: int  # For random numbers of this queue pair.
    bdpPackets: int = 1  # Full packets in a bandwidth-delay product, at least 1.
    baseRttPs: int = 0
    planes: int = 1  # Disjoint fabrics; the plane of a value is its remainder by planes.


class EarlyPacket(NamedTuple):
    """A packet behind a gap, and what its receiver's NIC holds when it arrives."""

    qpNumber: int
    psn: int
    ahead: int  # PSNs from the first missing one; at least 1.
    payloadBytes: int
    isRetransmission: bool
    heldByQueuePair: int  # Packets behind gaps.
    heldByNic: int  # The same of all queue pairs.


class Attribute:
    """An attribute of a policy, for scenarios to set: in the class body, NAME = Attribute(...).

    The type of the default is that of the attribute: bool, int, float or str; unit="time" makes it
    a time in whole picoseconds, written "20us", unit="rate" a rate in bit/s, written "100Gbps".
    In an object, self.NAME is the value.
    """

    KINDS = {bool: "boolean", int: "integer", float: "double", str: "string"}

    def __init__(
        self,
        default: bool | int | float | str,
        help: str = "",
        minimum: int | float | str | None = None,
        maximum: int | float | str | None = None,
        unit: str | None = None,
    ) -> None:
        if unit not in (None, "time", "rate"):
            raise InputError(f"Attribute: expected the unit \"time\" or \"rate\", got {describe_object(unit)}")
        if type(default) not in self.KINDS or (unit and not isinstance(default, str)):
            wanted = f"text with a unit of {unit}" if unit else "a bool, int, float or str"
            raise InputError(f"Attribute: expected {wanted} as default, got {describe_object(default)}")
        if isinstance(default, float) and not math.isfinite(default):
            raise InputError(f"Attribute: expected a finite default, got {describe_object(default)}")
        check_text("Attribute: help", help)
        self.kind = unit or self.KINDS[type(default)]
        self.default = default
        self.help = help
        self.bounds = (minimum, maximum)

    def _make(self, name: str) -> _core.Attribute:
        if not name.isidentifier():
            raise InputError(f"attribute {describe_object(name)}: expected a name of letters, digits and _")

        def write(value: Any) -> str:
            is_bool = isinstance(value, bool)
            if isinstance(value, int) and abs(value) >= 1 << 128:
                raise InputError(f"attribute {name}: expected fewer digits, got {describe_object(value)}")
            text = "" if value is None else str(value).lower() if is_bool else str(value)
            return check_text(f"attribute {name}", text)

        initial = write(self.default)
        for bound in self.bounds:
            if self.kind in ("integer", "double") and bound is not None:
                if isinstance(bound, bool) or not isinstance(bound, (int, float)):
                    raise InputError(f"attribute {name}: expected a number as bound, got {describe_object(bound)}")
                if self.kind == "integer" and not isinstance(bound, int):
                    raise InputError(f"attribute {name}: expected a whole bound, got {describe_object(bound)}")
        return _core.Attribute(
            name, self.help, self.kind, initial, write(self.bounds[0]), write(self.bounds[1])
        )


def _check_name(name: Any) -> None:
    """Raise InputError for a name of a class that no scenario could have."""
    if not _CLASS_NAME.fullmatch(check_text("class: name", name)):
        raise InputError(
            f"class {describe_object(name)}: expected a name of letters, digits and _.:+-"
            " (class ...(..., name=\"my-name\") gives another one)"
        )


class _Policy:
    """What all kinds have: a name in scenarios, "python::NAME", and attributes."""

    typeName: str  # Of the class in scenarios.

    def __init_subclass__(cls, name: str | None = None, **arguments: Any) -> None:
        super().__init_subclass__(**arguments)
        if _Policy in cls.__bases__:
            return  # One of the kinds below.
        _check_name(cls.__name__ if name is None else name)
        attributes = {}
        for parent in reversed(cls.__mro__):
            for key, value in vars(parent).items():
                if isinstance(value, Attribute):
                    attributes[key] = value._make(key)
                elif key in attributes:
                    del attributes[key]  # A plain value of the class has replaced it.
        # What objects have that no scenario makes, as those of a test.
        for key, attribute in attributes.items():
            setattr(cls, key, _Default(attribute))
        cls.typeName = f"python::{name or cls.__name__}"
        base = next(kind for kind in _Policy.__subclasses__() if issubclass(cls, kind))
        module = sys.modules.get(cls.__module__)
        source = getattr(module, "__file__", None) or "interactive"
        source = source.replace("\\", "/").rsplit("/", 1)[-1]
        _core.register_class(cls.typeName, source, cls, base, list(attributes.values()))


class _Default(Attribute):
    """The value of an attribute that has not been set in an object."""

    def __init__(self, attribute: _core.Attribute) -> None:
        self._attribute = attribute
        self._value = attribute.default

    def __get__(self, instance: Any, owner: type) -> Any:
        return self if instance is None else self._value

    def _make(self, name: str) -> _core.Attribute:
        return self._attribute


class CongestionControl(_Policy):
    """Decides how fast one queue pair may send, and how much may be in flight.

    A state machine over events, without clock, timers or packets. The queue pair calls Start() first
    and once, then reports events in time order, and applies GetLimit() after each (of OnSent() only
    if that returns True). One object per queue pair: a copy.deepcopy() of one that carries the
    attributes. A scenario names a class as "python::CLASS". Methods that a class does not override
    are not called.
    """

    def GetNeededFeedback(self) -> Feedback:
        """What the responder must send back. Default: nothing but acknowledgments."""
        return Feedback.NONE

    def UsesOwnPath(self) -> bool:
        """Whether Start() needs PathInfo.ownRttPs and hops. Default: no."""
        return False

    def Start(self, path: PathInfo, nowPs: int) -> None:
        """Called first and once."""
        raise NotImplementedError("Start() is missing")

    def OnAck(self, ack: AckEvent) -> None:
        """An acknowledgment has arrived."""

    def OnCnp(self, nowPs: int) -> None:
        """A congestion notification packet has arrived."""

    def OnSent(self, wireBytes: int, nowPs: int) -> bool:
        """A data packet was sent; return whether GetLimit() may say something new."""
        return False

    def OnLoss(self, loss: LossEvent) -> None:
        """An answer shows that packets are lost; before the OnAck() of the same answer."""

    def OnTimeout(self, loss: LossEvent) -> None:
        """The retransmission timer has expired, and the queue pair goes on."""

    def OnDeadline(self, nowPs: int) -> None:
        """The time of SendLimit.deadlinePs has come."""

    def GetLimit(self) -> SendLimit:
        """Return what holds from now on."""
        raise NotImplementedError("GetLimit() is missing")


class LoadBalancer(_Policy):
    """Decides which of several equal-cost ports a frame takes. One object per switch.

    A scenario names a class as "python::CLASS" under "loadBalancer" of the fabric.
    """

    def Start(self, seed: int) -> None:
        """Called once; the seed differs from switch to switch and from run seed to run seed."""

    def Choose(self, frame: FrameInfo, queueBytes: tuple[int, ...], nowPs: int) -> int:
        """Return a number below len(queueBytes), which has the bytes that wait at each port."""
        raise NotImplementedError("Choose() is missing")

    def ChooseForFlow(self, entropy: int, count: int) -> int | None:
        """Return what Choose() returns for all frames of this entropy, or None: not known before.

        For the ideal completion time of a flow.
        """
        return None


class EntropySelector(_Policy):
    """Chooses the entropy value of each packet, which selects among equal routes. One per queue pair.

    A scenario names a class as "python::CLASS" in the attribute ns3::rdma::RdmaNic::EntropySelector.
    """

    def Start(self, facts: EntropyFacts) -> None:
        """Called once, before the others."""

    def GetNext(self, inFlightBytes: int, nowPs: int) -> int:
        """Return the value of the packet that leaves now, from 0 to 2^32 - 1."""
        raise NotImplementedError("GetNext() is missing")

    def OnFeedback(self, entropy: int, signal: RouteSignal, nowPs: int) -> None:
        """An answer, or its absence, reports on the route of an earlier packet."""


class OutOfOrderAdmission(_Policy):
    """Decides whether a receiver holds a packet behind a gap. One object per NIC.

    A scenario names a class as "python::CLASS" in the attribute ns3::rdma::RdmaNic::OutOfOrderAdmission.
    """

    def Admits(self, packet: EarlyPacket) -> bool:
        """Return whether the packet is held; if not, it is dropped and answered as one beyond the window."""
        raise NotImplementedError("Admits() is missing")
