#!/bin/sh
# Builds tcpwhy, generates the benchmark's captures, and measures tcpwhy against tcptrace and tshark in one
# run.
#   bench/run.sh [--memory] [--growth] [--hostile] [DIRECTORY]
# DIRECTORY (default: target/bench) gets 390 MB of captures.
# With --memory it gets 2.9 GB more, with --growth 330 MB, with --hostile 700 MB.
# With --growth, 1,000 connections are compared with 10,000 and 100,000.
# With --hostile, packets come in the most expensive orders.
# Ends with status 1 if a bound is missed.
set -eu
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}
memory=
growth=
hostile=
while :; do
    case ${1-} in
        --memory) memory=--memory ;;
        --growth) growth=--growth ;;
        --hostile) hostile=--hostile ;;
        *) break ;;
    esac
    shift
done
directory=${1:-$target/bench}
mkdir -p "$directory"

cargo build --release --quiet --package tcpwhy
cargo build --release --quiet --manifest-path bench/generate/Cargo.toml --target-dir "$target/bench-generate"
generate=$target/bench-generate/release/tcpwhy-bench-generate
for kind in mixed single ${memory:+many-packets syns short short-open}; do
    "$generate" "$kind" "$directory/$kind.pcap"
done
"$generate" short "$directory/short-million.pcap" 1000000
for packets in ${growth:+30000 300000 3000000}; do
    "$generate" alike "$directory/alike-$packets.pcap" "$packets"
done
if [ -n "$hostile" ]; then
    mkdir -p "$directory/hostile"
    for kind in $("$generate" --hostile); do
        "$generate" "$kind" "$directory/hostile/$kind.pcap"
    done
fi
exec python3 bench/measure.py $memory $growth $hostile "$target/release/tcpwhy" "$directory"
