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
