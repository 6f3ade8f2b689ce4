# SPDX-License-Identifier: GPL-2.0-only
"""Links that change during a run, as its scenario.json has them."""

import re
from dataclasses import dataclass
from math import inf

TIME = re.compile(r"\+?([0-9]+(?:\.[0-9]+)?)(s|ms|us|ns|ps)")
US_OF = {"s": 1e6, "ms": 1e3, "us": 1, "ns": 1e-3, "ps": 1e-6}
MOST_LISTED = 4
UP = "up"
STATES = ("down", UP, "half-open")
MOST_CHANGES = 200  # Of one event: more lines of a picture cannot be distinguished.


@dataclass(frozen=True)
class Flap:
    """The links of a LinkEvent have its state at the begin of each period. Times are in us."""

    period: float
    down: float
    until: float  # Infinite: to the end of the run.


@dataclass(frozen=True)
class LinkEvent:
    """A link, all links of a switch, or all of a server change."""

    at_us: float
    what: str  # "switch 73", "link 3-64", "server 3".
    state: str  # "down", "up", "half-open", or "loss 0 to 0.01".
    flap: Flap | None = None

    def __str__(self):
        flap = f" for {format_us(self.flap.down)} of each {format_us(self.flap.period)}" if self.flap else ""
        return f"{self.what} {self.state} at {format_us(self.at_us)}{flap}"

    def find_changes(self, until_us):
        """Return [(time in us, whether links go down)], up to a time, MOST_CHANGES at most."""
        if not self.flap:
            return [(self.at_us, self.state != UP)] if self.at_us <= until_us else []
        changes = []
        for period in range(MOST_CHANGES // 2):
            begin = self.at_us + period * self.flap.period
            if begin > until_us or begin >= self.flap.until:
                break
            changes += [(begin, True), (begin + self.flap.down, False)]
        return [(time, is_down) for time, is_down in changes if time <= until_us]


def format_us(time):
    """Return a time in us with its unit, as "50 us" or "1.5 ms"."""
    return f"{time / 1e3:g} ms" if time >= 1e3 else f"{time:g} us"


def read_us(text):
    """Return the microseconds of a time as "1.5ms"; None if it is none."""
    match = TIME.fullmatch(str(text))
    return float(match[1]) * US_OF[match[2]] if match else None


def list_link_events(scenario):
    """Return the LinkEvents of a scenario.json, by time; those that cannot be read are left out."""
    entries = scenario.get("linkEvents")
    events = [read_event(entry) for entry in (entries if isinstance(entries, list) else [])]
    return sorted((event for event in events if event), key=lambda event: event.at_us)


def read_event(entry):
    """Return the LinkEvent of an entry; None if it is none."""
    if not isinstance(entry, dict):
        return None
    at_us = read_us(entry.get("at"))
    state = read_state(entry)
    if at_us is None or not state:
        return None
    named = next((key for key in ("switch", "server") if key in entry), None)
    if named:
        what = f"{named} {entry[named]}"
    else:
        nodes = entry.get("link")
        what = "link " + ("-".join(map(str, nodes)) if isinstance(nodes, list) else "?")
    what += "".join(f" {key} {entry[key]}" for key in ("nic", "port") if key in entry)
    return LinkEvent(at_us, what, state, read_flap(entry.get("flap")))


def read_state(entry):
    """Return the state of a LinkEvent; None if it is none."""
    loss = entry.get("loss")
    if isinstance(loss, dict):
        over = read_us(loss.get("over"))
        return f"loss {loss.get('from', 0)} to {loss.get('to')}" + (f" over {format_us(over)}" if over else "")
    state = entry.get("state")
    return state if state in STATES else None


def read_flap(flap):
    """Return the Flap of an entry; None if it has none that can be read."""
    if not isinstance(flap, dict):
        return None
    period, down = read_us(flap.get("period")), read_us(flap.get("down"))
    if not period or down is None:
        return None
    until = read_us(flap.get("until"))
    return Flap(period, down, inf if until is None else until)


def describe_link_events(events):
    """Return "switch 73 down at 50 us; 3 more"; empty without events."""
    texts = [str(event) for event in events[:MOST_LISTED]]
    if len(events) > MOST_LISTED:
        texts.append(f"{len(events) - MOST_LISTED} more")
    return "; ".join(texts)
