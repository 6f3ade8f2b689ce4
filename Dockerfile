# SPDX-License-Identifier: GPL-2.0-only
# Builds RoceLab on Debian 12:
#     docker build -t rocelab .
#     docker run --rm -v "$PWD:/work" -w /work rocelab compare my-incast.json
FROM debian:12
COPY . /opt/rocelab
WORKDIR /opt/rocelab
RUN ./waf build --targets=rocelab,_core && apt-get clean && rm -rf /var/lib/apt/lists/*
ENTRYPOINT ["/opt/rocelab/build/rocelab"]
