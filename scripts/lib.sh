# Shared by the other scripts.

# need COMMAND WHAT: stops with one line if a command without a package is missing.
need() {
    command -v "$1" >/dev/null || { echo "$1 is missing: install $2" >&2; exit 1; }
}

# --install allows installing missing packages with sudo, also in called scripts; root needs no permission.
export MAY_INSTALL=${MAY_INSTALL:-false}
if [ "${1:-}" = --install ]; then
    MAY_INSTALL=true
    shift
fi

# install_missing COMMAND:PACKAGE…: installs the packages of missing commands (Debian, Ubuntu).
install_missing() {
    local packages=()
    for pair in "$@"; do
        command -v "${pair%%:*}" >/dev/null || packages+=("${pair##*:}")
    done
    [ ${#packages[@]} -eq 0 ] || install_packages "${packages[@]}"
}

# install_packages PACKAGE…: installs them as root, or with sudo if --install allows it; otherwise prints how,
# and stops.
install_packages() {
    command -v apt-get >/dev/null || { echo "install these first: $*" >&2; exit 1; }
    local sudo=()
    if [ "$(id -u)" != 0 ]; then
        if ! $MAY_INSTALL; then
            echo "these are missing: $*" >&2
            echo "run   sudo apt-get install --no-install-recommends $*" >&2
            echo "or    $0 --install   which does so itself" >&2
            exit 1
        fi
        sudo=(sudo)
    fi
    "${sudo[@]}" apt-get update -qq
    DEBIAN_FRONTEND=noninteractive "${sudo[@]}" apt-get install -y -qq --no-install-recommends "$@"
}

# stop_service NAME: stops the service of a package of which tests need only the program.
stop_service() {
    local sudo=()
    [ "$(id -u)" = 0 ] || sudo=(sudo)
    ! command -v systemctl >/dev/null || "${sudo[@]}" systemctl disable --now "$1" >/dev/null 2>&1 || true
}

# need_node: installs Node.js and npm if missing, and stops if they are too old for the viewer's tests.
need_node() {
    install_missing node:nodejs npm:npm
    node -e 'process.exit(Number(process.versions.node.split(".")[0]) < 20 ? 1 : 0)' ||
        { echo "Node.js $(node --version) is too old: install 20 or newer (https://nodejs.org)" >&2; exit 1; }
}

# Builds the program. Unoptimised, it is the one that `cargo test` compiles, as in scripts/run-tests. In a
# separate build, its dependencies would have other features and be compiled once more.
build_program() {
    if [ "$1" = dev ]; then
        cargo test --quiet --locked --workspace --no-run
    else
        cargo build --quiet --locked --package tcpwhy --profile "$1"
    fi
}
