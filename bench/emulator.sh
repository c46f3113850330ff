#!/bin/sh
# Measures the lab's link emulator on this machine, as Markdown; takes about 1 minute. Names of tables (ping,
# rate, most, single, veth) select some of them.
cd "$(dirname "$0")/.." || exit
exec cargo bench --profile "${PROFILE:-release}" -p tcpwhy-lab --bench emulator -- "$@"
