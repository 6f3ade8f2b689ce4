# SPDX-License-Identifier: GPL-2.0-only
"""Headless Chromium, driven over a pipe by its DevTools protocol: no port, no further package."""

import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import time

PROGRAM = shutil.which("chromium")
TIMEOUT = 120  # Seconds for one answer; a start on a busy machine takes some.
FREE_DESCRIPTOR = 10

# Pairs of texts and pictures that overlap, what is cut off, and what is wider than the window.
FIND_FAULTS = """
(() => {
  const faults = [];
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > width) {
    faults.push("page is " + document.documentElement.scrollWidth + " wide, window " + width);
  }
  const isLeaf = (e) => e.matches("canvas,svg") ||
    [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
  const visible = (e) => e.checkVisibility && e.checkVisibility() && !e.closest("svg *");
  const clip = (e) => {
    let box = e.getBoundingClientRect();
    let r = {left: box.left, top: box.top, right: box.right, bottom: box.bottom};
    for (let up = e.parentElement; up; up = up.parentElement) {
      if (getComputedStyle(up).overflowX === "visible") continue;
      const b = up.getBoundingClientRect();
      r = {left: Math.max(r.left, b.left), top: Math.max(r.top, b.top),
           right: Math.min(r.right, b.right), bottom: Math.min(r.bottom, b.bottom)};
    }
    return r;
  };
  const name = (e) => e.tagName + " '" + (e.textContent || "").trim().slice(0, 40) + "'";
  const boxes = [...document.body.querySelectorAll("*")].filter((e) => isLeaf(e) && visible(e) &&
    !["SCRIPT", "STYLE"].includes(e.tagName)).map((e) => [e, clip(e)])
    .filter(([, r]) => r.right - r.left > 1 && r.bottom - r.top > 1);
  // A cell that stays at the left lies above those that scroll under it.
  const isSticky = (e) => getComputedStyle(e).position === "sticky";
  for (const [e, r] of boxes) {
    if (r.left < -1 || r.right > width + 1) faults.push(name(e) + " leaves the window");
  }
  for (let i = 0; i < boxes.length; ++i) {
    for (let j = i + 1; j < boxes.length; ++j) {
      const [a, p] = boxes[i], [b, q] = boxes[j];
      if (a.contains(b) || b.contains(a) || isSticky(a) || isSticky(b)) continue;
      const x = Math.min(p.right, q.right) - Math.max(p.left, q.left);
      const y = Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top);
      if (x > 1.5 && y > 1.5) faults.push(name(a) + " overlaps " + name(b));
    }
  }
  return faults;
})()
"""


class Browser:
    """One Chromium with one page; a context manager."""

    def __init__(self, profile):
        read_end, self._write = [move_up(end) for end in os.pipe()]
        self._read, write_end = [move_up(end) for end in os.pipe()]

        def connect():
            os.dup2(read_end, 3)
            os.dup2(write_end, 4)

        command = [PROGRAM, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
        command += ["--disable-background-networking", "--no-first-run", "--disable-component-update"]
        command += [f"--user-data-dir={profile}", "--remote-debugging-pipe", "about:blank"]
        self._process = subprocess.Popen(
            command,
            close_fds=False,
            preexec_fn=connect,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(read_end)
        os.close(write_end)
        self._rest = b""
        self._count = 0
        self._session = None
        self.requests = []  # Addresses that the page asked for.
        self.errors = []  # What its scripts threw, and what its policy refused.

    def __enter__(self):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")
        return self

    def __exit__(self, *_):
        self._session = None
        try:
            self.call("Browser.close")
            self._process.wait(timeout=20)
        except (OSError, TimeoutError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        os.close(self._read)
        os.close(self._write)

    def call(self, method, **parameters):
        """Return the result of one DevTools method."""
        self._count += 1
        message = {"id": self._count, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            self._note(answer)
            if answer.get("id") == self._count:
                if "error" in answer:
                    raise OSError(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def _receive(self):
        end = time.monotonic() + TIMEOUT
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._read], [], [], max(0, end - time.monotonic()))
            if not ready:
                raise TimeoutError("no answer from chromium")
            piece = os.read(self._read, 1 << 20)
            if not piece:
                raise OSError("chromium has ended")
            self._rest += piece
        message, _, self._rest = self._rest.partition(b"\0")
        return json.loads(message)

    def _note(self, answer):
        method, parameters = answer.get("method"), answer.get("params", {})
        if method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])
        if method == "Runtime.exceptionThrown":
            self.errors.append(parameters["exceptionDetails"]["text"])
        if method == "Log.entryAdded" and parameters["entry"]["level"] == "error":
            self.errors.append(parameters["entry"]["text"])

    def open(self, path, width, height=900):
        """Load a file in a window of that width, as a phone's below 600, and wait until it is drawn."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 600,
        )
        # The page before may be the same file, in another width.
        self.evaluate("delete document.documentElement.dataset.drawn")
        address = path.resolve().as_uri()
        self.call("Page.navigate", url=address)
        end = time.monotonic() + TIMEOUT
        is_drawn = f"document.URL === {json.dumps(address)} && document.readyState === 'complete'"
        is_drawn += " && document.documentElement.dataset.drawn === 'yes'"
        while not self.evaluate(is_drawn):
            if time.monotonic() > end:
                raise TimeoutError(f"{path} was not drawn: {self.errors}")
            time.sleep(0.05)

    def evaluate(self, expression):
        """Return the value of a JavaScript expression, or of the promise that it is."""
        options = {"returnByValue": True, "awaitPromise": True}
        return self.call("Runtime.evaluate", expression=expression, **options)["result"].get("value")

    def find_faults(self):
        """Return one line for each overlap, and for what is wider than the window."""
        return self.evaluate(FIND_FAULTS)

    def save_screenshot(self, path):
        """Write the whole page as PNG."""
        image = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True)
        path.write_bytes(base64.b64decode(image["data"]))


def move_up(descriptor):
    """Return a duplicate out of the way of 3 and 4, which Chromium reads and writes; closes the other."""
    moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, FREE_DESCRIPTOR)
    os.close(descriptor)
    return moved
