# WebServer: web servers of Facebook (Roy et al., SIGCOMM 2015), as published with ConWeave (Song
# et al., SIGCOMM 2023).
# Source: conweave-project/conweave-ns3,
# workloads/webserver.txt, commit 236a801a00e3.
# Mean 66,121 B. Columns: flow size in bytes, cumulative probability. 8 % of the flows have
# exactly 300 bytes, none has 301 to 599.
150    0
300    0.12
300    0.2
600    0.2
1000   0.3
2000   0.4
3100   0.5
6000   0.6
20000  0.71
60000  0.8
150000 0.82
300000 0.9
500000 1
