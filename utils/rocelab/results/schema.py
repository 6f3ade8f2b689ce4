# SPDX-License-Identifier: GPL-2.0-only
"""Rules for what a JSON file of results holds, declared as data (result_schema.py).

A rule says which types and bounds a value has. Readers check a file against its rule once, and then
take each value as what the rule promises.
"""

from dataclasses import dataclass, field

from rocelab.errors import UserError, describe_value

#: Above all counts and picoseconds that the program writes, and far from where numbers overflow.
MOST = 2**64
NOTHING = object()  # In place of the value of a key that is absent.


class Fault(Exception):
    """A value that breaks its rule."""

    def __init__(self, path, expected, value):
        super().__init__()
        self.path, self.expected, self.value = path, expected, value


@dataclass(frozen=True)
class Number:
    """A number within bounds; `is_whole`: an integer."""

    least: float = 0
    most: float = MOST
    is_whole: bool = False
    is_optional: bool = False  # It may be null.

    def check(self, value, path):
        """Raise Fault unless the value is as the rule says."""
        if value is None and self.is_optional:
            return
        kinds = int if self.is_whole else (int, float)
        if isinstance(value, bool) or not isinstance(value, kinds):
            raise Fault(path, "a number", value)
        if not self.least <= value <= self.most:  # Of NaN, too.
            raise Fault(path, f"a number from {self.least:g} to {self.most:g}", value)


@dataclass(frozen=True)
class Flag:
    """true or false."""

    def check(self, value, path):
        """Raise Fault unless the value is as the rule says."""
        if not isinstance(value, bool):
            raise Fault(path, "true or false", value)


@dataclass(frozen=True)
class Text:
    """A text of one line; a name is not empty."""

    is_name: bool = False

    def check(self, value, path):
        """Raise Fault unless the value is as the rule says."""
        if not isinstance(value, str) or (self.is_name and not value):
            raise Fault(path, "a text", value)
        if not value.isprintable():
            raise Fault(path, "a text without control characters", value)


@dataclass(frozen=True)
class Any:
    """Any value whose texts, and those of the keys in it, are Unicode: it is shown, not used."""

    def check(self, value, path):
        """Raise Fault unless the value is as the rule says."""
        if isinstance(value, dict):
            for key, member in value.items():
                check_key(key, path)
                self.check(member, f"{path}.{key}")
        elif isinstance(value, list):
            for number, element in enumerate(value):
                self.check(element, f"{path}[{number}]")
        elif isinstance(value, str) and not is_unicode(value):
            raise Fault(path, "Unicode text", value)


@dataclass(frozen=True)
class OneOf:
    """A value that one of several rules allows; `what` names them."""

    what: str
    rules: tuple

    def check(self, value, path):
        """Raise Fault unless the value is as the rule says."""
        for rule in self.rules:
            try:
                return rule.check(value, path)
            except Fault:
                pass
        raise Fault(path, self.what, value)


@dataclass(frozen=True)
class Choice:
    """One of a few texts."""

    words: tuple

    def check(self, value, path):
        """Raise Fault unless the value is as the rule says."""
        if not isinstance(value, str) or value not in self.words:
            raise Fault(path, f"one of {', '.join(self.words)}", value)


@dataclass(frozen=True)
class Sequence:
    """A list; `length`: of so many elements."""

    rule: object
    least: int = 0
    length: int | None = None

    def check(self, value, path):
        """Raise Fault unless the value is as the rule says."""
        if not isinstance(value, list):
            raise Fault(path, "a list", value)
        if len(value) < self.least or self.length not in (None, len(value)):
            raise Fault(path, f"a list of {self.length or f'at least {self.least}'}", value)
        for number, element in enumerate(value):
            self.rule.check(element, f"{path}[{number}]")


@dataclass(frozen=True)
class Pair:
    """A list of two elements, each with a rule of its own."""

    first: object
    second: object

    def check(self, value, path):
        """Raise Fault unless the value is as the rule says."""
        if not isinstance(value, list) or len(value) != 2:
            raise Fault(path, "a list of two", value)
        self.first.check(value[0], f"{path}[0]")
        self.second.check(value[1], f"{path}[1]")


@dataclass(frozen=True)
class Mapping:
    """An object with any keys, whose values have one rule."""

    rule: object

    def check(self, value, path):
        """Raise Fault unless the value is as the rule says."""
        if not isinstance(value, dict):
            raise Fault(path, "an object", value)
        for key, member in value.items():
            check_key(key, path)
            self.rule.check(member, f"{path}.{key}")


@dataclass(frozen=True)
class Record:
    """An object: keys that must be there, keys that may be there, and others, which have no rule but Any."""

    needed: dict = field(default_factory=dict)
    optional: dict = field(default_factory=dict)

    def check(self, value, path):
        """Raise Fault unless the value is as the rule says."""
        if not isinstance(value, dict):
            raise Fault(path, "an object", value)
        for key, rule in self.needed.items():
            rule.check(value.get(key, NOTHING), f"{path}.{key}")
        for key, member in value.items():
            if key not in self.needed:
                check_key(key, path)
                self.optional.get(key, Any()).check(member, f"{path}.{key}")


def is_unicode(text):
    """Tell whether a text can be written as UTF-8: JSON's escapes may make one that cannot."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def check_key(key, path):
    """Raise Fault unless a key is Unicode text."""
    if not is_unicode(key):
        raise Fault(path, "keys of Unicode text", key)


def check_value(file, value, rule):
    """Return a value of a file that is as its rule says; raises UserError that names its path."""
    try:
        rule.check(value, "$")
    except Fault as fault:
        got = "nothing" if fault.value is NOTHING else describe_value(fault.value)
        raise UserError(f"{file}: expected {fault.expected} at {fault.path}, got {got}") from None
    return value
