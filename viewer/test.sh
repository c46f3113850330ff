#!/usr/bin/env bash
# All tests of the viewer: the committed bundle, format and lints (also of web/), types, and units. Also tests
# reports of the built tcpwhy in headless Chromium. Installs missing packages. TCPWHY names another binary.
set -euo pipefail
cd "$(dirname "$0")"
. ../scripts/lib.sh
need_node
[ -x "${CHROMIUM:-/usr/bin/chromium}" ] || install_missing chromium:chromium

./build --check
(cd .. && viewer/node_modules/.bin/biome check --error-on-warnings)
node_modules/.bin/tsc --noEmit
node scripts/unit.mjs

tcpwhy=${TCPWHY:-}
if [ -z "$tcpwhy" ]; then
    need cargo "a Rust toolchain (https://rustup.rs)"
    (cd .. && build_program dev)
    tcpwhy=${CARGO_TARGET_DIR:-../target}/debug/tcpwhy
fi
rm -rf .test/reports
mkdir -p .test/reports
for capture in ../samples/*.pcap.gz; do
    name=$(basename "$capture" .pcap.gz)
    # Status 1 would come from a gate, which is not requested here.
    "$tcpwhy" "$capture" --html ".test/reports/$name.html" >/dev/null
done
"$tcpwhy" ../samples/{nagle-delayed-ack,syn-retry,request-response}.pcap.gz --html .test/reports/several.html >/dev/null
TCPWHY=$tcpwhy node --test --test-concurrency=2 test/browser/*.test.mjs
