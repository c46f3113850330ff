#!/bin/sh
# Measures reports of transfers of 10 k, 1 M and 10 M packets. It prints their size, and the times to write
# them, to the first paint and to the charts. It also prints frames per second while panning and zooming in
# headless Chromium.
#   bench/report.sh [PACKETS…]      captures go to viewer/bench/out (82 bytes per packet)
# Ends with status 1 if a bound is missed.
set -eu
cd "$(dirname "$0")/.."
cargo build --release --quiet --package tcpwhy
[ -d viewer/node_modules ] || (cd viewer && npm ci --silent)
exec node viewer/bench/run.mjs "${CARGO_TARGET_DIR:-target}/release/tcpwhy" "$@"
