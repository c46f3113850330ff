#!/bin/sh
# Builds tcpwhy, generates the benchmark's captures and measures tcpwhy against tcptrace and tshark in one run.
#   bench/run.sh [--memory] [--hostile] [DIRECTORY]
# Captures go to DIRECTORY (default: target/bench): 310 MB; with --memory 2.9 GB more, with --hostile 700 MB. --hostile also
# measures what packets cost in the orders that cost most.
# Ends with status 1 when a bound is missed.
set -eu
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}
memory=
hostile=
while :; do
    case ${1-} in
        --memory) memory=--memory ;;
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
if [ -n "$hostile" ]; then
    mkdir -p "$directory/hostile"
    for kind in $("$generate" --hostile); do
        "$generate" "$kind" "$directory/hostile/$kind.pcap"
    done
fi
exec python3 bench/measure.py $memory $hostile "$target/release/tcpwhy" "$directory"
