#!/usr/bin/env python3
"""Finds circles of Rust files: A uses a name of B, and B, perhaps via other files, a name of A.

    tools/circles.py [CRATE…]           the circles of these crates, or of all; status 1 if there is one
    tools/circles.py --self-test

Names count where paths have them: in `use`, in code, in macros and attributes. A re-export leads to the file
that defines the name. Methods called on a value do not count, and neither does code that only tests compile.
A type's own functions (`impl NAME {`) may be in several files, so the name does not count there.
To cut a circle, move what both files need into a file of its own, and name that file after its job.
"""

import argparse
import sys
import unittest
from pathlib import Path

# Avoids cache files in the checkout.
sys.dont_write_bytecode = True

from circling import crate, graph  # noqa: E402

CRATES = Path(__file__).resolve().parent.parent / "crates"


def report(folder):
    """Prints the circles of a crate, and returns their number."""
    ties = crate.Crate(folder).ties()
    circles = graph.circles(ties)
    for files in circles:
        print(f"{folder.name}: {len(files)} files use each other in a circle")
        for (first, second), names in sorted(ties.items()):
            if first in files and second in files:
                print(f"    {below(first, folder)} -> {below(second, folder)}: {', '.join(sorted(names))}")
        print()
    return len(circles)


def below(file, folder):
    return Path(file).relative_to(folder / "src").as_posix()


def self_test():
    suite = unittest.defaultTestLoader.loadTestsFromName("circling.tests")
    return 0 if unittest.TextTestRunner(stream=sys.stderr, verbosity=0).run(suite).wasSuccessful() else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("crates", nargs="*", metavar="CRATE")
    arguments = parser.parse_args()
    if arguments.self_test:
        return self_test()
    # tcpwhy-certainty has no source files.
    with_source = (folder for folder in CRATES.iterdir() if (folder / "src").is_dir())
    folders = [CRATES / name for name in arguments.crates] or sorted(with_source)
    if unknown := [folder.name for folder in folders if not (folder / "src").is_dir()]:
        sys.exit(f"no crate of this name in crates/: {', '.join(unknown)}")
    count = sum(report(folder) for folder in folders)
    if count:
        print(f"{count} {'circle' if count == 1 else 'circles'}. Move what both files need into a file of its own.")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
