#!/usr/bin/env python3
"""Checks the maps of the code: every path in them exists, and every name occurs.

    tools/places.py             status 1 and a line for each that is not there
    tools/places.py --self-test

The maps are ARCHITECTURE.md and docs/dev/change.md. Text between backticks is a path (`analysis/facts/`,
`view/data/{contract,encode}.rs`, a bare `lines.rs`), a command line, or a name. Names are those of a
function, a constant, or a message (`fix-ID`: capitals match anything). A path is below the repository, or
begins with a crate.
"""

import fnmatch
import re
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MAPS = ("ARCHITECTURE.md", "docs/dev/change.md")
CODE = re.compile(r"`([^`]+)`")
BRACES = re.compile(r"\{([^{}]*)\}")
CAPITALS = re.compile(r"(?<![A-Za-z])[A-Z]{2,}(?![a-z_])")
# `tcpwhy/1`: a name and its version.
CONTRACT = re.compile(r"^tcpwhy[a-z-]*/[0-9]+$")
FILE = re.compile(r"\.(rs|ts|py|pyi|ftl|toml|json|md|csv|c|h|svg|mjs)$")


def spellings(text):
    """`a{b,c}` as `ab` and `ac`."""
    found = BRACES.search(text)
    if not found:
        return [text]
    before, after = text[: found.start()], text[found.end() :]
    return [one for part in found.group(1).split(",") for one in spellings(before + part + after)]


def is_path(text):
    """Whether it names a file or a folder, not a command or a value."""
    if " " in text or text.startswith(("-", "/", "[", ".")) or CONTRACT.search(text):
        return False
    return "/" in text or bool(FILE.search(text))


def places(path):
    """Possible locations of a path in a map, below the repository, as patterns."""
    path = CAPITALS.sub("*", path).rstrip("/")
    first, _, rest = path.partition("/")
    found = [path]
    if first == "tcpwhy":
        found += ["crates/tcpwhy/src", f"crates/tcpwhy/src/{rest}", f"crates/tcpwhy/{rest}"][0 if not rest else 1 :]
    elif rest:
        found += [f"crates/tcpwhy-{first}/src/{rest}", f"crates/tcpwhy-{first}/{rest}"]
    else:
        found += [f"crates/tcpwhy-{first}", f"*/{path}"]
    # Within the folder named earlier in the row.
    found.append(f"crates/*/{path}")
    return found


class Tree:
    """The files of the repository, and all of their text."""

    def __init__(self, files, text):
        self.files = set(files)
        self.folders = {str(parent) for file in files for parent in Path(file).parents}
        self.text = text

    def has_path(self, path):
        """Whether a file or a folder exists."""
        everything = self.files | self.folders
        return any(
            place in everything or ("*" in place and any(fnmatch.fnmatch(one, place) for one in everything))
            for place in places(path)
        )

    def has_name(self, name):
        """Whether a name, or a message with such an id, occurs in the code."""
        parts = [re.escape(part) for part in re.split(r"\*|" + CAPITALS.pattern, name)]
        return re.search(r"[\w.-]+".join(parts), self.text) is not None


def missing(text, tree):
    """Paths and names in a map that do not exist."""
    gone = []
    for line in text.splitlines():
        for code in CODE.findall(line):
            for one in spellings(code):
                known = tree.has_path(one) if is_path(one) else " " in one or tree.has_name(one)
                if not known:
                    gone.append(one)
    return gone


def tracked():
    """The files of the repository, including those that are not committed yet."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    return [file for file in listed if (ROOT / file).is_file()]


def main():
    """Checks all maps."""
    files = tracked()
    sources = [file for file in files if FILE.search(file) and file not in MAPS and not file.startswith("docs/")]
    # Scripts have no extension.
    sources += [file for file in files if file.startswith("scripts/")]
    text = "\n".join((ROOT / file).read_text(errors="replace") for file in sources)
    tree = Tree(files, text)
    gone = [(name, one) for name in MAPS for one in missing((ROOT / name).read_text(), tree)]
    for name, one in gone:
        print(f"{name}: `{one}` is not there")
    return 1 if gone else 0


class Test(unittest.TestCase):
    """Which paths and names are found."""

    tree = Tree(
        ["crates/tcpwhy-view/src/proof.rs", "crates/tcpwhy/src/main.rs", "crates/tcpwhy-report/locales/en/fixes.ftl"],
        "fn note_progress() {}\nfix-send-buffer = more\nconst LIMIT: u8 = 1;",
    )

    def test_paths(self):
        """Paths of crates and of the program, and bare file names."""
        for path in ("view/proof.rs", "view/", "tcpwhy/main.rs", "fixes.ftl", "crates/tcpwhy-view/src/NAME.rs"):
            self.assertTrue(self.tree.has_path(path), path)
        for path in ("view/prof.rs", "tcpwhy/view/", "fix.ftl", "crates/tcpwhy-view/tests/NAME.rs"):
            self.assertFalse(self.tree.has_path(path), path)

    def test_names(self):
        """A word in capitals matches anything, a whole name only itself."""
        for name in ("note_progress", "fix-ID", "LIMIT", "fix-*"):
            self.assertTrue(self.tree.has_name(name), name)
        for name in ("note_regress", "remark-ID"):
            self.assertFalse(self.tree.has_name(name), name)

    def test_maps(self):
        """Each part of braces is checked."""
        self.assertEqual(missing("| x | `view/{proof,page}.rs`, `fix-ID`, `a b` |", self.tree), ["view/page.rs"])


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        unittest.main(argv=sys.argv[:1])
    sys.exit(main())
