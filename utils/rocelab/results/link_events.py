# SPDX-License-Identifier: GPL-2.0-only
"""Links that go down or come up during a run, as its scenario.json has them."""

import re
from dataclasses import dataclass

TIME = re.compile(r"\+?([0-9]+(?:\.[0-9]+)?)(s|ms|us|ns|ps)")
US_OF = {"s": 1e6, "ms": 1e3, "us": 1, "ns": 1e-3, "ps": 1e-6}
MOST_LISTED = 4
DOWN = "down"


@dataclass(frozen=True)
class LinkEvent:
    """A link, or all links of a switch, change their state."""

    at_us: float
    what: str  # "switch 73", "link 3-64".
    state: str  # "down" or "up".

    def __str__(self):
        return f"{self.what} {self.state} at {format_us(self.at_us)}"


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
    state = entry.get("state")
    if at_us is None or state not in (DOWN, "up"):
        return None
    if "switch" in entry:
        what = f"switch {entry['switch']}"
    else:
        nodes = entry.get("link")
        what = "link " + ("-".join(map(str, nodes)) if isinstance(nodes, list) else "?")
        what += "".join(f" {key} {entry[key]}" for key in ("nic", "port") if key in entry)
    return LinkEvent(at_us, what, state)


def describe_link_events(events):
    """Return "switch 73 down at 50 us; 3 more"; empty without events."""
    texts = [str(event) for event in events[:MOST_LISTED]]
    if len(events) > MOST_LISTED:
        texts.append(f"{len(events) - MOST_LISTED} more")
    return "; ".join(texts)
