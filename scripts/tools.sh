# Tools that the distribution has no package of, shared by the scripts beside it. They go into a folder of their own beside what
# cargo builds.
case ${CARGO_TARGET_DIR:=target} in
    /*) tools_folder=$CARGO_TARGET_DIR/tools ;;
    *) tools_folder=$PWD/$CARGO_TARGET_DIR/tools ;;
esac
PATH=$tools_folder/bin:$PATH

# For parts in C: a program does not contain when it was compiled. zig refuses to compile such a part.
NO_DATE='-Wno-builtin-macro-redefined -D__DATE__="" -D__TIME__=""'

# python_tools PACKAGE…: installs these Python packages, and the programs in them.
python_tools() {
    install_missing python3:python3
    if [ ! -x "$tools_folder/bin/pip" ]; then
        # Debian's Python comes without the module that makes such folders.
        python3 -m venv "$tools_folder" >/dev/null 2>&1 ||
            { install_packages python3-venv && python3 -m venv --clear "$tools_folder"; } || return 1
    fi
    "$tools_folder/bin/pip" install --quiet --disable-pip-version-check "$@"
}

# cargo_tools NAME@VERSION[:FEATURE]…: builds these subcommands of cargo, once.
cargo_tools() {
    local tool feature
    for tool in "$@"; do
        feature=
        case $tool in *:*) feature=${tool#*:} tool=${tool%:*} ;; esac
        # Not every one of them says its version when asked as a program of its own.
        case $(cargo install --list --root "$tools_folder") in
            *"${tool%@*} v${tool#*@}:"*) continue ;;
        esac
        # Optimised a little: cargo-about compares every licence's text with all that there are.
        CARGO_TARGET_DIR=$tools_folder/build CARGO_PROFILE_DEV_OPT_LEVEL=1 CARGO_PROFILE_DEV_DEBUG=0 \
            cargo install --quiet --locked --debug --root "$tools_folder" --features "$feature" "$tool"
        # A program that lacks a feature is left out without an error.
        command -v "${tool%@*}" >/dev/null || { echo "$tool: no program was built" >&2; return 1; }
    done
}
