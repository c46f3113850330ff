#!/bin/sh
# What the lab's link emulator does on this machine, as Markdown; about a minute. Names of tables (ping, rate, most, single,
# veth) choose some of them.
cd "$(dirname "$0")/.." || exit
exec cargo bench --profile "${PROFILE:-release}" -p tcpwhy-lab --bench emulator -- "$@"
