#!/bin/sh
# Builds tcpwhy, generates the benchmark's captures and measures tcpwhy against tcptrace and tshark in one run.
#   bench/run.sh [--memory] [DIRECTORY]      captures go to DIRECTORY (default: target/bench, 310 MB; 1.4 GB with --memory)
# Ends with status 1 when a bound is missed.
set -eu
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}
memory=
if [ "${1-}" = --memory ]; then
    memory=--memory
    shift
fi
directory=${1:-$target/bench}
mkdir -p "$directory"

cargo build --release --quiet --package tcpwhy
cargo build --release --quiet --manifest-path bench/generate/Cargo.toml --target-dir "$target/bench-generate"
generate=$target/bench-generate/release/tcpwhy-bench-generate
for kind in mixed single ${memory:+many-packets syns}; do
    "$generate" "$kind" "$directory/$kind.pcap"
done
exec python3 bench/measure.py $memory "$target/release/tcpwhy" "$directory"
