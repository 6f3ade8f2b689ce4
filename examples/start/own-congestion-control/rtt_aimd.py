# SPDX-License-Identifier: GPL-2.0-only
"""The congestion control of rtt-aimd.cc in Python: the same decisions, to try ideas out."""

import rocelab


class RttAimd(rocelab.CongestionControl):
    """A window that follows the round-trip time: the core of Swift (Kumar et al., SIGCOMM 2020, 3.1)."""

    TargetQueueing = rocelab.Attribute("20us", "Queueing that a round trip may contain", unit="time")
    Beta = rocelab.Attribute(0.8, "Weight of the excess in a cut", minimum=0, maximum=1)
    MaxCut = rocelab.Attribute(0.5, "Largest share of the window in a cut", minimum=0, maximum=1)
    Step = rocelab.Attribute(1024, "Growth per window of data, bytes", minimum=1)

    def Start(self, path, nowPs):
        self.lineRateBps = path.lineRateBps
        self.targetPs = path.baseRttPs + self.TargetQueueing
        self.nextCutPs = nowPs
        self.minBytes = path.mtuBytes
        self.windowBytes = float(max(path.GetBdpBytes(), self.minBytes))
        # More than this in flight would exceed the target even without any other flow.
        self.maxBytes = max(self.lineRateBps / 8 * (self.targetPs / 1e12), self.minBytes)

    def OnAck(self, ack):
        if ack.rttPs <= self.targetPs:
            self.windowBytes += self.Step * ack.ackedBytes / self.windowBytes
        elif ack.nowPs >= self.nextCutPs:
            excess = ((ack.rttPs - self.targetPs) / 1e12) / (ack.rttPs / 1e12)
            self.windowBytes *= 1 - min(self.Beta * excess, self.MaxCut)
            self.nextCutPs = ack.nowPs + ack.rttPs
        self.windowBytes = min(max(self.windowBytes, self.minBytes), self.maxBytes)

    def GetLimit(self):
        return rocelab.SendLimit(rateBps=self.lineRateBps, windowBytes=self.windowBytes)
