# All flows have 1,000 bytes: one packet.  The speed guard counts the instructions of such a flow.
# Columns: flow size in bytes, cumulative probability.
1000 0
1000 1
