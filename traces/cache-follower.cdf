# Cache_Follower: cache followers in Facebook's data centers (Roy et al., SIGCOMM 2015), in the
# simplified form that the SRNIC evaluation uses (Wang et al., NSDI 2023, section 6.3).
# Source: HKUST-SING/srnic-simulation-public,
# traffic_gen/CacheFollower_distribution.txt, commit 9c1f65140161.
# Mean 712,570 B. Columns: flow size in bytes, cumulative probability.
0       0
70      0.01
150     0.04
300     0.08
350     0.19
450     0.2
500     0.28
600     0.3
700     0.35
1100    0.4
2000    0.42
10000   0.48
30000   0.5
100000  0.52
200000  0.6
400000  0.68
600000  0.7
1500000 0.701
2000000 0.8
2400000 0.9
3000000 1
