# Tools without a distribution package, shared by the other scripts. They go into a folder next to cargo's
# output.
case ${CARGO_TARGET_DIR:=target} in
    /*) tools_folder=$CARGO_TARGET_DIR/tools ;;
    *) tools_folder=$PWD/$CARGO_TARGET_DIR/tools ;;
esac
PATH=$tools_folder/bin:$PATH

# For C code: a program must not contain its build time. zig refuses to compile such code.
NO_DATE='-Wno-builtin-macro-redefined -D__DATE__="" -D__TIME__=""'

# python_tools PACKAGE…: installs these Python packages, and the programs in them.
python_tools() {
    install_missing python3:python3
    if [ ! -x "$tools_folder/bin/pip" ]; then
        # Debian's Python lacks the module that creates such environments.
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
        # Some of these subcommands do not print their version when run as programs.
        case $(cargo install --list --root "$tools_folder") in
            *"${tool%@*} v${tool#*@}:"*) continue ;;
        esac
        # Slightly optimised, because cargo-about compares every licence's text with all known licences.
        CARGO_TARGET_DIR=$tools_folder/build CARGO_PROFILE_DEV_OPT_LEVEL=1 CARGO_PROFILE_DEV_DEBUG=0 \
            cargo install --quiet --locked --debug --root "$tools_folder" --features "$feature" "$tool"
        # cargo silently skips a program that lacks a required feature.
        command -v "${tool%@*}" >/dev/null || { echo "$tool: no program was built" >&2; return 1; }
    done
}
