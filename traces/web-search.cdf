# WebSearch: a web search cluster (Alizadeh et al., SIGCOMM 2010), as used by HPCC (Li et al.,
# SIGCOMM 2019).
# Source: alibaba-edu/High-Precision-Congestion-Control,
# traffic_gen/WebSearch_distribution.txt, commit 9f4be2a9ead8.
# Mean 1,711,250 B. Columns: flow size in bytes, cumulative probability.
0        0
10000    0.15
20000    0.2
30000    0.3
50000    0.4
80000    0.53
200000   0.6
1000000  0.7
2000000  0.8
5000000  0.9
10000000 0.97
30000000 1
