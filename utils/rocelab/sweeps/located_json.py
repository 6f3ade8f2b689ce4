# SPDX-License-Identifier: GPL-2.0-only
"""JSON files of which every value knows its line and path, for messages that say where."""

import json
import json.decoder
import json.scanner

from rocelab.errors import UserError, describe_nearest, describe_value
from rocelab.files import MAX_DEPTH, BadNumber, read_finite, read_text, read_whole

MAX_BYTES = 1 << 24  # A node of each value takes much more memory than its text.


class JsonNode:
    """One value of a JSON file.

    Getters return what they promise or raise a UserError of one line, "FILE:LINE: PATH: expected
    ..., got ...".
    """

    def __init__(self, content, position):
        self.content = content  # A dict or list of nodes, or a plain value.
        self.position = position
        self.file = ""
        self.line = 0
        self.path = ""

    def locate(self, file, text, path="$", depth=0):
        """Fill in line and path, of all values inside too; RecursionError if they are too deep."""
        if depth > MAX_DEPTH:
            raise RecursionError
        self.file = file
        self.line = text.count("\n", 0, self.position) + 1
        self.path = path
        if isinstance(self.content, dict):
            for key, node in self.content.items():
                node.locate(file, text, f"{path}.{key}", depth + 1)
        elif isinstance(self.content, list):
            for number, node in enumerate(self.content):
                node.locate(file, text, f"{path}[{number}]", depth + 1)

    def get_plain(self):
        """Return the value as json.loads() would."""
        if isinstance(self.content, dict):
            return {key: node.get_plain() for key, node in self.content.items()}
        if isinstance(self.content, list):
            return [node.get_plain() for node in self.content]
        return self.content

    def fail(self, expected, got=None):
        """Raise a UserError; `got` is by default this value."""
        got = describe_value(self.get_plain()) if got is None else got
        raise UserError(f"{self.place}: {self.path}: expected {expected}, got {got}")

    @property
    def place(self):
        """File and line; of a value that is in no file, what the file is called."""
        return f"{self.file}:{self.line}" if self.line else self.file

    def is_object(self):
        return isinstance(self.content, dict)

    def expect_keys(self, known):
        """Fail unless this is an object that has no other keys; the message names the nearest."""
        if not self.is_object():
            self.fail("an object")
        for key, node in self.content.items():
            if key not in known:
                hint = describe_nearest(key, list(known))
                node.fail(f"a known key ({hint})", f"the unknown key {json.dumps(key)}")

    def get(self, key):
        """Return a member that must be there."""
        if key not in self.content:
            self.fail(f"the key {json.dumps(key)}", "none")
        return self.content[key]

    def find(self, key):
        """Return a member, or None."""
        return self.content.get(key)

    def get_text(self):
        if not isinstance(self.content, str) or not self.content:
            self.fail("a text")
        if not self.content.isprintable():
            self.fail("a text without control characters")
        return self.content

    def get_whole(self, least, most):
        """Return a whole number within bounds."""
        is_whole = isinstance(self.content, int) and not isinstance(self.content, bool)
        if not is_whole or not least <= self.content <= most:
            self.fail(f"a whole number from {least} to {most}")
        return self.content

    def get_elements(self, what):
        """Return the nodes of a list that is not empty."""
        if not isinstance(self.content, list) or not self.content:
            got = "an empty list" if self.content == [] else None
            self.fail(f"a list of {what}", got)
        return self.content


class LocatingDecoder(json.JSONDecoder):
    """A JSONDecoder whose objects and lists hold JsonNodes."""

    def __init__(self, file, text):
        super().__init__()
        self._file = file
        self._text = text
        self.parse_object = self._parse_object
        self.parse_array = self._parse_array
        self.parse_int, self.parse_float, self.parse_constant = read_whole, read_finite, read_finite
        self.scan_once = json.scanner.py_make_scanner(self)

    def decode_file(self):
        """Return the whole text as a JsonNode."""
        start = len(self._text) - len(self._text.lstrip(" \t\r\n"))
        node = JsonNode(self.decode(self._text), start)
        node.locate(self._file, self._text)
        return node

    def _make_scan(self, scan_once):
        def scan(text, index):
            try:
                content, end = scan_once(text, index)
            except BadNumber as error:
                raise json.JSONDecodeError(str(error), text, index) from None
            return JsonNode(content, index), end

        return scan

    def _parse_object(self, start, strict, scan_once, _object_hook, _pairs_hook, memo):
        pairs, end = json.decoder.JSONObject(
            start, strict, self._make_scan(scan_once), None, list, memo
        )
        members = {}
        for key, node in pairs:
            if key in members:
                raise json.JSONDecodeError(
                    f"the key {json.dumps(key)} twice", self._text, node.position
                )
            members[key] = node
        return members, end

    def _parse_array(self, start, scan_once):
        return json.decoder.JSONArray(start, self._make_scan(scan_once))


def locate_value(value, name, path="$"):
    """Return a value of Python, as JSON has it, as a JsonNode; `name` stands for its file."""
    content = value
    if isinstance(value, dict):
        content = {key: locate_value(member, name, f"{path}.{key}") for key, member in value.items()}
    elif isinstance(value, list):
        content = [locate_value(element, name, f"{path}[{number}]") for number, element in enumerate(value)]
    node = JsonNode(content, 0)
    node.file, node.path = name, path
    return node


def read_located_json(path):
    """Return the JSON file `path` as a JsonNode; raises UserError with line and column."""
    text = read_text(path, MAX_BYTES)
    try:
        return LocatingDecoder(str(path), text).decode_file()
    except json.JSONDecodeError as error:
        raise UserError(
            f"{path}:{error.lineno}:{error.colno}: expected JSON, got: {error.msg}"
        ) from None
    except BadNumber as error:
        raise UserError(f"{path}:1: expected JSON, got: {error}") from None
    except RecursionError:
        raise UserError(f"{path}: expected JSON of at most {MAX_DEPTH} levels, got more") from None
