#!/usr/bin/env bash
# All tests of the page that works in a browser: builds it, then uses it in headless Chromium and Firefox. Installs what is missing. TCPWHY names
# the binary that it is compared with.
set -euo pipefail
cd "$(dirname "$0")"
. ../scripts/lib.sh
need_node
[ -x "${CHROMIUM:-/usr/bin/chromium}" ] || install_missing chromium:chromium
# Ubuntu has no package of Firefox.
if ! command -v firefox >/dev/null && apt-cache show firefox-esr >/dev/null 2>&1; then install_missing firefox-esr:firefox-esr; fi

../scripts/web
../viewer/node_modules/.bin/tsc --noEmit -p .
tcpwhy=${TCPWHY:-}
if [ -z "$tcpwhy" ]; then
    need cargo "a Rust toolchain (https://rustup.rs)"
    (cd .. && build_program dev)
    tcpwhy=$(cd .. && realpath "${CARGO_TARGET_DIR:-target}")/debug/tcpwhy
fi
TCPWHY=$tcpwhy node --test --test-concurrency=2 test/*.test.mjs
