# Shared by the scripts beside it.

# need COMMAND WHAT: stops with one line when a command is missing that no package brings.
need() {
    command -v "$1" >/dev/null || { echo "$1 is missing: install $2" >&2; exit 1; }
}

# install_missing COMMAND:PACKAGE…: installs the packages whose command is missing (Debian, Ubuntu).
install_missing() {
    local packages=()
    for pair in "$@"; do
        command -v "${pair%%:*}" >/dev/null || packages+=("${pair##*:}")
    done
    [ ${#packages[@]} -gt 0 ] || return 0
    command -v apt-get >/dev/null || { echo "install these first: ${packages[*]}" >&2; exit 1; }
    local sudo=()
    [ "$(id -u)" = 0 ] || sudo=(sudo)
    "${sudo[@]}" apt-get update -qq
    DEBIAN_FRONTEND=noninteractive "${sudo[@]}" apt-get install -y -qq --no-install-recommends "${packages[@]}"
}

# need_node: installs Node.js and npm when missing, and stops when what is there is too old for the viewer's tests.
need_node() {
    install_missing node:nodejs npm:npm
    node -e 'process.exit(Number(process.versions.node.split(".")[0]) < 20 ? 1 : 0)' ||
        { echo "Node.js $(node --version) is too old: install 20 or newer (https://nodejs.org)" >&2; exit 1; }
}
