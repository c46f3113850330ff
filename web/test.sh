#!/usr/bin/env bash
# All tests of the browser page: builds it, then uses it in headless Chromium and Firefox. Installs missing
# packages. TCPWHY names the binary for comparisons.
set -euo pipefail
cd "$(dirname "$0")"
. ../scripts/lib.sh
need_node
[ -x "${CHROMIUM:-/usr/bin/chromium}" ] || install_missing chromium:chromium
# Ubuntu has no Firefox package.
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
